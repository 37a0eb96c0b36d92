import { type PoolClient } from 'pg';
import { type Lease } from '../../stores/postgres/lease.js';
import { type Cargo } from '../cargo/cargo.js';
import { chooseOutboxRows } from './choose.sql.js';
import { recordFailedShipment, type FailedShipment } from './failed-shipments.js';
import { outboxContents } from './outbox-contents.sql.js';
import { parkedProjects } from './parked-shipments.js';
import { keysOf, planShipment, type ChunkPlan, type OutboxContent, type Shipment } from './shipment.js';
import { type Postgres } from '../../stores/postgres/postgres.js';
import { type Stored } from '../../stores/postgres/stored.js';
import { type ShipmentRow } from './shipment.entity.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';

export const maxKeysPerShipment = 20_000;

type StoredShipment = Stored<Omit<ShipmentRow, 'chunks'>> & { readonly chunks: ChunkPlan };

/** Rows that a copying rebuild has not read must be shipped once more, into the tables that the rebuild makes. */
const queueForReplay = (outboxIds: readonly string[]): PgSql => pgSql`
  INSERT INTO outbox_replay (id, project_id, kind, refs, size, created_at)
  SELECT o.id, o.project_id, o.kind, o.refs, o.size, o.created_at
  FROM outbox o JOIN projection_rebuilds r ON r.phase = 'copying'
  WHERE o.id = ANY (${bound(outboxIds)}::bigint[]) AND NOT EXISTS (SELECT 1 FROM unnest(r.outbox_ids) AS seen (id) WHERE seen.id = o.id)`;

const recordShipment = (number: string, shippedAt: Date): PgSql => pgSql`
  INSERT INTO projection_state (id, last_shipment, last_shipped_at) VALUES (1, ${bound(number)}, ${bound(shippedAt)})
  ON CONFLICT (id) DO UPDATE SET last_shipment = excluded.last_shipment, last_shipped_at = excluded.last_shipped_at`;

/** The creation time of the first waiting row of a project of which nothing is parked. Reads one row of each project. */
const oldestNotParked: PgSql = pgSql`
  WITH RECURSIVE waiting AS (
    (SELECT project_id FROM outbox ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.project_id FROM outbox o WHERE o.project_id > w.project_id ORDER BY o.project_id LIMIT 1)
    FROM waiting w WHERE w.project_id IS NOT NULL
  )
  SELECT min(o.created_at) AS oldest FROM waiting w
  CROSS JOIN LATERAL (SELECT created_at FROM outbox WHERE project_id = w.project_id ORDER BY id LIMIT 1) o
  WHERE w.project_id NOT IN (${parkedProjects})`.named('projection-oldest-not-parked');

export interface PendingWork {
  readonly shipping: boolean;
  /** The creation time of the first waiting row. */
  readonly oldest: Date | null;
  readonly rebuild: boolean;
}

/**
 * Records which outbox rows are being shipped. Only the first open shipment is delivered, so a crash leaves one to repeat;
 * there are several only after one was divided.
 */
export class ShipmentLog {
  constructor(
    private readonly postgres: Postgres,
    private readonly lease: Lease,
    private readonly cargoes: readonly Cargo[],
  ) {}

  async pending(): Promise<PendingWork> {
    const { rows } = await this.postgres.query<PendingWork & { open: boolean; parked: boolean }>(
      pgSql`
        SELECT (SELECT created_at FROM outbox ORDER BY id LIMIT 1) AS oldest,
          EXISTS (SELECT 1 FROM shipments WHERE parked_at IS NULL) AS open,
          EXISTS (SELECT 1 FROM shipments WHERE parked_at IS NOT NULL) AS parked,
          EXISTS (SELECT 1 FROM projection_rebuilds WHERE phase IN ('requested', 'copying', 'swapping')) AS rebuild`.named(
        'projection-pending',
      ),
    );
    const { open, parked, rebuild, oldest: first } = rows[0] as (typeof rows)[number];
    const oldest = parked && first !== null ? await this.oldestNotParked() : first;
    return { shipping: open || oldest !== null, oldest, rebuild };
  }

  private async oldestNotParked(): Promise<Date | null> {
    const { rows } = await this.postgres.query<{ oldest: Date | null }>(oldestNotParked);
    return rows[0]?.oldest ?? null;
  }

  /** Returns the open shipment, or else a new one; null when nothing waits. */
  open(now: Date): Promise<Shipment | null> {
    return this.postgres.transaction(async (client) => {
      await this.lease.confirm(client);
      return (await begun(client)) ?? (await begin(client, this.cargoes, now));
    });
  }

  complete({ number, outboxIds }: Shipment, now: Date): Promise<void> {
    return this.postgres.transaction(async (client) => {
      await this.lease.confirm(client);
      await client.query(queueForReplay(outboxIds));
      await client.query(pgSql`DELETE FROM outbox WHERE id = ANY (${bound(outboxIds)}::bigint[])`);
      await client.query(pgSql`DELETE FROM shipments WHERE number = ${bound(number)}`);
      await client.query(recordShipment(number, now));
    });
  }

  /** Counts a failure whose reason lies in the shipment. */
  failed(shipment: Shipment, reason: string, now: Date): Promise<FailedShipment> {
    return this.postgres.transaction(async (client) => {
      await this.lease.confirm(client);
      return recordFailedShipment(client, this.cargoes, { shipment, reason, now });
    });
  }
}

const begun = async (client: PoolClient): Promise<Shipment | null> => {
  const { rows } = await client.query<StoredShipment>(
    'SELECT * FROM shipments WHERE parked_at IS NULL ORDER BY number LIMIT 1',
  );
  const row = rows[0];
  if (!row) return null;
  const { rows: contents } = await client.query<OutboxContent>(outboxContents(row.outbox_ids));
  return {
    number: row.number,
    claimedAt: row.claimed_at,
    outboxIds: row.outbox_ids,
    keys: keysOf(contents),
    chunks: row.chunks,
    replaces: row.replaces,
  };
};

const begin = async (client: PoolClient, cargoes: readonly Cargo[], now: Date): Promise<Shipment | null> => {
  const { rows: candidates } = await client.query<OutboxContent>(chooseOutboxRows(maxKeysPerShipment));
  if (candidates.length === 0) return null;
  const { contents, keys, chunks } = await planShipment(client, cargoes, candidates);
  const outboxIds = contents.map(({ id }) => id);
  const { rows } = await client.query<{ number: string }>(
    pgSql`
      INSERT INTO shipments (outbox_ids, chunks, claimed_at)
      VALUES (${bound(outboxIds)}, ${bound(JSON.stringify(chunks))}, ${bound(now)}) RETURNING number`,
  );
  return { number: (rows[0] as { number: string }).number, claimedAt: now, outboxIds, keys, chunks, replaces: null };
};
