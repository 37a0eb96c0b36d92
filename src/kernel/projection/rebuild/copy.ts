import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientBase } from 'pg';
import { ahead } from '../../../platform/work/ahead.js';
import { ClickHouseUnavailable } from '../../../platform/clickhouse/errors.js';
import { type Cargo, loggedBytes, propertiesBytes, readCargo } from '../cargo/cargo.js';
import { type Loader, chunkLengths, inChunks, shipmentLimits } from '../shipping/loader.js';
import { eventsCargo } from '../cargo/events.cargo.js';
import { groupsCargo } from '../cargo/groups.cargo.js';
import { personsCargo } from '../cargo/identity.cargo.js';
import { RecentEvents } from '../cargo/recent-events.js';
import { type RebuildCounts } from './rebuilds.repository.js';
import { type ShadowTables } from './shadow-tables.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import { topology } from '../../../platform/postgres/topology.js';

/** Lower than the number of every shipment, so that any later shipment wins. */
const version = '0';
const insertAttempts = 6;

interface Page {
  readonly key: string;
  readonly bytes: number;
}

interface Source {
  readonly cargo: Cargo;
  /** Null: groups are few beside events, and no progress is shown for them. */
  readonly counts: {
    readonly total: 'personsTotal' | 'eventsTotal';
    readonly done: 'personsDone' | 'eventsDone';
  } | null;
  readonly keys: (projectId: number) => PgSql;
  readonly total: (projectId: number) => PgSql;
}

const sources: readonly Source[] = [
  {
    cargo: groupsCargo,
    counts: null,
    keys: (id) => pgSql`SELECT actor AS key, ${propertiesBytes} AS bytes FROM groups WHERE project_id = ${bound(id)}`,
    total: (id) => pgSql`SELECT count(*) AS total FROM groups WHERE project_id = ${bound(id)}`,
  },
  {
    cargo: personsCargo,
    counts: { total: 'personsTotal', done: 'personsDone' },
    keys: (id) => pgSql`SELECT id AS key, ${propertiesBytes} AS bytes FROM persons WHERE project_id = ${bound(id)}`,
    total: (id) => pgSql`SELECT count(*) AS total FROM persons WHERE project_id = ${bound(id)}`,
  },
  {
    cargo: eventsCargo(new RecentEvents()),
    counts: { total: 'eventsTotal', done: 'eventsDone' },
    keys: (id) => pgSql`SELECT uuid AS key, ${loggedBytes} AS bytes FROM events WHERE project_id = ${bound(id)}`,
    total: (id) => pgSql`SELECT count(*) AS total FROM events WHERE project_id = ${bound(id)}`,
  },
];

export interface Copying {
  readonly loader: Loader;
  readonly shadows: ShadowTables;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly progress: (counts: RebuildCounts) => Promise<void>;
}

/**
 * Copies groups, persons and events of all projects from one snapshot. The copy contains the changes of every outbox row in the
 * same snapshot. Only two chunks are in memory at a time: one that is inserted, and the next one.
 */
export const copySnapshot = async (client: ClientBase, copying: Copying): Promise<void> => {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM projects WHERE deleted_at IS NULL ORDER BY id');
  const counts = { personsTotal: 0, personsDone: 0, eventsTotal: 0, eventsDone: 0 };
  for (const source of sources) {
    if (source.counts === null) continue;
    for (const { id } of rows) {
      const { rows: totals } = await client.query<{ total: string }>(source.total(id));
      counts[source.counts.total] += Number(totals[0]?.total ?? 0);
    }
  }
  let inserted = 0;
  for (const source of sources) {
    for (const { id } of rows) {
      const readings = readingsOf(client, source, id);
      let next = ahead(() => readings.next());
      try {
        for (;;) {
          const { done, value } = await next;
          if (done) break;
          next = ahead(() => readings.next());
          await insert(copying, source.cargo, value.rows, `${copying.token}-${(inserted += 1)}`);
          if (source.counts) counts[source.counts.done] += value.keys;
          await copying.progress(counts);
        }
      } finally {
        // The reading that runs ahead uses the connection of the snapshot, so it must end first.
        await next.catch(() => undefined);
      }
    }
  }
};

/** Returns the ids of all outbox rows, also of rows on the nodes of Citus, which keep their ids when they are collected. */
export const seenOutboxIds = async (client: ClientBase): Promise<string[]> => {
  const { nodeOutbox } = topology();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM outbox');
  const ofNodes = nodeOutbox ? (await client.query<{ id: string }>(nodeOutbox.ids)).rows : [];
  return [...rows, ...ofNodes].map(({ id }) => id);
};

const readingsOf = async function* (client: ClientBase, source: Source, projectId: number) {
  for await (const keys of chunksOf(client, source, projectId)) {
    const { rows } = await readCargo(source.cargo, client, projectId, keys, version);
    yield { rows, keys: keys.length };
  }
};

/**
 * Reads in one pass through a cursor: pages by key would each read the whole project when the planner's statistics are
 * old.
 */
const chunksOf = async function* (client: ClientBase, { keys }: Source, projectId: number): AsyncGenerator<string[]> {
  await client.query(pgSql`DECLARE keys NO SCROLL CURSOR FOR ${keys(projectId)}`);
  for (;;) {
    const { rows } = await client.query<Page>(`FETCH ${shipmentLimits.keys} FROM keys`);
    if (rows.length === 0) break;
    const lengths = chunkLengths(rows.map(({ bytes }) => bytes));
    for (const chunk of inChunks(rows, lengths)) yield chunk.map(({ key }) => key);
  }
  await client.query('CLOSE keys');
};

/** Tries again for a while: a rebuild takes long, so a short outage of ClickHouse must not undo it. */
const insert = async (
  { loader, shadows, signal }: Copying,
  { table }: Cargo,
  rows: Parameters<Loader['insert']>[1],
  token: string,
): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await loader.insert(table, rows, token, shadows.nameOf(table.name));
    } catch (error) {
      if (!(error instanceof ClickHouseUnavailable) || attempt === insertAttempts) throw error;
      await sleep(500 * 2 ** (attempt - 1), undefined, { signal });
    }
  }
};
