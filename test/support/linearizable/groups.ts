import { type SequentialModel } from './linearize.js';

type Properties = Readonly<Record<string, unknown>>;

export interface GroupChange {
  readonly set: Properties;
  readonly setOnce: Properties;
  readonly unset: readonly string[];
}

export type GroupsInput =
  /** An event that names the group; with a change, one that describes it. */
  | { readonly kind: 'capture'; readonly key: string; readonly change: GroupChange | null }
  | { readonly kind: 'read'; readonly key: string }
  | { readonly kind: 'create'; readonly key: string; readonly properties: Properties }
  /** Null removes a property. */
  | { readonly kind: 'edit'; readonly id: string; readonly properties: Properties }
  | { readonly kind: 'delete'; readonly id: string };

/** A group as the interface shows it, as far as the order of operations decides it. */
export interface SeenGroup {
  readonly id: string;
  readonly key: string;
  readonly properties: Properties;
}

export type GroupsResult = 'done' | 'missing' | 'exists' | SeenGroup;

/** The id is null until the group was seen. */
interface NaiveGroup {
  readonly id: string | null;
  readonly key: string;
  readonly properties: Properties;
}

type State = readonly NaiveGroup[];

const canonical = ({ key, properties }: Omit<NaiveGroup, 'id'>): string =>
  JSON.stringify([key, Object.entries(properties).sort()]);

/** `$group_set_once`, `$group_set` and `$group_unset` apply in this order. */
const changed = (properties: Properties, { set, setOnce, unset }: GroupChange): Properties =>
  Object.fromEntries(
    Object.entries({ ...setOnce, ...properties, ...set }).filter(
      ([key, value]) => value !== null && !unset.includes(key),
    ),
  );

/** The state with this group in place of the one of its key. */
const having = (state: State, group: NaiveGroup): State => [...state.filter(({ key }) => key !== group.key), group];

/** The state in which a reader saw this of the group; null if it could not. An id is learned when it is first seen. */
const shown = (state: State, group: NaiveGroup | undefined, result: GroupsResult | undefined): State | null => {
  if (result === undefined) return state;
  if (group === undefined || typeof result === 'string')
    return group === undefined && result === 'missing' ? state : null;
  if (canonical(group) !== canonical(result)) return null;
  if (group.id !== null) return group.id === result.id ? state : null;
  return state.some(({ id }) => id === result.id) ? null : having(state, { ...group, id: result.id });
};

/** Groups after operations one after the other. */
export const groupsModel: SequentialModel<State, GroupsInput, GroupsResult> = {
  initial: [],
  apply: (state, input, result) => {
    const named = 'key' in input ? state.find(({ key }) => key === input.key) : state.find(({ id }) => id === input.id);
    switch (input.kind) {
      case 'capture': {
        const group = named ?? { id: null, key: input.key, properties: {} };
        return having(state, input.change ? { ...group, properties: changed(group.properties, input.change) } : group);
      }
      case 'read':
        return shown(state, named, result);
      case 'create': {
        if (named) return result === undefined || result === 'exists' ? state : null;
        const group = { id: null, key: input.key, properties: input.properties };
        return shown(having(state, group), group, result);
      }
      case 'edit': {
        if (!named) return shown(state, named, result);
        const properties = changed(named.properties, { set: input.properties, setOnce: {}, unset: [] });
        const group = { ...named, properties };
        return shown(having(state, group), group, result);
      }
      case 'delete':
        if (result !== undefined && result !== (named ? 'done' : 'missing')) return null;
        return state.filter((group) => group !== named);
    }
  },
  keyOf: (state) =>
    state
      .map((group) => `${group.id} ${canonical(group)}`)
      .sort()
      .join('\n'),
};
