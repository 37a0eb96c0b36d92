import { isHeldUntil } from '../../platform/postgres/lease.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { collectOutbox } from './outbox/outbox.js';
import { parkedShipments, type ParkedShipment } from './shipping/parked-shipments.js';
import { shippers } from './shippers.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

export interface ProjectionStatus {
  /** The age of the oldest change that is not yet in ClickHouse. */
  readonly lagSeconds: number;
  readonly waitingRows: number;
  readonly waitingKeys: number;
  readonly lastShipment: { readonly number: string; readonly at: Date } | null;
  /** The shipment that is running, or was running when its process ended. */
  readonly openShipment: string | null;
  /** The process that rebuilds; null when there is none. */
  readonly holder: string | null;
  /** The number of processes that ship. */
  readonly shippers: number;
  /** Shipments that wait for `projection retry`. All later changes of their projects wait for them. */
  readonly parked: readonly ParkedShipment[];
}

export const rebuildLeaseName = 'projection';

const selectStatus: PgSql = pgSql`
  SELECT w.rows, w.keys, w.oldest_ms, s.last_shipment, s.last_shipped_at,
    (SELECT min(number) FROM shipments WHERE parked_at IS NULL) AS open,
    (SELECT holder FROM leases WHERE name = ${bound(rebuildLeaseName)} AND ${isHeldUntil(pgSql`expires_at`)}) AS holder,
    (SELECT count(*)::integer FROM ${shippers}) AS shippers
  FROM (SELECT count(*) AS rows, coalesce(sum(size), 0) AS keys, 
      extract(epoch FROM clock_timestamp() - min(created_at))::double precision * 1000 AS oldest_ms
    FROM outbox) w
  LEFT JOIN projection_state s ON s.id = 1`;

interface StatusRow {
  rows: string;
  keys: string;
  oldest_ms: number | null;
  last_shipment: string | null;
  last_shipped_at: Date | null;
  open: string | null;
  holder: string | null;
  shippers: number;
}

export const projectionStatus = async (postgres: Postgres): Promise<ProjectionStatus> => {
  await collectOutbox(postgres);
  const { rows } = await postgres.query<StatusRow>(selectStatus);
  const parked = await parkedShipments(postgres);
  const row = rows[0] as StatusRow;
  return {
    lagSeconds: Math.max(0, row.oldest_ms ?? 0) / 1000,
    waitingRows: Number(row.rows),
    waitingKeys: Number(row.keys),
    lastShipment:
      row.last_shipment && row.last_shipped_at ? { number: row.last_shipment, at: row.last_shipped_at } : null,
    openShipment: row.open,
    holder: row.holder,
    shippers: row.shippers,
    parked,
  };
};
