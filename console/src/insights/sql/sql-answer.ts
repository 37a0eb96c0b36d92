import { type QuestionWarning } from '../../api/types';

export interface SqlAnswer {
  readonly columns: readonly string[];
  readonly types: readonly (readonly [string, string])[];
  readonly hasMore: boolean;
  readonly as_of: string;
  readonly elapsed_ms: number;
  readonly rows_read: number;
  readonly warnings?: readonly QuestionWarning[];
  readonly results: readonly (readonly unknown[])[];
}

const numeric = /^(?:Nullable\()?(?:U?Int\d+|Float\d+|Decimal)/;

export const isNumeric = (answer: SqlAnswer, column: number): boolean => numeric.test(answer.types[column]?.[1] ?? '');

/** A cell as text: numbers and texts as they are, everything else as JSON. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
