import { type ClientBase } from 'pg';
import { itself, textArray } from '../../platform/postgres/binary-array.js';
import { type StoredPerson, type StoredPersons } from './person-group.js';
import { type IdentityEvent, type Properties } from './identity-event.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { plannedByKey, projectOfStatement } from '../../platform/postgres/planned-by-key.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Person } from './person.entity.js';
import { type Decision, distinctIdsOfEvent } from './decide.js';

type PersonRow = Stored<Pick<Person, 'id' | 'isIdentified' | 'createdAt'>> & { readonly properties: Properties };

const person = ({ id, properties, is_identified, created_at }: PersonRow): StoredPerson => ({
  id,
  properties,
  isIdentified: is_identified,
  createdAt: created_at,
});

// Each id is looked up by the primary key. With `= ANY`, a planner without fresh statistics reads all ids of the project
// instead, and a prepared statement keeps such a plan.
const ownersById = `
  SELECT input.distinct_id, (
    SELECT d.person_id FROM person_distinct_ids AS d WHERE d.project_id = ${projectOfStatement} AND d.distinct_id = input.distinct_id
  ) AS person_id
  FROM unnest($2::text[]) AS input (distinct_id)`;

// The rows are one per person rather than one per id: properties may be large, and a person may have many ids.
const personsText = `
  SELECT p.id, p.properties, p.is_identified, p.created_at, d.distinct_ids
  FROM (
    SELECT owned.person_id, array_agg(owned.distinct_id) AS distinct_ids
    FROM (${ownersById}) AS owned
    WHERE owned.person_id IS NOT NULL
    GROUP BY owned.person_id
  ) AS d
  CROSS JOIN LATERAL (
    SELECT id, properties, is_identified, created_at FROM persons
    WHERE project_id = ${projectOfStatement} AND id = d.person_id
    LIMIT 1
  ) AS p`;

/** Reads without locks: the result may be outdated before it is used. */
export const loadPersons = async (
  client: ClientBase,
  projectId: number,
  distinctIds: readonly string[],
): Promise<StoredPersons> => {
  const { rows } = await client.query<PersonRow & { distinct_ids: string[] }>({
    name: 'identity-people',
    text: personsText,
    values: [projectId, textArray(distinctIds, itself)],
  });
  const owners = new Map<string, string>();
  for (const { id, distinct_ids } of rows) for (const distinctId of distinct_ids) owners.set(distinctId, id);
  return { persons: new Map(rows.map((row) => [row.id, person(row)])), owners };
};

const lock = `
  SELECT p.id, p.properties, p.is_identified, p.created_at
  FROM (SELECT DISTINCT owned.person_id AS id FROM (${ownersById}) AS owned) AS owner
  JOIN persons AS p ON p.project_id = ${projectOfStatement} AND p.id = owner.id
  WHERE ${plannedByKey('owner.id')}
  ORDER BY p.id
  FOR UPDATE OF p`;

/** Returns the persons of the ids in their newest form, and locks them until the transaction ends. */
export const lockPersons = async (
  client: ClientBase,
  projectId: number,
  distinctIds: readonly string[],
): Promise<Map<string, StoredPerson>> => {
  const { rows } = await client.query<PersonRow>({
    name: 'identity-lock',
    text: lock,
    values: [projectId, textArray(distinctIds, itself)],
  });
  return new Map(rows.map((row) => [row.id, person(row)]));
};

const owners = `SELECT owned.distinct_id, owned.person_id FROM (${ownersById}) AS owned WHERE owned.person_id IS NOT NULL`;

export const loadOwners = async (
  client: Queryable,
  projectId: number,
  distinctIds: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await client.query<{ distinct_id: string; person_id: string }>({
    name: 'identity-owners',
    text: owners,
    values: [projectId, textArray(distinctIds, itself)],
  });
  return new Map(rows.map(({ distinct_id, person_id }) => [distinct_id, person_id]));
};

/** Groups distinct ids: ids that are linked, directly or through others, are in one group. */
export class LinkedIds {
  private readonly next: number[] = [];
  private readonly ids = new Map<string, number>();
  private readonly persons = new Map<string, number>();

  /** The ids of one person are linked. */
  constructor(owners: ReadonlyMap<string, string>) {
    for (const [distinctId, person] of owners)
      this.join(this.numberOf(this.ids, distinctId), this.numberOf(this.persons, person));
  }

  joinIds([first, ...others]: readonly string[]): void {
    for (const other of others) this.join(this.numberOf(this.ids, first ?? other), this.numberOf(this.ids, other));
  }

  groupOf(distinctId: string): number {
    return this.end(this.numberOf(this.ids, distinctId));
  }

  groupOfPerson(personId: string): number {
    return this.end(this.numberOf(this.persons, personId));
  }

  private end(start: number): number {
    let end = start;
    for (let next = this.next[end]; next !== undefined && next !== end; next = this.next[end]) end = next;
    this.next[start] = end;
    return end;
  }

  private join(a: number, b: number): void {
    this.next[this.end(a)] = this.end(b);
  }

  private numberOf(known: Map<string, number>, key: string): number {
    const number = known.get(key) ?? this.next.length;
    if (number === this.next.length) {
      known.set(key, number);
      this.next.push(number);
    }
    return number;
  }
}

/**
 * Returns the ids whose persons change, and every id that the decision about them depended on: ids of the same person, and
 * ids that a merge names together. These ids can be decided again without the rest of the group.
 */
export const affectedIds = (
  { owners }: StoredPersons,
  events: readonly IdentityEvent[],
  { made, attached, changed, merged }: Decision,
): Set<string> => {
  if (made.length + attached.length + changed.length + merged.length === 0) return new Set();
  const links = new LinkedIds(owners);
  for (const event of events) if (event.merge) links.joinIds(distinctIdsOfEvent(event));

  const changing = new Set<number>();
  for (const { distinctId } of made) changing.add(links.groupOf(distinctId));
  for (const { distinctId } of attached) changing.add(links.groupOf(distinctId));
  for (const { id } of changed) changing.add(links.groupOfPerson(id));
  for (const { id } of merged) changing.add(links.groupOfPerson(id));

  const affected = new Set<string>();
  for (const event of events) {
    for (const id of distinctIdsOfEvent(event)) if (changing.has(links.groupOf(id))) affected.add(id);
  }
  return affected;
};
