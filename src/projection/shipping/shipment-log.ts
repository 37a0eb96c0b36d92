import { type PoolClient } from 'pg';
import { type Lease } from '../../stores/postgres/lease.js';
import { type Cargo } from '../cargo/cargo.js';
import { chooseOutboxRows } from './choose.sql.js';
import { keysOf, planShipment, type ChunkPlan, type OutboxContent, type Shipment } from './shipment.js';
import { type Postgres } from '../../stores/postgres/postgres.js';
import { type Stored } from '../../stores/postgres/stored.js';
import { type ShipmentRow } from './shipment.entity.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';

export const maxKeysPerShipment = 20_000;

type StoredShipment = Stored<Omit<ShipmentRow, 'chunks'>> & { readonly chunks: ChunkPlan };

const contentsOf = (outboxIds: readonly string[]): PgSql => pgSql`
  SELECT o.id, o.project_id AS "projectId", o.kind, o.refs
  FROM unnest(${bound(outboxIds)}::bigint[]) WITH ORDINALITY AS chosen (id, at) JOIN outbox o ON o.id = chosen.id
  ORDER BY chosen.at`;

/** Rows that a copying rebuild has not read must be shipped once more, into the tables that the rebuild makes. */
const queueForReplay = (outboxIds: readonly string[]): PgSql => pgSql`
  INSERT INTO outbox_replay (id, project_id, kind, refs, size, created_at)
  SELECT o.id, o.project_id, o.kind, o.refs, o.size, o.created_at
  FROM outbox o JOIN projection_rebuilds r ON r.phase = 'copying'
  WHERE o.id = ANY (${bound(outboxIds)}::bigint[]) AND NOT EXISTS (SELECT 1 FROM unnest(r.outbox_ids) AS seen (id) WHERE seen.id = o.id)`;

const recordShipment = (number: string, shippedAt: Date): PgSql => pgSql`
  INSERT INTO projection_state (id, last_shipment, last_shipped_at) VALUES (1, ${bound(number)}, ${bound(shippedAt)})
  ON CONFLICT (id) DO UPDATE SET last_shipment = excluded.last_shipment, last_shipped_at = excluded.last_shipped_at`;

export interface PendingWork {
  readonly shipping: boolean;
  /** The creation time of the first waiting row. */
  readonly oldest: Date | null;
  readonly rebuild: boolean;
}

/** Records which outbox rows are being shipped. There is at most one open shipment, so a crash leaves one to repeat. */
export class ShipmentLog {
  constructor(
    private readonly postgres: Postgres,
    private readonly lease: Lease,
    private readonly cargoes: readonly Cargo[],
  ) {}

  async pending(): Promise<PendingWork> {
    const { rows } = await this.postgres.query<PendingWork>(
      pgSql`
        SELECT oldest.at IS NOT NULL OR EXISTS (SELECT 1 FROM shipments) AS shipping, oldest.at AS oldest,
          EXISTS (SELECT 1 FROM projection_rebuilds WHERE phase IN ('requested', 'copying', 'swapping')) AS rebuild
        FROM (SELECT (SELECT created_at FROM outbox ORDER BY id LIMIT 1) AS at) AS oldest`.named('projection-pending'),
    );
    return rows[0] as PendingWork;
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
}

const begun = async (client: PoolClient): Promise<Shipment | null> => {
  const { rows } = await client.query<StoredShipment>('SELECT * FROM shipments ORDER BY number LIMIT 1');
  const row = rows[0];
  if (!row) return null;
  const { rows: contents } = await client.query<OutboxContent>(contentsOf(row.outbox_ids));
  return {
    number: row.number,
    claimedAt: row.claimed_at,
    outboxIds: row.outbox_ids,
    keys: keysOf(contents),
    chunks: row.chunks,
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
  return { number: (rows[0] as { number: string }).number, claimedAt: now, outboxIds, keys, chunks };
};
