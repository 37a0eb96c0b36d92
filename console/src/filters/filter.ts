/** One condition, as the `properties` parameters of the interface take it. */
export interface FilterLeaf {
  readonly type: 'person' | 'event' | 'group' | 'cohort';
  /** With the type `group`: the index of the type of accounts. */
  readonly group_type_index?: number | undefined;
  readonly key: string;
  readonly value?: string | number | readonly (string | number)[];
  readonly operator?: string;
  readonly negation?: boolean;
  /** Of a cohort: whether the person must be in it now, or must have been at the time of each event. */
  readonly at?: 'event' | 'now';
}

export interface FilterGroup {
  readonly type: 'AND' | 'OR';
  readonly values: readonly (FilterLeaf | FilterGroup)[];
}

export const emptyFilter: FilterGroup = { type: 'AND', values: [] };

export const isGroup = (node: FilterLeaf | FilterGroup): node is FilterGroup => 'values' in node;

/** Reads what the address bar holds, where a list means that all of it must hold; anything else is no filter. */
export const readFilter = (value: unknown): FilterGroup => {
  if (Array.isArray(value)) return { type: 'AND', values: value as FilterGroup['values'] };
  if (typeof value !== 'object' || value === null || !('values' in value) || !Array.isArray(value.values))
    return emptyFilter;
  return value as FilterGroup;
};

const isRange = (operator: string | undefined): boolean => operator === 'between' || operator === 'not_between';

const hasValue = ({ operator, value }: FilterLeaf): boolean =>
  operator === 'is_set' ||
  operator === 'is_not_set' ||
  (isRange(operator) && Array.isArray(value) && value.length === 2 && value.every((bound) => bound !== '')) ||
  (!isRange(operator) && value !== undefined && value !== '' && (!Array.isArray(value) || value.length > 0));

/** The interface takes a group of conditions or a group of groups: conditions beside groups become groups of their own. */
const unmixed = ({ type, values }: FilterGroup): FilterGroup => {
  if (!values.some(isGroup)) return { type, values };
  return { type, values: values.map((node) => (isGroup(node) ? node : { type, values: [node] })) };
};

/** Without the conditions that are still being written. */
export const completeFilter = (group: FilterGroup): FilterGroup =>
  unmixed({
    ...group,
    values: group.values
      .map((node) => (isGroup(node) ? completeFilter(node) : node))
      .filter((node) => (isGroup(node) ? node.values.length > 0 : node.key !== '' && hasValue(node))),
  });

/** The text of a `properties` parameter, or undefined if nothing is filtered. */
export const filterParam = (group: FilterGroup): string | undefined => {
  const whole = completeFilter(group);
  return whole.values.length === 0 ? undefined : JSON.stringify(whole);
};
