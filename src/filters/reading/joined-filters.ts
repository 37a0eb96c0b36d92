import { readJsonText } from '../../platform/values/json.js';
import { isFields } from '../../platform/fields/values.js';
import { isFilterGroup, isSingleFilter } from './filter-fields.js';
import { keyAndOperator } from './leaf.js';

interface Joined {
  readonly filters: unknown;
  /** The path of each part of the second parameter in the joined one, and in the second one itself. */
  readonly places: readonly { readonly path: string; readonly was: string }[];
}

/** A filter or a group, and its path in the parameter. */
interface Part {
  readonly filter: unknown;
  readonly was: string;
}

/** Makes one parameter `properties` of two, all of which must hold. Both are as they were sent, in any of their forms. */
export const joinedFilters = (one: unknown, other: unknown): Joined => {
  const [first, second] = [partsOf(one), partsOf(other)];
  if (second.length === 0) return { filters: first.length === 0 ? [] : one, places: [] };
  const groups = second.filter(({ filter }) => isGroup(filter)).length;
  if (first.length === 0 && (groups === 0 || groups === second.length))
    return { filters: other, places: [{ path: '', was: '' }] };
  const parts = [...first, ...second];
  const isList = parts.every(({ filter }) => !isGroup(filter));
  const values = parts.map(({ filter }) => (isList || isGroup(filter) ? filter : { type: 'AND', values: [filter] }));
  return {
    filters: isList ? values : { type: 'AND', values },
    places: second.map(({ filter, was }, n) => {
      const at = first.length + n;
      return { path: isList ? `.${at}` : `.values.${at}${isGroup(filter) ? '' : '.values.0'}`, was };
    }),
  };
};

const isGroup = (value: unknown): boolean => isFields(value) && isFilterGroup(value);

const partsOf = (sent: unknown): Part[] => {
  const json = typeof sent === 'string' && sent.trim() !== '' ? readJsonText(sent, 'properties') : sent;
  if (json === undefined || json === null || json === '') return [];
  if (Array.isArray(json)) return json.map((filter: unknown, at) => ({ filter, was: `.${at}` }));
  if (!isFields(json) || isFilterGroup(json) || isSingleFilter(json)) return [{ filter: json, was: '' }];
  return Object.entries(json).map(([name, value]) => ({ filter: { ...keyAndOperator(name), value }, was: '' }));
};
