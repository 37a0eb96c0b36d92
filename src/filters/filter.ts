/** Where a property filter looks. `event_metadata` is `timestamp`, `distinct_id` or `event` itself. */
export type PropertySource = 'event' | 'person' | 'event_metadata';

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

export type FilterValue = string | number | boolean;

export interface PropertyFilter {
  readonly kind: 'property';
  readonly source: PropertySource;
  readonly key: string;
  readonly operator: Operator;
  /** One for a single value, none for `is_set` and `is_not_set`; any of them, or none of them for negative operators. */
  readonly values: readonly FilterValue[];
  /** Holds exactly where it otherwise would not. */
  readonly negated?: boolean;
  /** Where it was given, for errors that show later. */
  readonly at?: string;
}

export interface CohortFilter {
  readonly kind: 'cohort';
  readonly cohortId: number;
  readonly negated: boolean;
  /** Where it was given, for errors that show later. */
  readonly at?: string;
}

export interface FilterGroup {
  readonly kind: 'group';
  readonly combine: 'AND' | 'OR';
  /** An empty group holds always. */
  readonly parts: readonly Filter[];
}

/** A filter that was read and found right. */
export type Filter = PropertyFilter | CohortFilter | FilterGroup;

export type FilterLeaf = Exclude<Filter, FilterGroup>;

export const everything: FilterGroup = { kind: 'group', combine: 'AND', parts: [] };

export const allOf = (...parts: readonly Filter[]): FilterGroup => ({ kind: 'group', combine: 'AND', parts });

export const isEverything = (filter: Filter): boolean =>
  filter.kind === 'group' &&
  (filter.combine === 'AND' || filter.parts.length === 0) &&
  filter.parts.every(isEverything);

export const leavesOf = (filter: Filter): readonly FilterLeaf[] =>
  filter.kind === 'group' ? filter.parts.flatMap(leavesOf) : [filter];
