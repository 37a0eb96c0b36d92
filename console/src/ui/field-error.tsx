import { inFormWords } from '../api/field-words';
import { ProblemError } from '../api/problem-error';
import { ProblemAlert } from './problem-alert';

const isAt = (attr: string | null, field: string): boolean =>
  attr !== null && (attr === field || attr.startsWith(`${field}.`));

/** Returns the service's fault of a field, or of a part of its value. `own` says it as the form does, such as for a missing choice. */
export const errorAt = (error: Error | null, field: string, own: string | false = false): string | null =>
  error instanceof ProblemError && isAt(error.problem.attr, field)
    ? own || inFormWords(error.problem.detail, error.problem.attr, field)
    : null;

/** An error that belongs to none of the fields of a form. */
export function FormProblem({ error, fields }: { error: Error | null; fields: readonly string[] }) {
  if (!error || fields.some((field) => errorAt(error, field) !== null)) return null;
  return <ProblemAlert error={error} />;
}
