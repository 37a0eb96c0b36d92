import { randomInt } from 'node:crypto';
import { type ClientBase } from 'pg';
import { isOnCitus } from '../../stores/postgres/citus/on-citus.js';
import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';

const slots = new WeakMap<ClientBase, number>();

/** The slot in which this connection counts. */
export const slotOf = (client: ClientBase): number => {
  const slot = slots.get(client) ?? randomInt(1, 2 ** 31 - 1);
  slots.set(client, slot);
  return slot;
};

/** Counts the rows that a statement, a CTE named `rows`, has made or removed. $1 is the project, $3 the slot. */
export const countsPersons = (rows: 'made' | 'gone'): string => `
  INSERT INTO person_counts AS c (project_id, slot, persons)
  SELECT $1, $3, ${rows === 'made' ? '' : '-'}count(*) FROM ${rows} HAVING count(*) > 0
  ON CONFLICT (project_id, slot) DO UPDATE SET persons = c.persons + excluded.persons`;

/**
 * What counts the persons of a statement whose CTE `made` has them. On Citus it is empty: what a second part of a statement reads,
 * Citus sends to all nodes.
 */
export const countsMade = (): string => (isOnCitus() ? '' : `, counted AS (${countsPersons('made')})`);

/** Call it behind a statement with `countsMade`, with the number of persons that it has made. */
export const countMadeOnCitus = async (client: ClientBase, projectId: number, made: number): Promise<void> => {
  if (!isOnCitus() || made === 0) return;
  await client.query(
    pgSql`INSERT INTO person_counts AS c (project_id, slot, persons)
      VALUES (${bound(projectId)}, ${bound(slotOf(client))}, ${bound(made)})
      ON CONFLICT (project_id, slot) DO UPDATE SET persons = c.persons + excluded.persons`.named('person-counts-made'),
  );
};

/** Readers have to add up at most about this many slots. */
export const maxSlots = 64;

// Slots that another transaction is about to change stay where they are.
const fold = `
  WITH old AS (
    SELECT slot FROM person_counts WHERE project_id = $1 AND slot <> 0 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM person_counts AS c USING old WHERE c.project_id = $1 AND c.slot = old.slot RETURNING c.persons
  )
  INSERT INTO person_counts AS c (project_id, slot, persons)
  SELECT $1, 0, sum(persons) FROM gone HAVING count(*) > 0
  ON CONFLICT (project_id, slot) DO UPDATE SET persons = c.persons + excluded.persons`;

/** Combines the slots of closed connections. The sum stays the same. */
export const foldPersonCounts = async (postgres: Queryable, projectId: number): Promise<void> => {
  await postgres.query(fold, [projectId]);
};
