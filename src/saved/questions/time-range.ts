import { type ProjectContext } from '../../kernel/access/project-context.js';
import { readRange } from '../../platform/time/range.js';
import { parametersOf, type SavedQuestion } from './question.js';

/**
 * A time range, as texts such as `-30d` or `2026-01-31`, that replaces the range of a question. Both null: the question keeps
 * its own.
 */
export interface RangeOverride {
  readonly date_from: string | null;
  readonly date_to: string | null;
}

export const ownRange: RangeOverride = { date_from: null, date_to: null };

export const isOwnRange = ({ date_from, date_to }: RangeOverride): boolean => date_from === null && date_to === null;

/** Refuses dates that no question could read. */
export const assertRange = ({ date_from, date_to }: RangeOverride, project: ProjectContext, now: Date): void => {
  readRange({ ...(date_from !== null && { date_from }), date_to: date_to ?? undefined }, 'day', now, project);
};

/** The parameters of a time range that a question has: a question in SQL has none, and retention only an end. */
export const rangeNames = ({ type }: Pick<SavedQuestion, 'type'>): readonly (keyof RangeOverride)[] => {
  const known = parametersOf(type);
  return (['date_from', 'date_to'] as const).filter((name) => known.includes(name));
};

/** Replaces the time range of a question. The range is replaced as a whole: an end alone does not keep the old beginning. */
export const withRange = (question: SavedQuestion, range: RangeOverride): SavedQuestion => {
  if (isOwnRange(range)) return question;
  const replaced = Object.fromEntries(rangeNames(question).map((name) => [name, range[name]]));
  return { ...question, params: { ...question.params, ...replaced } };
};
