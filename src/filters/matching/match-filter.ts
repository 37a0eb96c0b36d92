import { jsonText } from '../../platform/values/json.js';
import { type Filter, type PropertyFilter, groupKey } from '../reading/filter.js';
import { matchOf } from './match-comparison.js';

/** The person or the group that a filter is matched with. */
export interface MatchedActor {
  readonly properties: Readonly<Record<string, unknown>>;
  /** The key of a group; null for a person. */
  readonly groupKey: string | null;
  readonly isMemberOf: (cohortId: number) => boolean;
}

export type FilterMatch = (actor: MatchedActor, now: Date) => boolean;

/**
 * Prepares a filter on one person or one group for a decision in memory, the same as `filterSql` makes in ClickHouse. Throws a
 * problem that names the pattern if RE2 does not accept a regular expression.
 */
export const filterMatch = (filter: Filter): FilterMatch => {
  switch (filter.kind) {
    case 'expression':
      throw new Error('Expressions are computed by ClickHouse alone');
    case 'property':
      return propertyMatch(filter);
    case 'cohort': {
      const { cohortId, negated } = filter;
      return (actor) => actor.isMemberOf(cohortId) !== negated;
    }
    case 'group': {
      const parts = filter.parts.map(filterMatch);
      if (parts.length === 0) return () => true;
      return filter.combine === 'AND'
        ? (actor, now) => parts.every((part) => part(actor, now))
        : (actor, now) => parts.some((part) => part(actor, now));
    }
  }
};

const propertyMatch = ({ key, at = key, valueAt = `${at}.value`, negated = false, ...filter }: PropertyFilter) => {
  const match = matchOf(filter, valueAt);
  const isKey = filter.source === 'group' && key === groupKey;
  return (actor: MatchedActor, now: Date): boolean =>
    match(isKey ? actor.groupKey : storedText(own(actor.properties, key)), now) !== negated;
};

const own = (properties: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(properties, key) ? properties[key] : undefined;

/** The text that a value of a property is compared as; null counts as absent. */
const storedText = (value: unknown): string | null => {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return String(value).replace('e+', 'e');
    case 'boolean':
      return String(value);
    default:
      return typeof value === 'object' && value !== null ? jsonText(value) : null;
  }
};
