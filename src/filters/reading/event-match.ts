import { type Filter } from './filter.js';

/** Events of one name, or of any name, that pass a filter. */
export interface EventMatch {
  /** Null stands for any event. */
  readonly event: string | null;
  readonly filter: Filter;
}

/**
 * The limit for all events of a question or a definition together: each alternative and each step of an action counts,
 * each time that it is named.
 */
export const maxAlternatives = 500;

/** The event names that a statement must read; null: all names, because one alternative is any event. */
export const namesOfMatches = (matches: readonly EventMatch[]): readonly string[] | null => {
  const names = matches.map(({ event }) => event);
  return names.includes(null) ? null : [...new Set(names as string[])];
};
