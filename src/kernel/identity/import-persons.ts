import { randomUUID } from 'node:crypto';
import { type ClientBase } from 'pg';
import { type MemberMoves } from './member-moves.js';
import { applyIdentity } from './apply-identity.js';
import { type IdentityEvent, type Properties } from './identity-event.js';

export interface ImportedPerson {
  /** The list contains at least one id. */
  readonly distinctIds: readonly string[];
  readonly properties: Properties;
  readonly createdAt: Date;
  readonly isIdentified: boolean;
}

/**
 * Creates persons, or completes them where one of their ids is known: missing properties are filled in, `created_at` may only
 * become earlier, and ids are added. Importing the same persons again therefore changes nothing. Returns why imports were
 * refused, by their index in `persons`.
 */
export const importPersons = async (
  client: ClientBase,
  projectId: number,
  persons: readonly ImportedPerson[],
  now: Date,
  members: MemberMoves,
): Promise<ReadonlyMap<number, string>> => {
  const indexes = new Map<string, number>();
  const events = persons.flatMap((person, index) =>
    eventsFor(person).map((event) => {
      indexes.set(event.uuid, index);
      return event;
    }),
  );
  const { warnings } = await applyIdentity(client, projectId, events, now, { members, inLog: false });
  return new Map(warnings.map(({ eventUuid, detail }) => [indexes.get(eventUuid) ?? -1, detail]));
};

/** Translates an imported person into equivalent events, so that one set of rules decides. */
const eventsFor = ({ distinctIds, properties, createdAt, isIdentified }: ImportedPerson): IdentityEvent[] => {
  const [first = '', ...others] = distinctIds;
  const event = (merge: IdentityEvent['merge'], setOnce: Properties): IdentityEvent => ({
    uuid: randomUUID(),
    event: '$import',
    distinctId: first,
    timestamp: createdAt,
    person: { process: true, set: {}, setOnce, unset: [] },
    merge,
    identifies: isIdentified,
    datesPerson: true,
  });
  return [event(null, properties), ...others.map((otherDistinctId) => event({ kind: 'import', otherDistinctId }, {}))];
};
