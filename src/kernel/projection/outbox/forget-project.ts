import { type ClientBase } from 'pg';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { holdShipping } from '../shippers.js';
import { collectOutbox } from './outbox.js';

/**
 * Removes up to `limit` changes of a deleted project that wait for ClickHouse, and returns their number. The plan of a shipment
 * under way counts its rows, so the rows that it names stay until it is complete. Nothing is shipped meanwhile, so no shipment
 * can begin with a row that is being removed. Parked shipments of the project will never be completed and are removed first.
 */
export const forgetOutbox = async (client: ClientBase, projectId: number, limit: number): Promise<number> => {
  const project = bound(projectId);
  await holdShipping(client);
  const { rowCount: parked } = await client.query(
    pgSql`DELETE FROM shipments WHERE project_id = ${project} AND parked_at IS NOT NULL`,
  );
  const { rowCount: replayed } = await client.query(
    pgSql`DELETE FROM outbox_replay WHERE project_id = ${project} AND id IN (
       SELECT id FROM outbox_replay WHERE project_id = ${project} LIMIT ${bound(limit)})`,
  );
  const { rowCount: waiting } = await client.query(
    pgSql`DELETE FROM outbox WHERE project_id = ${project} AND id IN (
       SELECT o.id FROM outbox o WHERE o.project_id = ${project}
         AND NOT EXISTS (SELECT FROM shipments s WHERE o.id = ANY (s.outbox_ids)) LIMIT ${bound(limit)})`,
  );
  return (parked ?? 0) + (replayed ?? 0) + (waiting ?? 0);
};

/** Says which data of the project are on their way to ClickHouse, or might be copied there by a rebuild; null if none are. */
export const mayReachClickHouse = async (postgres: Postgres, projectId: number): Promise<string | null> => {
  await collectOutbox(postgres);
  const { rows } = await postgres.query<{ shipping: boolean; copying: boolean }>(
    pgSql`SELECT EXISTS (SELECT 1 FROM outbox WHERE project_id = ${bound(projectId)}) AS shipping,
       EXISTS (SELECT 1 FROM projection_rebuilds WHERE phase IN ('copying', 'draining', 'swapping')) AS copying`,
  );
  if (rows[0]?.shipping) return 'a shipment to ClickHouse that contains changes of the project is not complete yet';
  return rows[0]?.copying ? 'the projection is being rebuilt' : null;
};
