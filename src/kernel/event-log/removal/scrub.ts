import { isFields } from '../../../platform/fields/values.js';
import { type GroupName } from '../../projection/named-groups.js';

/** The parts of events that a request removes: properties by their keys, or the mention of a group. */
export type Scrub = { readonly keys: readonly string[] } | { readonly group: GroupName };

/** The properties of an event that contain properties of a person or a group, which are removed by the same keys. */
export const operatorNames = ['$set', '$set_once', '$group_set', '$group_set_once'] as const;

/** Returns the properties, as JSON, without the parts; null if they have none of them. */
export const scrubbed = (json: string, scrub: Scrub): string | null => {
  const properties = JSON.parse(json) as Record<string, unknown>;
  const isChanged = 'keys' in scrub ? withoutKeys(properties, scrub.keys) : withoutGroup(properties, scrub.group);
  return isChanged ? JSON.stringify(properties) : null;
};

const withoutKeys = (properties: Record<string, unknown>, keys: readonly string[]): boolean => {
  let isChanged = false;
  for (const from of [properties, ...operatorNames.map((name) => properties[name])]) {
    if (!isFields(from)) continue;
    for (const key of keys) {
      if (!Object.hasOwn(from, key)) continue;
      delete (from as Record<string, unknown>)[key];
      isChanged = true;
    }
  }
  return isChanged;
};

const withoutGroup = (properties: Record<string, unknown>, { type, key }: GroupName): boolean => {
  const { $groups: groups } = properties;
  if (!isFields(groups) || !Object.hasOwn(groups, type)) return false;
  const named = groups[type];
  // SDKs take numbers as keys, too.
  if ((typeof named === 'number' ? String(named) : named) !== key) return false;
  properties.$groups = Object.fromEntries(Object.entries(groups).filter(([name]) => name !== type));
  return true;
};
