import { type Model, type ModelEvent } from '../insights/model.js';
import { type Stream } from '../insights/stream.js';
import { describes } from '../groups.js';

/** What the members of a cohort are: one of these says how a model, a body and an answer are read. */
export type ActorKind = 'person' | 'group';

/** A person or a group that a definition is about. */
export interface Subject {
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const keys = ['k0', 'k1', 'k2', 'k3'];

/** The key of the group that an event names; null for a fifth of them. */
const keyOf = (uuid: string): string | null => keys[Number.parseInt(uuid.slice(-4), 16) % 5] ?? null;

/** The stream, in which most events name one of four groups, whoever did them. */
export const inGroups = (stream: Stream): Stream => {
  const named = <Event extends { readonly uuid: string; readonly properties?: object }>(event: Event): Event => {
    const key = keyOf(event.uuid);
    return key === null ? event : { ...event, properties: { ...event.properties, $groups: { account: key } } };
  };
  const { before, merges, after } = stream;
  return { ...stream, before: before.map(named), merges: merges.map(named), after: after.map(named) };
};

/** The groups, with the properties that the stream has drawn for its first persons. */
const groupsOf = ({ persons }: Stream): Subject[] =>
  keys.map((name, at) => ({ name, properties: persons[at]?.properties ?? {} }));

/** Lines of an import that describe the groups. */
export const groupLines = (stream: Stream): object[] =>
  groupsOf(stream).map(({ name, properties }) => ({
    type: 'event',
    timestamp: '2020-01-01T00:00:00Z',
    ...describes('account', name, properties),
  }));

/** All subjects, and the one that an event is of. */
export interface Subjects {
  readonly subjects: readonly Subject[];
  readonly whose: (event: ModelEvent) => Subject | null;
}

export const subjectsOf = (kind: ActorKind, stream: Stream, model: Model): Subjects => {
  if (kind === 'person') return { subjects: model.persons, whose: ({ person }) => person };
  const groups = new Map(groupsOf(stream).map((group) => [group.name, group]));
  return { subjects: [...groups.values()], whose: ({ uuid }) => groups.get(keyOf(uuid) ?? '') ?? null };
};

/** The fields of a body that say what the members are. */
export const actorFields = (kind: ActorKind): object =>
  kind === 'person' ? {} : { actor: 'group', group_type_index: 0 };
