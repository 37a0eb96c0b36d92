import { type ClientBase } from 'pg';
import { type PersonRef } from './person-ref.js';
import { type Properties } from './identity-event.js';

export interface LockedPerson {
  readonly id: string;
  readonly uuid: string;
  readonly properties: Properties;
  readonly is_identified: boolean;
  readonly created_at: Date;
}

const columns = 'SELECT id, uuid, properties, is_identified, created_at FROM persons WHERE project_id = $1';

/**
 * Returns null when the person does not exist. Until the transaction ends, no other transaction can change the person or move
 * its distinct ids.
 */
export const lockPerson = async (
  client: ClientBase,
  projectId: number,
  ref: PersonRef,
): Promise<LockedPerson | null> => {
  const { rows } = await client.query<LockedPerson>(
    'id' in ref
      ? { name: 'person-lock-id', text: `${columns} AND id = $2::bigint FOR UPDATE`, values: [projectId, ref.id] }
      : { name: 'person-lock-uuid', text: `${columns} AND uuid = $2::uuid FOR UPDATE`, values: [projectId, ref.uuid] },
  );
  return rows[0] ?? null;
};

/**
 * Locks persons in the order of ids, as every function that locks several persons does. Persons that no longer exist are left
 * out.
 */
export const lockPersonsById = async (
  client: ClientBase,
  projectId: number,
  ids: readonly string[],
): Promise<LockedPerson[]> => {
  const { rows } = await client.query<LockedPerson>({
    name: 'persons-lock-ids',
    text: `${columns} AND id = ANY ($2::bigint[]) ORDER BY id FOR UPDATE`,
    values: [projectId, ids],
  });
  return rows;
};

// Each person is looked up through the index: with `= ANY`, a planner without fresh statistics would read all ids of the project.
const distinctIds = `
  SELECT input.id AS person_id, ARRAY(
    SELECT d.distinct_id FROM person_distinct_ids AS d
    WHERE d.project_id = $1 AND d.person_id = input.id ORDER BY d.position
  ) AS distinct_ids
  FROM unnest($2::bigint[]) AS input (id)`;

/** Maps each person id to all its distinct ids, in the order they were added. */
export const distinctIdsOfPersons = async (
  client: ClientBase,
  projectId: number,
  personIds: readonly string[],
): Promise<Map<string, readonly string[]>> => {
  if (personIds.length === 0) return new Map();
  const { rows } = await client.query<{ person_id: string; distinct_ids: string[] }>({
    name: 'persons-distinct-ids',
    text: distinctIds,
    values: [projectId, personIds],
  });
  return new Map(rows.map(({ person_id, distinct_ids }) => [person_id, distinct_ids]));
};

const firstDistinctId = `
  SELECT distinct_id FROM person_distinct_ids
  WHERE project_id = $1 AND person_id = $2::bigint ORDER BY position LIMIT 1`;

/** Returns the first distinct id, or null for a person without any. */
export const firstDistinctIdOf = async (
  client: ClientBase,
  projectId: number,
  personId: string,
): Promise<string | null> => {
  const { rows } = await client.query<{ distinct_id: string }>({
    name: 'person-first-distinct-id',
    text: firstDistinctId,
    values: [projectId, personId],
  });
  return rows[0]?.distinct_id ?? null;
};
