export const operators = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'not_between',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_before',
  'is_date_after',
] as const;

/** `in` and `not_in` are read as `exact` and `is_not`. */
export type Operator = (typeof operators)[number];

export const synonyms: Readonly<Record<string, Operator>> = { in: 'exact', not_in: 'is_not' };

/** The operator with this name or synonym; null for any other value. */
export const operatorNamed = (name: unknown): Operator | null => {
  if (typeof name !== 'string') return null;
  return Object.hasOwn(synonyms, name)
    ? (synonyms[name] ?? null)
    : (operators.find((operator) => operator === name) ?? null);
};

/**
 * The source of a property. `event_metadata` is the column `timestamp`, `distinct_id` or `event` itself; `group` is the group of
 * one type that the event names.
 */
export type PropertySource = 'event' | 'person' | 'event_metadata' | 'group';

/** The key under which a filter on groups compares the key of the group itself. */
export const groupKey = '$group_key';

export type FilterValue = string | number | boolean;

/** A filter on a property. `at` is the path of the filter in the request, for errors that appear after parsing. */
export interface PropertyFilter {
  readonly kind: 'property';
  readonly source: PropertySource;
  /** The index of the type of a `group`. */
  readonly groupType?: number;
  readonly key: string;
  readonly operator: Operator;
  /** The filter holds if any value matches; with a negative operator, if none does. Empty for `is_set` and `is_not_set`. */
  readonly values: readonly FilterValue[];
  /** Inverts the filter. */
  readonly negated?: boolean;
  readonly at?: string;
  /** The path of the value if it is not `value` of the filter. */
  readonly valueAt?: string;
}

/** A filter on the membership in a cohort. `at` as in a property filter. */
export interface CohortFilter {
  readonly kind: 'cohort';
  readonly cohortId: number;
  readonly negated: boolean;
  /** True if the actor must have been a member at the time of the event, rather than be one now. */
  readonly atEvent?: boolean;
  /**
   * For a cohort that splits numbers: the kinds of actors, as in `groupType` of a question, that it splits. Events have persons and
   * groups of all types, and need none.
   */
  readonly ofBreakdown?: readonly (number | null)[];
  /** True if the filter was accepted and stored before, so that the cohort may have been deleted since. */
  readonly stored?: boolean;
  readonly at?: string;
}

/** A condition on an event that the client wrote as an expression of the SQL dialect. `at` as in a property filter. */
export interface ExpressionFilter {
  readonly kind: 'expression';
  readonly text: string;
  readonly negated: boolean;
  readonly at?: string;
}

interface FilterGroup {
  readonly kind: 'group';
  readonly combine: 'AND' | 'OR';
  /** An empty group always holds. */
  readonly parts: readonly Filter[];
}

/** A filter that was parsed and is valid. */
export type Filter = PropertyFilter | CohortFilter | ExpressionFilter | FilterGroup;

export type FilterLeaf = Exclude<Filter, FilterGroup>;

export const everything: FilterGroup = { kind: 'group', combine: 'AND', parts: [] };

export const allOf = (...parts: readonly Filter[]): FilterGroup => ({ kind: 'group', combine: 'AND', parts });

export const isEverything = (filter: Filter): boolean =>
  filter.kind === 'group' &&
  (filter.combine === 'AND' || filter.parts.length === 0) &&
  filter.parts.every(isEverything);

/** Returns a filter as text, to compare it with others. Its paths in the request, `at` and `valueAt`, are left out. */
export const meaningOf = (filter: unknown): string =>
  JSON.stringify(filter, (key, value: unknown) => (key === 'at' || key === 'valueAt' ? undefined : value));

/** Splits a filter into the conditions that must all hold. */
const conditionsOf = (filter: Filter): readonly Filter[] =>
  filter.kind === 'group' && (filter.combine === 'AND' || filter.parts.length < 2)
    ? filter.parts.flatMap(conditionsOf)
    : [filter];

/** True if each condition of `filter` is a condition of `other`, too, so that `filter` passes every event that `other` passes. */
export const isPartOf = (filter: Filter, other: Filter): boolean => {
  const meanings = conditionsOf(other).map(meaningOf);
  return conditionsOf(filter).every((condition) => meanings.includes(meaningOf(condition)));
};

export const leavesOf = (filter: Filter): readonly FilterLeaf[] =>
  filter.kind === 'group' ? filter.parts.flatMap(leavesOf) : [filter];

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
