import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { sql, unsigned } from '../../platform/clickhouse/sql.js';
import { unavailable } from '../../platform/errors/problem.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { unfinished } from './rebuild/rebuilds.repository.js';

export interface ShippedPosition {
  /** All events of the project with this shipment or an earlier one are in ClickHouse, and none will join them. */
  readonly shipment: string;
  /** The last rebuild. It gives its events shipment 0. */
  readonly rebuild: string;
}

/** Returns a position after which later events come. Two shipments of a project are never open at the same time. */
export const shippedPosition = async (
  postgres: Postgres,
  clickhouse: ClickHouse,
  project: { readonly id: number },
): Promise<ShippedPosition> => {
  // Read first: a shipment whose rows are seen here is open in what is read next, or complete.
  const [seen] = await clickhouse.query<{ newest: string }>(
    sql`SELECT toString(max(e.version)) AS newest FROM events AS e WHERE e.project_id = ${unsigned(project.id)}`,
    { project },
  );
  const { rows } = await postgres.query<{ open: string | null; rebuild: string; rebuilding: boolean }>(
    pgSql`SELECT (SELECT min(number) FROM shipments WHERE ${bound(project.id)}::integer = ANY (projects)) AS open,
       coalesce((SELECT max(number) FROM projection_rebuilds WHERE phase = 'done'), 0) AS rebuild,
       EXISTS (SELECT FROM projection_rebuilds WHERE ${unfinished}) AS rebuilding`,
  );
  const { open = null, rebuild = '0', rebuilding = false } = rows[0] ?? {};
  if (rebuilding) throw unavailable('ClickHouse is being rebuilt');
  const newest = BigInt(seen?.newest ?? 0);
  const shipment = open === null || newest < BigInt(open) ? newest : BigInt(open) - 1n;
  return { shipment: String(shipment), rebuild };
};
