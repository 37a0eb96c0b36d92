import { createHash } from 'node:crypto';
import { isFields } from '../../platform/fields/values.js';
import { BoundedMap } from '../../platform/values/bounded-map.js';

type Properties = Readonly<Record<string, unknown>>;

/** A group as events name it. */
export interface GroupName {
  readonly type: string;
  readonly key: string;
}

export const maxGroupTypes = 20;
export const maxGroupNameCharacters = 400;

const nameFault = `a text of 1 to ${maxGroupNameCharacters} characters`;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxGroupNameCharacters;

/** SDKs take numbers as keys, too. */
const keyOf = (value: unknown): string | null => {
  const text = typeof value === 'number' ? String(value) : value;
  return isName(text) ? text : null;
};

/** The groups that an event names in `$groups`, and the reasons why others are ignored. */
export interface NamedGroups {
  readonly groups: readonly GroupName[];
  readonly faults: readonly string[];
}

/** The result for an event without groups. */
const none: NamedGroups = { groups: [], faults: [] };

export const namedGroups = ({ $groups: sent }: Properties): NamedGroups => {
  if (sent === undefined || sent === null) return none;
  if (!isFields(sent)) return { groups: [], faults: ['$groups must be an object of keys by the type of group'] };
  const groups: GroupName[] = [];
  const faults: string[] = [];
  for (const [type, value] of Object.entries(sent)) {
    const key = keyOf(value);
    if (value === null || value === '') continue;
    if (!isName(type)) faults.push(`a type of group in $groups must be ${nameFault}`);
    else if (key === null) faults.push(`$groups.${type} must be a number, or ${nameFault}`);
    else if (groups.length === maxGroupTypes) faults.push(`$groups may name at most ${maxGroupTypes} groups`);
    else groups.push({ type, key });
  }
  return { groups, faults };
};

/** The group that a `$groupidentify` describes; null if the event names none. */
export const describedGroup = ({ $group_type: type, $group_key: sent }: Properties): GroupName | null => {
  const key = keyOf(sent);
  return isName(type) && key !== null ? { type, key } : null;
};

export const describedGroupFault = `a $groupidentify must have $group_type, ${nameFault}, and $group_key, the same or a number`;

/** The actors of the groups that were named last, because an event names the groups of the events before it. */
const recentActors = new BoundedMap<string, string>(10_000);

/**
 * The number of a group in questions, as text, because it does not fit a JavaScript number. It follows from the name of the
 * group, so an event has it before the group has a row, and after the row was deleted. 0 is the number of no group.
 */
export const groupActor = (projectId: number, { type, key }: GroupName): string => {
  // The length says where the type ends, so that no two groups have the same text.
  const name = `${projectId} ${type.length} ${type}${key}`;
  const known = recentActors.get(name);
  if (known !== undefined) return known;
  const digest = createHash('sha256')
    .update(JSON.stringify([projectId, type, key]))
    .digest();
  const actor = String(BigInt.asUintN(63, digest.readBigUInt64BE()) || 1n);
  recentActors.set(name, actor);
  return actor;
};

/** The actors of an event's groups by their types; undefined for an event without groups. */
export type NamedActors = Readonly<Record<string, string>> | undefined;

export const namedActors = (projectId: number, groups: readonly GroupName[]): NamedActors =>
  groups.length === 0
    ? undefined
    : Object.fromEntries(groups.map((group) => [group.type, groupActor(projectId, group)]));
