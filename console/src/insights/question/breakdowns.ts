import { type Question } from '../../address/search';

/** One property, or a list of cohorts, by whose values the numbers are split. */
export interface Breakdown {
  readonly type: 'event' | 'person' | 'group' | 'cohort';
  /** With the type `group`: the index of the type of accounts. */
  readonly group_type_index?: number | undefined;
  /** A key; of cohorts their ids and `all`. */
  readonly property: string | readonly (string | number)[];
  /** Of cohorts: whether a person counts for those that it is in now, or was in at the time of each event. */
  readonly at?: 'event' | 'now';
  readonly normalize_url?: boolean;
  readonly histogram_bin_count?: number;
}

export const maxBreakdowns = 5;

const types = ['event', 'person', 'group', 'cohort'] as const;

const typeOf = (value: unknown): Breakdown['type'] => types.find((type) => type === value) ?? 'event';

const propertyOf = (type: Breakdown['type'], value: unknown): Breakdown['property'] => {
  if (type !== 'cohort') return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const ids: readonly unknown[] = Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value];
  return ids.filter((id) => typeof id === 'string' || typeof id === 'number');
};

const read = (value: unknown): Breakdown[] => {
  if (typeof value !== 'object' || value === null || !('property' in value)) return [];
  const type = typeOf('type' in value ? value.type : undefined);
  return [{ ...value, type, property: propertyOf(type, value.property) }];
};

/** `breakdowns`, or what the older `breakdown` with `breakdown_type` says. */
export const readBreakdowns = ({
  breakdowns,
  breakdown,
  breakdown_type,
  breakdown_group_type_index: index,
}: Question): Breakdown[] => {
  if (Array.isArray(breakdowns)) return breakdowns.flatMap(read);
  if (breakdown === undefined) return [];
  const type = typeOf(breakdown_type);
  if (type === 'cohort') return [{ type, property: propertyOf(type, breakdown) }];
  const owner = { type, ...(type === 'group' && typeof index === 'number' ? { group_type_index: index } : {}) };
  return (Array.isArray(breakdown) ? breakdown : [breakdown]).map((key) => ({
    ...owner,
    property: propertyOf(type, key),
  }));
};

/** Without those that are still being written. */
export const completeBreakdowns = (breakdowns: readonly Breakdown[]): Breakdown[] =>
  breakdowns.filter(({ property }) => property.length > 0);

/** The fields of the address. The older fields leave it. */
export const breakdownFields = (breakdowns: readonly Breakdown[]): Question => ({
  breakdowns: breakdowns.length === 0 ? undefined : breakdowns,
  breakdown: undefined,
  breakdown_type: undefined,
  breakdown_group_type_index: undefined,
});
