import { type ClientBase } from 'pg';
import { isOnCitus } from '../../stores/postgres/citus/on-citus.js';
import { holdStill } from '../../stores/postgres/lease.js';
import { type Postgres } from '../../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';

/** An answer of Citus between its nodes has a limit. */
const rowsAtOnce = 5_000;

const lastOfNext = pgSql`
  SELECT max(id) AS last, count(*)::integer AS number FROM (
    SELECT id FROM node_outbox ORDER BY id LIMIT ${bound(rowsAtOnce)}
  ) AS next`.named('projection-next-of-nodes');

/**
 * One statement for all nodes, which Citus commits on them and on the coordinator together: a row is in one of both places. The
 * transaction ids of arrivals are those of the coordinator.
 */
const move = (last: string): PgSql =>
  pgSql`
    WITH moved AS (
      DELETE FROM node_outbox WHERE id <= ${bound(last)}::bigint
      RETURNING project_id, id, kind, refs, size, created_at, is_arrival
    ), arrived AS (
      INSERT INTO arrivals (project_id, xid, uuids, size, received_at)
      SELECT m.project_id, pg_current_xact_id()::text::bigint, ARRAY(SELECT jsonb_array_elements_text(m.refs)::uuid), m.size, m.created_at
      FROM moved AS m WHERE m.is_arrival ORDER BY m.id
    )
    INSERT INTO outbox (id, project_id, kind, refs, size, created_at)
    SELECT id, project_id, kind, refs, size, created_at FROM moved`.named('projection-collect');

/** Until the end of the client's transaction, rows stay where they are. */
export const holdCollecting = (client: ClientBase): Promise<void> => holdStill(client, 'collecting');

/**
 * Brings the changes that wait on the nodes of Citus to the outbox. Call it before the outbox is read for what was committed
 * before.
 */
export const collectOutbox = async (postgres: Postgres): Promise<void> => {
  if (!isOnCitus()) return;
  for (;;) {
    const { rows } = await postgres.query<{ last: string | null; number: number }>(lastOfNext);
    const { last = null, number = 0 } = rows[0] ?? {};
    if (last === null) return;
    await postgres.transaction(async (client) => {
      await holdCollecting(client);
      await client.query(move(last));
    });
    if (number < rowsAtOnce) return;
  }
};
