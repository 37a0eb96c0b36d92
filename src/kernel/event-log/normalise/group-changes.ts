import { type GroupChange } from '../../groups/apply-groups.js';
import { type GroupName, describedGroup, describedGroupFault, namedGroups } from '../../projection/named-groups.js';
import { type EventWarnings, noWarnings } from './checked.js';
import { type JsonObject, isRecord } from './json.js';

interface GroupsOfEvent {
  readonly groups: readonly GroupName[];
  readonly groupChange: GroupChange | null;
  readonly warnings: EventWarnings;
}

/** The result for nearly every event. */
const none: GroupsOfEvent = { groups: [], groupChange: null, warnings: noWarnings };

/** Reads the groups that an event belongs to, and the group that it describes. */
export const groupsOf = (event: string, properties: JsonObject): GroupsOfEvent => {
  const describes = event === '$groupidentify' && properties.$process_person_profile !== false;
  if (properties.$groups === undefined && !describes) return none;
  const { groups, faults } = namedGroups(properties);
  const described = describes ? describedGroup(properties) : null;
  const all = describes ? [...faults, ...(described ? operatorFaults(properties) : [describedGroupFault])] : faults;
  return {
    groups,
    groupChange: described && groupChange(described, properties),
    warnings: all.map((detail) => ({ type: 'invalid_group', detail })),
  };
};

/** Names the parts of the operators that are ignored. */
const operatorFaults = ({ $group_unset: unset, ...properties }: JsonObject): string[] => {
  const isKeys = Array.isArray(unset) ? unset.every((key) => typeof key === 'string') : isAbsentOrRecord(unset);
  return [
    ...['$group_set', '$group_set_once']
      .filter((name) => !isAbsentOrRecord(properties[name]))
      .map((name) => `${name} must be an object of properties`),
    ...(isKeys ? [] : ['$group_unset must be a list of keys, which are texts']),
  ];
};

const isAbsentOrRecord = (value: unknown): boolean => value === undefined || value === null || isRecord(value);

/** Makes the group, and leaves its properties as they are. */
export const namesOnly = (group: GroupName): GroupChange => ({ group, set: {}, setOnce: {}, unset: [] });

/** The operators apply in the order `$group_set_once`, `$group_set`, `$group_unset`, and the later operator wins. */
const groupChange = (group: GroupName, properties: JsonObject): GroupChange => {
  const { $group_set: set, $group_set_once: setOnce, $group_unset: unset } = properties;
  const removed = new Set(Array.isArray(unset) ? unset.filter((key) => typeof key === 'string') : keysOf(unset));
  const kept = entriesOf(set).filter(([key]) => !removed.has(key));
  const keys = new Set(kept.map(([key]) => key));
  const once = entriesOf(setOnce).filter(([key]) => !removed.has(key) && !keys.has(key));
  return { group, set: Object.fromEntries(kept), setOnce: Object.fromEntries(once), unset: [...removed] };
};

const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

const keysOf = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : []);
