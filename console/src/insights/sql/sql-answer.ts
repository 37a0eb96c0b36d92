import { type Schemas } from '../../api/types';

export type SqlAnswer = Schemas['QueryAnswerDto'];

const numeric = /^(?:Nullable\()?(?:U?Int\d+|Float\d+|Decimal)/;

export const isNumeric = (answer: SqlAnswer, column: number): boolean => numeric.test(answer.types[column]?.[1] ?? '');

/** A cell as text: numbers and texts as they are, everything else as JSON. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
