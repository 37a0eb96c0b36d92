import { randomInt } from 'node:crypto';
import { type ClientBase, type QueryResult, type QueryResultRow } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { topology } from '../../platform/postgres/topology.js';
import { RetryTransaction } from '../../platform/postgres/transaction.js';
import { countsMoved, remainingDistinctIds } from './distinct-id-counts.js';
import { type Properties } from './identity-event.js';
import { type PersonState } from './person-group.js';
import { plannedByKey, projectOfStatement } from '../../platform/postgres/planned-by-key.js';

const slots = new WeakMap<ClientBase, number>();

/** The slot of `person_counts` to which this connection adds. */
const slotOf = (client: ClientBase): number => {
  const slot = slots.get(client) ?? randomInt(1, 2 ** 31 - 1);
  slots.set(client, slot);
  return slot;
};

/**
 * Adds the number of rows of the CTE `made` to the count of persons, or subtracts that of `gone`. $1 is the project, $3 the
 * slot.
 */
const countsPersons = (rows: 'made' | 'gone'): string => `
  INSERT INTO person_counts AS c (project_id, slot, persons)
  SELECT $1, $3, ${rows === 'made' ? '' : '-'}count(*) FROM ${rows} HAVING count(*) > 0
  ON CONFLICT (project_id, slot) DO UPDATE SET persons = c.persons + excluded.persons`;

interface MakingPersons {
  readonly name: string;
  /**
   * Makes the text of the statement. Its CTE `made` returns the new persons, and `counts` comes right after it. $1 is the
   * project; $3 is left for `counts`.
   */
  readonly text: (counts: string) => string;
  readonly persons: readonly object[];
}

/** Runs a statement that makes persons, and counts them. */
export const makeCounted = async <Row extends QueryResultRow>(
  client: ClientBase,
  projectId: number,
  { name, text, persons }: MakingPersons,
): Promise<QueryResult<Row>> => {
  const [values, slot] = [[projectId, JSON.stringify(persons)], slotOf(client)];
  if (topology().mayCountWrites)
    return client.query<Row>({
      name,
      text: text(`, counted AS (${countsPersons('made')})`),
      values: [...values, slot],
    });
  const made = await client.query<Row>({ name: `${name}-at-node`, text: text(''), values });
  if (made.rows.length > 0)
    await client.query(
      pgSql`INSERT INTO person_counts AS c (project_id, slot, persons)
        VALUES (${bound(projectId)}, ${bound(slot)}, ${bound(made.rows.length)})
        ON CONFLICT (project_id, slot) DO UPDATE SET persons = c.persons + excluded.persons`.named(
        'person-counts-made',
      ),
    );
  return made;
};

/** A project with more slots than this gets them combined, so that readers have few to add up. */
export const maxSlots = 64;

// Skips the slots that another transaction is about to change.
const fold = `
  WITH old AS (
    SELECT slot FROM person_counts WHERE project_id = $1 AND slot <> 0 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM person_counts AS c USING old WHERE c.project_id = $1 AND c.slot = old.slot RETURNING c.persons
  )
  INSERT INTO person_counts AS c (project_id, slot, persons)
  SELECT $1, 0, sum(persons) FROM gone HAVING count(*) > 0
  ON CONFLICT (project_id, slot) DO UPDATE SET persons = c.persons + excluded.persons`;

/** Combines all slots into slot 0, because most are of closed connections. The sum stays the same. */
export const foldPersonCounts = async (postgres: Queryable, projectId: number): Promise<void> => {
  await postgres.query(fold, [projectId]);
};

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
