import { type ClientBase } from 'pg';
import { RetryTransaction } from '../../platform/postgres/transaction.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { countsMoved, remainingDistinctIds } from './distinct-id-counts.js';
import { type Properties } from './identity-event.js';
import { type PersonState } from './person-group.js';
import { countsPersons, slotOf } from './person-counts.js';
import { plannedByKey, projectOfStatement } from '../../platform/postgres/planned-by-key.js';

export interface PersonPatch {
  readonly id: string;
  readonly changed: Properties;
  readonly removed: readonly string[];
  readonly isIdentified: boolean;
  readonly createdAt: Date;
}

/** Returns the patch that brings a person from its present properties to the given state. */
export const patchOf = (
  id: string,
  before: Properties,
  { properties, isIdentified, createdAt }: PersonState,
): PersonPatch => ({
  id,
  changed: properties,
  removed: Object.keys(before).filter((key) => !Object.hasOwn(properties, key)),
  isIdentified,
  createdAt,
});

const update = `
  UPDATE persons AS p
  SET properties = (p.properties - patch.removed) || patch.changed,
    is_identified = patch.is_identified,
    created_at = patch.created_at
  FROM jsonb_to_recordset($2::jsonb)
    AS patch (id bigint, changed jsonb, removed text[], is_identified boolean, created_at timestamptz)
  WHERE p.project_id = ${projectOfStatement} AND p.id = patch.id AND ${plannedByKey('patch.id')}`;

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
  await client.query({ name: 'identity-update', text: update, values: [projectId, JSON.stringify(rows)] });
};

/** Everything that belongs to the person `source` goes to the person `target`. */
export interface Move {
  readonly source: string;
  readonly target: string;
}

const move = `
  WITH moved AS (
    UPDATE person_distinct_ids AS d
    SET person_id = move.target
    FROM jsonb_to_recordset($2::jsonb) AS move (source bigint, target bigint)
    WHERE d.project_id = ${projectOfStatement} AND d.person_id = move.source AND ${plannedByKey('move.source')}
    RETURNING d.distinct_id, d.person_id
  ), counted AS (${countsMoved})
  SELECT distinct_id FROM moved`;

/**
 * Moves all distinct ids of persons and returns them. The sources must still exist, and both persons of each move must be
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
    values: [projectId, JSON.stringify(moves)],
  });
  return rows.map(({ distinct_id }) => distinct_id);
};

/**
 * Gives some distinct ids of a person to other persons: `ids` maps each id to its new person. All these persons must be locked
 * or new.
 */
export const giveIds = async (
  client: ClientBase,
  projectId: number,
  source: string,
  ids: ReadonlyMap<string, string>,
): Promise<void> => {
  const moves = [...ids].map(([distinct_id, person_id]) => ({ distinct_id, person_id }));
  const { rowCount } = await client.query(
    pgSql`UPDATE person_distinct_ids AS d SET person_id = move.person_id
      FROM jsonb_to_recordset(${bound(JSON.stringify(moves))}::jsonb) AS move (distinct_id text, person_id bigint)
      WHERE d.project_id = ${bound(projectId)} AND d.distinct_id = move.distinct_id
        AND d.person_id = ${bound(source)}::bigint`.named('identity-give-ids'),
  );
  if (rowCount !== moves.length) throw new RetryTransaction();
  await remainingDistinctIds(client, projectId, source, moves.length);
};

const remove = `
  WITH gone AS (
    DELETE FROM persons AS p USING unnest($2::bigint[]) AS input (id)
    WHERE p.project_id = ${projectOfStatement} AND p.id = input.id AND ${plannedByKey('input.id')}
    RETURNING p.id
  ), uncounted AS (
    DELETE FROM distinct_id_counts WHERE project_id = $1 AND person_id = ANY($2::bigint[])
  )
  ${countsPersons('gone')}`;

export const deletePersons = async (client: ClientBase, projectId: number, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await client.query({ name: 'identity-delete', text: remove, values: [projectId, ids, slotOf(client)] });
};

// The log already has the events of this transaction, so an id has past events if the log has more than `input.events` of it.
// Each id is looked up through its index: EXISTS would become a join that reads all events of the project.
const withPast = `
  SELECT input.distinct_id
  FROM jsonb_to_recordset($2::jsonb) AS input (distinct_id text, events integer)
  CROSS JOIN LATERAL (
    SELECT FROM events AS e
    WHERE e.project_id = ${projectOfStatement} AND e.distinct_id = input.distinct_id
    OFFSET input.events LIMIT 1
  ) AS past`;

/** Returns the ids that have events in the log besides `logged`, the events of this transaction. */
export const idsWithPastEvents = async (
  client: ClientBase,
  projectId: number,
  distinctIds: readonly string[],
  logged: readonly { readonly distinctId: string }[],
): Promise<string[]> => {
  if (distinctIds.length === 0) return [];
  const counts = new Map<string, number>();
  for (const distinctId of distinctIds) counts.set(distinctId, 0);
  for (const { distinctId } of logged) {
    const number = counts.get(distinctId);
    if (number !== undefined) counts.set(distinctId, number + 1);
  }
  const rows: object[] = [];
  for (const [distinctId, number] of counts) rows.push({ distinct_id: distinctId, events: number });
  const answer = await client.query<{ distinct_id: string }>({
    name: 'identity-with-past-events',
    text: withPast,
    values: [projectId, JSON.stringify(rows)],
  });
  return answer.rows.map(({ distinct_id }) => distinct_id);
};
