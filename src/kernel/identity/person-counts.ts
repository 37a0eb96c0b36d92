import { randomInt } from 'node:crypto';
import { type ClientBase, type QueryResult, type QueryResultRow } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { topology } from '../../platform/postgres/topology.js';

const slots = new WeakMap<ClientBase, number>();

/** The slot of `person_counts` to which this connection adds. */
export const slotOf = (client: ClientBase): number => {
  const slot = slots.get(client) ?? randomInt(1, 2 ** 31 - 1);
  slots.set(client, slot);
  return slot;
};

/**
 * Adds the number of rows of the CTE `made` to the count of persons, or subtracts that of `gone`. $1 is the project, $3 the
 * slot.
 */
export const countsPersons = (rows: 'made' | 'gone'): string => `
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
