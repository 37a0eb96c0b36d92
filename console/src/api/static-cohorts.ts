import { ProblemError } from './problem-error';
import { type Cohort } from './types';

/** Sends the members as a file, which may have any number of them; a list in JSON may not. */
export const createStaticCohort = async (
  projectId: string,
  name: string,
  personIds: Iterable<number>,
  signal: AbortSignal,
): Promise<Cohort> => {
  const form = new FormData();
  form.set('name', name);
  form.set('is_static', 'true');
  form.set('csv', new Blob([`person_id\n${[...personIds].join('\n')}\n`], { type: 'text/csv' }), 'persons.csv');
  const response = await fetch(`/api/projects/${projectId}/cohorts`, {
    method: 'POST',
    credentials: 'same-origin',
    body: form,
    signal,
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw ProblemError.of(answer, response.status);
  return answer as Cohort;
};
