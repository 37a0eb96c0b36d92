import { type Filter } from './filter.js';

/** Events of one name, or of any name, that pass a filter. */
export interface EventMatch {
  /** Null: any event. */
  readonly event: string | null;
  readonly filter: Filter;
}

/** The event names that a statement must read; null: all names, because one alternative is any event. */
export const namesOfMatches = (matches: readonly EventMatch[]): readonly string[] | null => {
  const names = matches.map(({ event }) => event);
  return names.includes(null) ? null : [...new Set(names as string[])];
};
