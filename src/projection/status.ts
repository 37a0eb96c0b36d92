import { type Queryable } from '../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../stores/postgres/sql.js';

export interface ProjectionStatus {
  /** The age of the oldest change that is not yet in ClickHouse. */
  readonly lagSeconds: number;
  readonly waitingRows: number;
  readonly waitingKeys: number;
  readonly lastShipment: { readonly number: string; readonly at: Date } | null;
  /** The shipment that is running, or was running when its process ended. */
  readonly openShipment: string | null;
  /** The process that ships; null when there is none. */
  readonly holder: string | null;
}

const selectStatus = (now: Date): PgSql => pgSql`
  SELECT w.rows, w.keys, w.oldest, s.last_shipment, s.last_shipped_at,
    (SELECT min(number) FROM shipments) AS open,
    (SELECT holder FROM leases WHERE name = ${bound(projectionLease)} AND expires_at > ${bound(now)}) AS holder
  FROM (SELECT count(*) AS rows, coalesce(sum(size), 0) AS keys, min(created_at) AS oldest FROM outbox) w
  LEFT JOIN projection_state s ON s.id = 1`;

interface StatusRow {
  rows: string;
  keys: string;
  oldest: Date | null;
  last_shipment: string | null;
  last_shipped_at: Date | null;
  open: string | null;
  holder: string | null;
}

export const projectionLease = 'projection';

export const projectionStatus = async (postgres: Queryable, now: Date): Promise<ProjectionStatus> => {
  const { rows } = await postgres.query<StatusRow>(selectStatus(now));
  const row = rows[0] as StatusRow;
  return {
    lagSeconds: row.oldest ? Math.max(0, now.getTime() - row.oldest.getTime()) / 1000 : 0,
    waitingRows: Number(row.rows),
    waitingKeys: Number(row.keys),
    lastShipment:
      row.last_shipment && row.last_shipped_at ? { number: row.last_shipment, at: row.last_shipped_at } : null,
    openShipment: row.open,
    holder: row.holder,
  };
};
