import { type PgSql, bound, pgSql } from '../../../platform/postgres/sql.js';
import { parkedProjects } from './parked-shipments.js';
import { forgetDeadShippers, holdShipping, shippers } from '../shippers.js';
import { type PoolClient } from 'pg';
import { type Ownership } from '../../../platform/clickhouse/ownership.js';
import { type Lease, LeaseLost, isHeldUntil } from '../../../platform/postgres/lease.js';
import { serverStart } from '../identity/recorded-identity.js';
import { notify } from '../../../platform/postgres/notices.js';
import { type Cargo } from '../cargo/cargo.js';
import { type FailedShipment, recordFailedShipment } from './divide-or-park.js';
import { outboxContents } from './outbox-contents.sql.js';
import { collectOutbox } from '../outbox/outbox.js';
import { type ChunkPlan, type OutboxContent, type Shipment, keysOf, planShipment } from './shipment.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { type Stored } from '../../../platform/postgres/stored.js';
import { type ShipmentRow } from './shipment.entity.js';

/**
 * Chooses the next rows of the projects that have any, up to `maxKeys` keys in all: a project with few rows gets all of them
 * shipped, a project with many gets an equal share, and a project with an open or parked shipment gets nothing. The first row
 * is taken however large it is. Each process takes its share of the projects, first those that have waited longest, and leaves
 * the rest to the other processes.
 */
const chooseOutboxRows = (maxKeys: number): PgSql => {
  const most = bound(maxKeys);
  return pgSql`
  WITH RECURSIVE waiting AS (
    (SELECT project_id FROM outbox ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.project_id FROM outbox o WHERE o.project_id > w.project_id ORDER BY o.project_id LIMIT 1)
    FROM waiting w WHERE w.project_id IS NOT NULL
  ), shippable AS (
    SELECT project_id FROM waiting WHERE project_id IS NOT NULL AND project_id NOT IN (${parkedProjects})
  ), chosen AS (
    SELECT project_id FROM shippable
    WHERE project_id NOT IN (SELECT unnest(projects) FROM shipments WHERE parked_at IS NULL)
    ORDER BY (SELECT min(o.id) FROM outbox o WHERE o.project_id = shippable.project_id)
    LIMIT (SELECT ceil(count(*) / (SELECT greatest(1, count(*)) FROM ${shippers})::numeric) FROM shippable)
  ), candidates AS (
    SELECT o.id, o.size, sum(o.size) OVER (PARTITION BY c.project_id ORDER BY o.id) - o.size AS before
    FROM chosen c
    CROSS JOIN LATERAL (
      SELECT id, size FROM outbox WHERE project_id = c.project_id ORDER BY id
      LIMIT (SELECT greatest(20, 2 * ${most}::bigint / count(*)) FROM chosen)
    ) o
  ), ranked AS (
    SELECT id, before, sum(size) OVER (ORDER BY before, id) - size AS chosen FROM candidates
  )
  SELECT o.id, o.project_id AS "projectId", o.kind, o.refs
  FROM ranked r JOIN outbox o ON o.id = r.id
  WHERE r.chosen < ${most}
  ORDER BY r.before, r.id`.named('projection-choose');
};

export const maxKeysPerShipment = 20_000;

type StoredShipment = Stored<Omit<ShipmentRow, 'chunks'>> & { readonly chunks: ChunkPlan };

/**
 * Keeps shipped rows that a running rebuild has not read, because they must be shipped once more, into the tables that the
 * rebuild makes. Before its snapshot a rebuild has no outbox ids, and nothing is kept: the snapshot contains all that is
 * complete before it.
 */
const queueForReplay = (outboxIds: readonly string[]): PgSql => pgSql`
  INSERT INTO outbox_replay (id, project_id, kind, refs, size, created_at)
  SELECT o.id, o.project_id, o.kind, o.refs, o.size, o.created_at
  FROM outbox o JOIN projection_rebuilds r ON r.phase IN ('copying', 'draining') AND r.outbox_ids IS NOT NULL
  WHERE o.id = ANY (${bound(outboxIds)}::bigint[]) AND NOT EXISTS (SELECT 1 FROM unnest(r.outbox_ids) AS seen (id) WHERE seen.id = o.id)`;

const recordShipment = (number: string, shippedAt: Date): PgSql => pgSql`
  INSERT INTO projection_state AS s (id, last_shipment, last_shipped_at) VALUES (1, ${bound(number)}, ${bound(shippedAt)})
  ON CONFLICT (id) DO UPDATE SET last_shipment = greatest(s.last_shipment, excluded.last_shipment), last_shipped_at = excluded.last_shipped_at`;

/** The creation time of the oldest waiting row, without projects that have a parked shipment. Reads one row of each project. */
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

interface PendingWork {
  readonly shipping: boolean;
  /** The creation time of the first waiting row. */
  readonly oldest: Date | null;
  readonly rebuild: boolean;
  /** The number of processes that ship. */
  readonly shippers: number;
}

/**
 * Records which outbox rows are being shipped, and by which process. Each process delivers only the first of its open
 * shipments, so a crash leaves one to repeat; a process has several only after a shipment was divided, or after it took over
 * the shipments of another process.
 */
export class ShipmentsRepository {
  private readonly sole: boolean;
  private readonly ownership: Ownership | null;

  constructor(
    private readonly postgres: Postgres,
    private readonly lease: Lease,
    private readonly cargoes: readonly Cargo[],
    {
      sole = false,
      ownership = null,
    }: {
      /** True if no other process can ship, so that the holder of a started shipment has ended. */
      readonly sole?: boolean;
      readonly ownership?: Ownership | null;
    } = {},
  ) {
    this.sole = sole;
    this.ownership = ownership;
  }

  async pending(): Promise<PendingWork> {
    await collectOutbox(this.postgres);
    const { rows } = await this.postgres.query<PendingWork & { open: boolean; parked: boolean }>(
      pgSql`
        SELECT (SELECT created_at FROM outbox ORDER BY id LIMIT 1) AS oldest,
          EXISTS (SELECT 1 FROM shipments WHERE parked_at IS NULL) AS open,
          EXISTS (SELECT 1 FROM shipments WHERE parked_at IS NOT NULL) AS parked,
          EXISTS (SELECT 1 FROM projection_rebuilds WHERE phase IN ('requested', 'copying', 'draining', 'swapping')) AS rebuild,
          (SELECT count(*)::integer FROM ${shippers}) AS shippers`.named('projection-pending'),
    );
    const { open, parked, rebuild, shippers: count, oldest: first } = rows[0] as (typeof rows)[number];
    const oldest = parked && first !== null ? await this.oldestNotParked() : first;
    return { shipping: open || oldest !== null, oldest, rebuild, shippers: count };
  }

  private async oldestNotParked(): Promise<Date | null> {
    const { rows } = await this.postgres.query<{ oldest: Date | null }>(oldestNotParked);
    return rows[0]?.oldest ?? null;
  }

  forgetDeadShippers(): Promise<void> {
    return forgetDeadShippers(this.postgres, this.sole);
  }

  /** Returns an open shipment, or else a new one; null when all waiting rows are shipped by other processes, or none waits. */
  open(now: Date): Promise<Shipment | null> {
    return this.postgres.transaction(async (client) => {
      await holdShipping(client);
      await this.lease.confirm(client);
      const { phase: ending, ...recorded } = await projectionNow(client);
      // Another database has become the projection since this process looked, or a newer release has migrated it, or this
      // PostgreSQL may have lost what another server has acknowledged.
      if (this.ownership?.agrees(recorded) === false) return null;
      // A parked shipment may be tried again at any moment, also while the tables are exchanged.
      if (ending === 'swapping') return null;
      return (await this.takeOver(client)) ?? (ending === null ? await this.start(client, now) : null);
    });
  }

  complete({ number, outboxIds }: Shipment, now: Date): Promise<void> {
    const confirmed = this.ownership?.confirm();
    confirmed?.catch(() => undefined);
    return this.postgres.transaction(async (client) => {
      await holdShipping(client);
      await this.confirm(client, number);
      await confirmed;
      await client.query(queueForReplay(outboxIds));
      await client.query(pgSql`DELETE FROM outbox WHERE id = ANY (${bound(outboxIds)}::bigint[])`);
      await client.query(pgSql`DELETE FROM shipments WHERE number = ${bound(number)}`);
      await client.query(recordShipment(number, now));
      if (!this.sole) await notify(client, 'kohort_shipped');
    });
  }

  /** Counts a failure whose reason is in the shipment. */
  failed(shipment: Shipment, reason: string, now: Date): Promise<FailedShipment> {
    return this.postgres.transaction(async (client) => {
      await holdShipping(client);
      await this.confirm(client, shipment.number);
      return recordFailedShipment(client, this.cargoes, { shipment, reason, now });
    });
  }

  /** Throws when another process has taken over the shipment. */
  private async confirm(client: PoolClient, number: string): Promise<void> {
    const { rowCount } = await client.query(
      pgSql`SELECT FROM shipments WHERE number = ${bound(number)} AND holder = ${bound(this.lease.holder)}`,
    );
    if (rowCount === 0) throw new LeaseLost(this.lease.name);
  }

  /** Takes the first open shipment that this process has started, or whose process is gone. */
  private async takeOver(client: PoolClient): Promise<Shipment | null> {
    const { holder } = this.lease;
    const { rows } = await client.query<StoredShipment>(
      pgSql`
        UPDATE shipments SET holder = ${bound(holder)} WHERE number = (
          SELECT number FROM shipments AS s WHERE parked_at IS NULL AND (
            holder = ${bound(holder)} OR ${bound(this.sole)}
            OR NOT EXISTS (SELECT FROM leases AS l WHERE l.holder = s.holder AND ${isHeldUntil(pgSql`l.expires_at`)}))
          ORDER BY number LIMIT 1)
        RETURNING *`,
    );
    return rows[0] ? await shipmentOf(client, rows[0]) : null;
  }

  private async start(client: PoolClient, now: Date): Promise<Shipment | null> {
    const { rows: candidates } = await client.query<OutboxContent>(chooseOutboxRows(maxKeysPerShipment));
    if (candidates.length === 0) return null;
    const { contents, keys, chunks } = await planShipment(client, this.cargoes, candidates);
    const outboxIds = contents.map(({ id }) => id);
    const projects = [...new Set(contents.map(({ projectId }) => projectId))];
    const { rows } = await client.query<{ number: string }>(
      pgSql`
        INSERT INTO shipments (outbox_ids, chunks, claimed_at, holder, projects)
        VALUES (${bound(outboxIds)}, ${bound(JSON.stringify(chunks))}, ${bound(now)}, ${bound(this.lease.holder)}, ${bound(projects)})
        RETURNING number`,
    );
    return { number: (rows[0] as { number: string }).number, claimedAt: now, outboxIds, keys, chunks, replaces: null };
  }
}

interface ProjectionNow {
  /** The phase of a rebuild that waits for the shipments of all processes, or exchanges the tables. */
  readonly phase: 'draining' | 'swapping' | null;
  readonly generation: number;
  readonly version: number;
  readonly server: string;
}

const projectionNow = async (client: PoolClient): Promise<ProjectionNow> => {
  const { rows } = await client.query<ProjectionNow>(
    pgSql`SELECT (SELECT phase FROM projection_rebuilds WHERE phase IN ('draining', 'swapping') LIMIT 1) AS phase,
       coalesce((SELECT generation FROM projection_state WHERE id = 1), 0) AS generation,
       coalesce((SELECT version FROM projection_state WHERE id = 1), 0) AS version, ${serverStart} AS server`,
  );
  return rows[0] as ProjectionNow;
};

const shipmentOf = async (client: PoolClient, row: StoredShipment): Promise<Shipment> => {
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
