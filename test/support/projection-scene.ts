import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, type PoolClient } from 'pg';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { entities } from '../../src/app/entities.js';
import { eventsWithActor } from '../../src/kernel/projection/actors.sql.js';
import { Loader } from '../../src/kernel/projection/shipping/loader.js';
import { collectOutbox } from '../../src/kernel/projection/outbox/outbox.js';
import { enqueue, type OutboxEntry } from '../../src/kernel/projection/outbox/outbox.js';
import { RecentEvents } from '../../src/kernel/projection/cargo/recent-events.js';
import { cargoesOf } from '../../src/kernel/projection/shipping/shipment.js';
import { ShipmentsRepository } from '../../src/kernel/projection/shipping/shipments.repository.js';
import { Shipper } from '../../src/kernel/projection/shipping/shipper.js';
import { shipperLease } from '../../src/kernel/projection/shippers.js';
import { upsertGate } from '../../src/kernel/projects/projects.repository.js';
import { inTransaction } from '../../src/platform/postgres/transaction.js';
import { type ClickHouse } from '../../src/platform/clickhouse/client.js';
import { sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { migrateStores } from '../../src/kernel/projection/identity/migrate-stores.js';
import { openStores, type Stores } from '../../src/kernel/stores/open-stores.js';
import { type Lease } from '../../src/platform/postgres/lease.js';
import { type Postgres } from '../../src/platform/postgres/postgres.js';
import { freshStores } from './fresh-stores.js';
import { insertProject } from './insert-project.js';

export interface SceneEvent {
  readonly distinctId?: string;
  readonly event?: string;
  readonly uuid?: string;
  readonly properties?: object;
  readonly timestamp?: Date;
}

export const silentLogger = createLogger({ logLevel: 'silent' });

/** Both stores, and the writers that the persons and events modules would be. */
export class Scene {
  private constructor(
    readonly env: Readonly<Record<string, string>>,
    private readonly stores: Stores,
    private readonly remove: () => Promise<void>,
  ) {}

  static async open(): Promise<Scene> {
    const fresh = await freshStores();
    return Scene.at(fresh.env, () => fresh.remove());
  }

  static async at(env: Readonly<Record<string, string>>, remove: () => Promise<void>): Promise<Scene> {
    const stores = await openStores(loadConfig({ NODE_ENV: 'test', ...env }), silentLogger, entities, migrateStores);
    return new Scene(env, stores, remove);
  }

  get clickhouse(): ClickHouse {
    return this.stores.clickhouse;
  }

  get postgres(): Postgres {
    return this.stores.postgres;
  }

  get pool(): Pool {
    return this.postgres.pool;
  }

  async close(): Promise<void> {
    await this.stores.close();
    await this.remove();
  }

  newProject(): Promise<number> {
    return newProject(this.pool);
  }

  addEvents(projectId: number, events: readonly SceneEvent[], now?: Date): Promise<string[]> {
    return addEvents(this.pool, projectId, events, now);
  }

  /** Writes and tells the outbox, in one transaction. */
  write<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return inTransaction(this.pool, work);
  }

  tell(client: PoolClient, projectId: number, entry: OutboxEntry): Promise<void> {
    return enqueue(client, projectId, [entry], new Date());
  }

  addPerson(projectId: number, distinctIds: readonly string[], properties: object = {}): Promise<string> {
    return this.write(async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO persons (project_id, uuid, properties, is_identified, created_at)
         VALUES ($1, $2, $3, true, $4) RETURNING id`,
        [projectId, randomUUID(), JSON.stringify(properties), new Date()],
      );
      const id = rows[0]?.id ?? '';
      await client.query(
        `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id) SELECT $1, unnest($2::text[]), $3`,
        [projectId, distinctIds, id],
      );
      await this.tell(client, projectId, { kind: 'persons', refs: [id] });
      return id;
    });
  }

  /** As a merge or split does: the past events of these ids are another person's now. */
  giveDistinctIds(projectId: number, distinctIds: readonly string[], personId: string): Promise<void> {
    return this.write(async (client) => {
      await client.query(
        `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id) SELECT $1, unnest($2::text[]), $3
         ON CONFLICT (project_id, distinct_id) DO UPDATE SET person_id = excluded.person_id`,
        [projectId, distinctIds, personId],
      );
      await this.tell(client, projectId, { kind: 'distinct_ids', refs: distinctIds });
    });
  }

  deletePerson(projectId: number, personId: string): Promise<void> {
    return this.write(async (client) => {
      const { rows } = await client.query<{ distinct_id: string }>(
        'DELETE FROM person_distinct_ids WHERE project_id = $1 AND person_id = $2 RETURNING distinct_id',
        [projectId, personId],
      );
      await client.query('DELETE FROM persons WHERE project_id = $1 AND id = $2', [projectId, personId]);
      await this.tell(client, projectId, { kind: 'persons', refs: [personId] });
      await this.tell(client, projectId, { kind: 'distinct_ids', refs: rows.map((row) => row.distinct_id) });
    });
  }

  /** A shipper as its own process would have it. */
  shipper(
    Kind: typeof Shipper = Shipper,
    ttlMs?: number,
  ): { shipper: Shipper; lease: Lease; shipAll(): Promise<void> } {
    const lease = shipperLease(this.pool, { ttlMs });
    const cargoes = cargoesOf(new RecentEvents());
    const { ownership } = this.clickhouse;
    const log = new ShipmentsRepository(this.postgres, lease, cargoes, { ownership });
    const shipper = new Kind(
      this.postgres,
      lease,
      log,
      new Loader(this.clickhouse, silentLogger),
      cargoes,
      silentLogger,
    );
    const shipAll = async () => {
      await collectOutbox(this.postgres);
      while (!(await lease.acquire())) await sleep(20);
      try {
        while (await shipper.ship(() => new Date()));
      } finally {
        await lease.release();
      }
    };
    return { shipper, lease, shipAll };
  }

  shipAll(): Promise<void> {
    return this.shipper().shipAll();
  }

  /** What questions see. */
  async actors(projectId: number): Promise<Map<string, string>> {
    const rows = await this.clickhouse.query<{ uuid: string; actor: string }>(
      sql`SELECT uuid, toString(actor) AS actor FROM ${eventsWithActor(projectId)}`,
      { project: 'system', maxResultRows: 1_000_000 },
    );
    return new Map(rows.map(({ uuid, actor }) => [uuid, actor]));
  }

  async eventCount(projectId: number): Promise<number> {
    const rows = await this.clickhouse.query<{ n: number }>(
      sql`SELECT count() AS n FROM events WHERE project_id = ${unsigned(projectId)}`,
      { project: 'system' },
    );
    return rows[0]?.n ?? 0;
  }

  async outboxSize(): Promise<number> {
    await collectOutbox(this.postgres);
    const { rows } = await this.pool.query<{ n: string }>('SELECT count(*) AS n FROM outbox');
    return Number(rows[0]?.n);
  }

  async untilShipped(withinMs = 10_000): Promise<void> {
    const started = Date.now();
    while ((await this.outboxSize()) > 0) {
      if (Date.now() - started > withinMs) throw new Error(`the outbox was not empty within ${withinMs} ms`);
      await sleep(10);
    }
  }
}

export const newProject = async (pool: Pool): Promise<number> => {
  const id = await insertProject(pool);
  await inTransaction(pool, (client) => upsertGate(client, id));
  return id;
};

export const addEvents = (
  pool: Pool,
  projectId: number,
  events: readonly SceneEvent[],
  now = new Date(),
): Promise<string[]> =>
  inTransaction(pool, async (client) => {
    const rows = events.map(({ uuid, event, distinctId, properties, timestamp }) => ({
      uuid: uuid ?? randomUUID(),
      event: event ?? 'viewed',
      distinct_id: distinctId ?? 'ada',
      timestamp: timestamp ?? now,
      properties: properties ?? {},
    }));
    await client.query(
      `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
       SELECT $1, e.uuid, e.event, e.distinct_id, e.timestamp, $3, e.properties
       FROM json_to_recordset($2::json)
         AS e (uuid uuid, event text, distinct_id text, timestamp timestamptz, properties jsonb)`,
      [projectId, JSON.stringify(rows), now],
    );
    const refs = rows.map(({ uuid }) => uuid);
    await enqueue(client, projectId, [{ kind: 'events', refs }], now);
    return refs;
  });
