import { readJsonText } from '../../platform/values/json.js';
import { isFields, type Fields } from '../../platform/fields/values.js';
import { isFilterGroup, isSingleFilter } from './filter-fields.js';
import { keyAndOperator } from './leaf.js';

/** Makes one parameter `properties` of two, all of which must hold. Both are as they were sent, in any of their forms. */
export const joinedFilters = (one: unknown, other: unknown): unknown => {
  const [first, second] = [partsOf(one), partsOf(other)];
  if (first === null || second === null) return (first ?? second) === null ? [] : first === null ? other : one;
  if (Array.isArray(first) && Array.isArray(second)) return [...(first as unknown[]), ...(second as unknown[])];
  const groupOf = (parts: readonly unknown[] | Fields): unknown =>
    Array.isArray(parts) ? { type: 'AND', values: parts } : parts;
  return { type: 'AND', values: [groupOf(first), groupOf(second)] };
};

/** A list of single filters, or a group; null for none. */
const partsOf = (sent: unknown): readonly unknown[] | Fields | null => {
  const json = typeof sent === 'string' && sent.trim() !== '' ? readJsonText(sent, 'properties') : sent;
  if (Array.isArray(json)) {
    if (json.length === 0) return null;
    return json.some((part) => isFields(part) && isFilterGroup(part))
      ? { type: 'AND', values: json as unknown[] }
      : json;
  }
  if (!isFields(json)) return null;
  if (isFilterGroup(json)) return json;
  if (isSingleFilter(json)) return [json];
  return Object.entries(json).map(([name, value]) => ({ ...keyAndOperator(name), value }));
};
