import { type ClientBase } from 'pg';
import { itself, textArray } from '../../stores/postgres/binary-array.js';
import { countsMoved } from './distinct-id-counts.js';
import { type Properties } from './identity-event.js';
import { countsPersons, slotOf } from './person-counts.js';

export interface PersonPatch {
  readonly id: string;
  readonly changed: Properties;
  readonly removed: readonly string[];
  readonly isIdentified: boolean;
  readonly createdAt: Date;
}

// The ids once more as an array, so that persons are found through their key: joined with the patches alone, a planner
// without fresh statistics reads all persons of the project.
const update = `
  UPDATE persons AS p
  SET properties = (p.properties - patch.removed) || patch.changed,
    is_identified = patch.is_identified,
    created_at = patch.created_at
  FROM jsonb_to_recordset($2::jsonb)
    AS patch (id bigint, changed jsonb, removed text[], is_identified boolean, created_at timestamptz)
  WHERE p.project_id = $1 AND p.id = ANY ($3::bigint[]) AND p.id = patch.id`;

export const updatePersons = async (
  client: ClientBase,
  projectId: number,
  patches: readonly PersonPatch[],
): Promise<void> => {
  if (patches.length === 0) return;
  const rows = patches.map(({ id, changed, removed, isIdentified, createdAt }) => ({
    id,
    changed,
    removed,
    is_identified: isIdentified,
    created_at: createdAt,
  }));
  const ids = patches.map(({ id }) => id);
  await client.query({ name: 'identity-update', text: update, values: [projectId, JSON.stringify(rows), ids] });
};

/** Everything of one person goes to another. */
export interface Move {
  readonly source: string;
  readonly target: string;
}

const move = `
  WITH moved AS (
    UPDATE person_distinct_ids AS d
    SET person_id = move.target
    FROM jsonb_to_recordset($2::jsonb) AS move (source bigint, target bigint)
    WHERE d.project_id = $1 AND d.person_id = ANY ($3::bigint[]) AND d.person_id = move.source
    RETURNING d.distinct_id, d.person_id
  ), counted AS (${countsMoved})
  SELECT distinct_id FROM moved`;

/**
 * The distinct ids that moved. What else hangs on a person moves here as well; the sources still exist, and both sides are
 * locked.
 */
export const movePossessions = async (
  client: ClientBase,
  projectId: number,
  moves: readonly Move[],
): Promise<string[]> => {
  if (moves.length === 0) return [];
  const { rows } = await client.query<{ distinct_id: string }>({
    name: 'identity-move',
    text: move,
    values: [projectId, JSON.stringify(moves), moves.map(({ source }) => source)],
  });
  return rows.map(({ distinct_id }) => distinct_id);
};

const remove = `
  WITH gone AS (
    DELETE FROM persons WHERE project_id = $1 AND id = ANY($2::bigint[]) RETURNING id
  ), uncounted AS (
    DELETE FROM distinct_id_counts WHERE project_id = $1 AND person_id = ANY($2::bigint[])
  )
  ${countsPersons('gone')}`;

export const deletePersons = async (client: ClientBase, projectId: number, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await client.query({ name: 'identity-delete', text: remove, values: [projectId, ids, slotOf(client)] });
};

// NOT IN is hashed, <> ALL compares with every uuid in turn. Id by id through their index: EXISTS would be made a join,
// which reads all events of the project.
const withPast = `
  SELECT given.distinct_id
  FROM unnest($2::text[]) AS given (distinct_id)
  CROSS JOIN LATERAL (
    SELECT FROM events AS e
    WHERE e.project_id = $1 AND e.distinct_id = given.distinct_id
      AND e.uuid NOT IN (SELECT unnest($3::text[])::uuid)
    LIMIT 1
  ) AS past`;

/** Those of the ids for which the event log holds other events than the given. */
export const idsWithPastEvents = async (
  client: ClientBase,
  projectId: number,
  distinctIds: readonly string[],
  eventUuids: readonly string[],
): Promise<string[]> => {
  if (distinctIds.length === 0) return [];
  const { rows } = await client.query<{ distinct_id: string }>({
    name: 'identity-with-past-events',
    text: withPast,
    values: [projectId, textArray(distinctIds, itself), textArray(eventUuids, itself)],
  });
  return rows.map(({ distinct_id }) => distinct_id);
};
