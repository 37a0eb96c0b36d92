import { type IdentityEvent } from '../../../src/kernel/identity/identity-event.js';
import { NaiveWorld, type NaivePerson } from '../identity-naive.js';
import { type Change } from './changes.js';
import { type Stream, type StreamEvent, type StreamMerge } from './stream.js';

export interface ModelPerson {
  /** The smallest of its distinct ids: persons of an answer are named in the same way. */
  readonly name: string;
  readonly distinctIds: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export interface ModelEvent extends StreamEvent {
  /** The person after all merges; null without a person. */
  readonly person: ModelPerson | null;
}

/** The result of a stream and later changes, as plain lists: events in the order of their time. */
export interface Model {
  readonly persons: readonly ModelPerson[];
  readonly events: readonly ModelEvent[];
}

export const nameOf = (distinctIds: readonly string[]): string => [...distinctIds].sort()[0] ?? '';

/** The name of a person of an answer. */
export const personName = ({ distinct_ids: ids }: { readonly distinct_ids: readonly string[] }): string => nameOf(ids);

export const mergeEvent = ({ uuid, kind, distinctId, other, timestamp, properties = {} }: StreamMerge): StreamEvent =>
  kind === 'identify'
    ? { uuid, event: '$identify', distinctId, timestamp, properties: { ...properties, $anon_distinct_id: other } }
    : { uuid, event: '$create_alias', distinctId, timestamp, properties: { ...properties, alias: other } };

export const modelOf = ({ persons, before, merges, after }: Stream, changes: readonly Change[] = []): Model => {
  const world = new NaiveWorld(
    persons.map(({ distinctIds, properties, createdAt, isIdentified }, n): NaivePerson => {
      const ids = [...distinctIds];
      return { ids, properties: { ...properties }, createdAt: createdAt.getTime(), isIdentified, stored: String(n) };
    }),
  );
  world.receive(merges.map(identityEventOf));
  for (const change of changes) {
    if (change.kind === 'merge') world.receive([identityEventOf(change.merge)]);
    else splitUp(world, change);
  }
  const left = world.persons.map(({ ids, properties, createdAt }): ModelPerson => {
    return { name: nameOf(ids), distinctIds: ids, properties, createdAt: new Date(createdAt) };
  });
  const whose = (id: string) => left.find(({ distinctIds }) => distinctIds.includes(id)) ?? null;
  const later = changes.flatMap((change) => (change.kind === 'merge' ? [mergeEvent(change.merge)] : []));
  const events = [...before, ...merges.map(mergeEvent), ...after, ...later]
    .map((event) => ({ ...event, person: whose(event.distinctId) }))
    .sort((a, b) => a.timestamp.getTime() - b.timestamp.getTime());
  return { persons: left, events };
};

export const identityEventOf = (merge: StreamMerge): IdentityEvent => ({
  uuid: merge.uuid,
  event: mergeEvent(merge).event,
  distinctId: merge.distinctId,
  timestamp: merge.timestamp,
  person: { process: true, set: {}, setOnce: {}, unset: [] },
  merge: { kind: merge.kind, otherDistinctId: merge.other },
  identifies: merge.kind === 'identify',
});

/** A distinct id that leaves gets a person without properties. */
const splitUp = (world: NaiveWorld, { distinctId, role }: Extract<Change, { kind: 'split' }>): void => {
  const person = world.find(distinctId);
  if (!person || person.ids.length === 1) return;
  const leaving = person.ids.filter((id) => (id === distinctId) === (role === 'leaves'));
  person.ids = person.ids.filter((id) => !leaving.includes(id));
  for (const id of leaving) {
    world.persons.push({ ids: [id], properties: {}, createdAt: 0, isIdentified: false, stored: id });
  }
};

/** The name of the person of an event, or its distinct id. */
export const actorOf = ({ person, distinctId }: ModelEvent): string => person?.name ?? distinctId;
