import { type Filter, type FilterLeaf, allOf, leavesOf } from '../../filters/reading/filter.js';
import { type FilterMatch } from '../../filters/matching/match-filter.js';

/** A condition as it is stored: the filters are those that were sent. */
export interface StoredCondition {
  readonly properties: readonly object[];
  /** Null: all. */
  readonly rollout_percentage: number | null;
  readonly variant: string | null;
  readonly description?: string;
  /** Null: the condition is about persons. Unset: it is about what the flag is about. */
  readonly aggregation_group_type_index?: number | null;
}

export interface Variant {
  readonly key: string;
  readonly name: string;
  readonly rollout_percentage: number;
}

export interface Holdout {
  readonly id: number;
  readonly exclusion_percentage: number;
}

/** The field `filters` of a flag, as it is stored. */
export interface StoredRules {
  readonly groups: readonly StoredCondition[];
  readonly multivariate: { readonly variants: readonly Variant[] } | null;
  readonly payloads: Readonly<Record<string, string>>;
  readonly aggregation_group_type_index: number | null;
  readonly early_exit?: boolean;
  readonly holdout?: Holdout;
}

/** A condition that can be decided about. */
export interface Condition {
  readonly filter: Filter;
  readonly match: FilterMatch;
  readonly percentage: number;
  readonly variant: string | null;
  /** The index of the type of groups that the condition is about; null: persons. */
  readonly groupType: number | null;
}

export interface Rules {
  readonly conditions: readonly Condition[];
  readonly variants: readonly Variant[];
  readonly payloads: Readonly<Record<string, string>>;
  /** The first condition whose filters hold decides alone. */
  readonly earlyExit: boolean;
  readonly holdout: Holdout | null;
  /** The subject of the flag, and of conditions that do not say otherwise. */
  readonly groupType: number | null;
}

const leavesIn = ({ conditions }: Rules): readonly FilterLeaf[] => leavesOf(filterOf(conditions));

export const filterOf = (conditions: readonly Pick<Condition, 'filter'>[]): Filter =>
  allOf(...conditions.map(({ filter }) => filter));

/** The cohorts that the conditions name, ascending. */
export const cohortsOfRules = (rules: Rules): number[] => [
  ...new Set(
    leavesIn(rules)
      .flatMap((leaf) => (leaf.kind === 'cohort' ? [leaf.cohortId] : []))
      .sort((a, b) => a - b),
  ),
];

/** True if the flag or a condition is about groups. */
export const readsGroups = ({ conditions, groupType: ofFlag }: Rules): boolean =>
  [{ groupType: ofFlag }, ...conditions].some(({ groupType }) => groupType !== null);

/** True if a condition about persons reads what PostgreSQL has about the person. */
export const readsPersons = ({ conditions }: Rules): boolean =>
  conditions.some(({ groupType, filter }) => groupType === null && leavesOf(filter).length > 0);
