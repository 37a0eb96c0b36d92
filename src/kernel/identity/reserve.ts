import { randomUUID } from 'node:crypto';
import { type ClientBase } from 'pg';
import { type MadePerson } from './decide.js';
import { loadOwners } from './load.js';
import { makeCounted } from './write.js';
import { personUuid } from './person-ref.js';
import { areToldOf } from '../notices/person-notices.js';
import { RetryTransaction } from '../../platform/postgres/transaction.js';

/** A new distinct id of a person that is made at the same time. */
export interface Joining {
  readonly distinctId: string;
  readonly madeFor: string;
}

export interface Reservation {
  readonly planned: readonly MadePerson[];
  readonly joining: readonly Joining[];
  /** All distinct ids involved, in the order they came. */
  readonly inOrder: readonly string[];
}

/** Person rows of this transaction, which no other transaction can see yet. */
export interface Reserved {
  /** Maps each distinct id to the person row that was made for it, or for the person it joins. */
  readonly rows: ReadonlyMap<string, string>;
  /** The ids that share the row of the person they join. */
  readonly joined: ReadonlySet<string>;
  /** The rows made in vain, because another transaction took the id first. */
  readonly orphans: readonly string[];
  /** True if webhooks tell of persons. */
  readonly areTold: boolean;
}

/**
 * Gives every new distinct id a person row of its own, even the ids that are to join a stored person. Therefore transactions
 * that take the same ids wait for each other only here, in the order of uuids and then of ids, before they lock persons. Ids
 * that join a person made here share its row; if that row turns out to belong to another person, the transaction is repeated.
 */
export const reserve = async (
  client: ClientBase,
  projectId: number,
  { planned, joining, inOrder }: Reservation,
): Promise<Reserved> => {
  if (planned.length === 0) return { rows: new Map(), joined: new Set(), orphans: [], areTold: false };
  const { made, areTold } = await makePersons(client, projectId, planned);
  const personOf = new Map(made);
  for (const { distinctId, madeFor } of joining) {
    const personId = made.get(madeFor);
    if (personId === undefined) throw new RetryTransaction();
    personOf.set(distinctId, personId);
  }
  const ids: IdOfPerson[] = [];
  for (const distinctId of inOrder) {
    const personId = personOf.get(distinctId);
    if (personId !== undefined) ids.push({ distinct_id: distinctId, person_id: personId });
  }
  const taken = await takeIds(client, projectId, ids);
  const rows = new Map<string, string>();
  for (const [distinctId, personId] of personOf) if (taken.has(distinctId)) rows.set(distinctId, personId);
  const orphans: string[] = [];
  for (const [distinctId, personId] of made) if (!taken.has(distinctId)) orphans.push(personId);
  const joined = new Set<string>();
  for (const { distinctId, madeFor } of joining) {
    if (!taken.has(madeFor)) throw new RetryTransaction();
    if (taken.has(distinctId)) joined.add(distinctId);
  }
  return { rows, joined, orphans, areTold };
};

interface IdOfPerson {
  readonly distinct_id: string;
  readonly person_id: string;
}

const makePersons = async (
  client: ClientBase,
  projectId: number,
  planned: readonly MadePerson[],
): Promise<InsertedPersons> => {
  const first = await insertPersons(client, projectId, planned, ({ distinctId }) => personUuid(projectId, distinctId));
  const { made, areTold } = first;
  if (made.size === planned.length) return first;
  const refused = planned.filter(({ distinctId }) => !made.has(distinctId));
  const owners = await loadOwners(
    client,
    projectId,
    refused.map(({ distinctId }) => distinctId),
  );
  // No person has the id, but a person has its uuid: that person was made for the id and lost it by a split.
  const free = refused.filter(({ distinctId }) => !owners.has(distinctId));
  if (free.length === 0) return first;
  const more = await insertPersons(client, projectId, free, () => randomUUID());
  return { made: new Map([...made, ...more.made]), areTold: areTold || more.areTold };
};

// Ids are assigned in the order in which persons came, but rows are inserted in the order of uuids.
const insert = (counts: string): string => `
  WITH made AS (
    INSERT INTO persons (project_id, id, uuid, properties, is_identified, created_at)
    SELECT $1, made.id, made.uuid, made.properties, made.is_identified, made.created_at
    FROM (
      SELECT nextval((SELECT pg_get_serial_sequence('persons', 'id')::regclass)) AS id, input.*
      FROM jsonb_to_recordset($2::jsonb)
        AS input (uuid uuid, properties jsonb, is_identified boolean, created_at timestamptz)
    ) AS made
    ORDER BY made.uuid
    ON CONFLICT (project_id, uuid) DO NOTHING
    RETURNING id, uuid
  )${counts}
  SELECT id, uuid, ${areToldOf} AS "areTold" FROM made`;

export interface InsertedPersons {
  /** Maps each distinct id to its person row, for those ids whose uuid is free. */
  readonly made: Map<string, string>;
  /** True if webhooks tell of persons; false if none was made. */
  readonly areTold: boolean;
}

export const insertPersons = async (
  client: ClientBase,
  projectId: number,
  planned: readonly MadePerson[],
  uuidOf: (person: MadePerson) => string,
): Promise<InsertedPersons> => {
  const madeFor = new Map<string, string>();
  const persons: object[] = [];
  for (const person of planned) {
    const { distinctId, properties, isIdentified, createdAt } = person;
    const uuid = uuidOf(person);
    madeFor.set(uuid, distinctId);
    persons.push({ uuid, properties, is_identified: isIdentified, created_at: createdAt });
  }
  const statement = { name: 'identity-make-persons', text: insert, persons };
  const { rows } = await makeCounted<{ id: string; uuid: string; areTold: boolean }>(client, projectId, statement);
  const made = new Map<string, string>();
  for (const { id, uuid } of rows) made.set(madeFor.get(uuid) ?? '', id);
  return { made, areTold: rows[0]?.areTold ?? false };
};

// Positions are assigned in the order of the input, but rows are inserted in the order of distinct ids.
const take = `
  INSERT INTO person_distinct_ids (project_id, distinct_id, person_id, position)
  SELECT $1, taken.distinct_id, taken.person_id, taken.position
  FROM (
    SELECT input.distinct_id, input.person_id,
      nextval((SELECT pg_get_serial_sequence('person_distinct_ids', 'position')::regclass)) AS position
    FROM jsonb_to_recordset($2::jsonb) AS input (distinct_id text, person_id bigint)
  ) AS taken
  ORDER BY taken.distinct_id COLLATE "C"
  ON CONFLICT (project_id, distinct_id) DO NOTHING
  RETURNING distinct_id`;

const takeIds = async (client: ClientBase, projectId: number, ids: readonly IdOfPerson[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set();
  const { rows } = await client.query<{ distinct_id: string }>({
    name: 'identity-take-ids',
    text: take,
    values: [projectId, JSON.stringify(ids)],
  });
  const taken = new Set<string>();
  for (const { distinct_id } of rows) taken.add(distinct_id);
  return taken;
};

const restore = (counts: string): string => `
  WITH made AS (
    INSERT INTO persons (project_id, id, uuid, properties, is_identified, created_at)
    SELECT $1, input.id, input.uuid, '{}', false, input.created_at
    FROM jsonb_to_recordset($2::jsonb) AS input (id bigint, uuid uuid, created_at timestamptz)
    ON CONFLICT DO NOTHING
    RETURNING id
  )${counts}
  SELECT id FROM made`;

/** Gives a person its row again, without properties. Returns false when another person has the id or the uuid. */
export const restorePerson = async (
  client: ClientBase,
  projectId: number,
  person: { readonly id: string; readonly uuid: string; readonly created_at: Date },
): Promise<boolean> => {
  const statement = { name: 'person-restore', text: restore, persons: [person] };
  const { rowCount } = await makeCounted(client, projectId, statement);
  return rowCount === 1;
};
