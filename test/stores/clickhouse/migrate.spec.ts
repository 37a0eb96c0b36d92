import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startClickHouseServer, type ClickHouseServer } from '../../support/clickhouse/server.mjs';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { compile, sql } from '../../../src/platform/clickhouse/sql.js';
import { migrateClickHouse, SchemaTooNew, type Migration } from '../../../src/platform/clickhouse/schema/migrate.js';
import { onCluster, storedTable, table } from '../../../src/platform/clickhouse/schema/table.js';

const silent = { info: () => undefined };

const events = {
  name: 'events',
  columns: sql`project_id UInt32, at DateTime64(3, 'UTC'), actor UInt64, version UInt64`,
  engine: 'ReplacingMergeTree',
  engineArguments: sql`version`,
  partitionBy: sql`toYYYYMM(at)`,
  orderBy: sql`project_id, at, actor`,
  shardBy: sql`actor`,
  settings: sql`index_granularity = 4096`,
} as const;

const history: readonly Migration[] = [
  { version: 1, name: 'events', statements: (form) => table(form, events) },
  {
    version: 2,
    name: 'events have a name',
    statements: (form) => [
      sql`ALTER TABLE ${storedTable(form, 'events')}${onCluster(form)} ADD COLUMN IF NOT EXISTS event String`,
    ],
  },
];

describe.each(['embedded', 'over HTTP'])('ClickHouse migrations %s', (form) => {
  let folder: string;
  let server: ClickHouseServer | null = null;
  let clickhouse: ClickHouse;

  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'kohort-clickhouse-'));
    if (form === 'over HTTP') server = await startClickHouseServer({ path: folder });
    const options = server ? { url: new URL('/migrate', server.url), cluster: null } : { embeddedPath: folder };
    clickhouse = await ClickHouse.open(options, silent);
    await clickhouse.createDatabase();
  });

  afterAll(async () => {
    await clickhouse.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('run once, in order, and later only what is new', async () => {
    expect(await migrateClickHouse(clickhouse, history.slice(0, 1))).toEqual(['events']);
    expect(await migrateClickHouse(clickhouse, history)).toEqual(['events have a name']);
    expect(await migrateClickHouse(clickhouse, history)).toEqual([]);
    await clickhouse.insert('events', [{ project_id: 1, at: new Date(0), actor: 1, version: 1, event: 'x' }]);
    expect(await clickhouse.query(sql`SELECT event FROM events`, { project: 'system' })).toEqual([{ event: 'x' }]);
  });

  it('survive a second process that starts at the same time', async () => {
    await clickhouse.command(sql`DROP TABLE schema_migrations SYNC`);
    await Promise.all([migrateClickHouse(clickhouse, history), migrateClickHouse(clickhouse, history)]);
    expect(await migrateClickHouse(clickhouse, history)).toEqual([]);
  });

  it('refuse a database that a newer release has written', async () => {
    await migrateClickHouse(clickhouse, history);
    const older = migrateClickHouse(clickhouse, history.slice(0, 1));
    await expect(older).rejects.toThrow(SchemaTooNew);
    await expect(older).rejects.toThrow(/has version 2, this release knows 1/);
  });

  const oneLacks = (tables: object) =>
    new Proxy(clickhouse, {
      get: (_, name) => {
        if (name === 'form') return { cluster: 'three', textIndexes: true };
        if (name !== 'query') throw new Error(`${String(name)} was not expected`);
        return () => Promise.resolve([{ name: 'events_local', without: 1, ...tables }]);
      },
    });

  it('do not begin an empty table beside those that a new replica cannot both join', async () => {
    const uuids = ['a', 'b'];
    const unjoinable = migrateClickHouse(oneLacks({ uuids }), history);
    await expect(unjoinable).rejects.toThrow(/events_local is not the same table on all servers/);
    await expect(migrateClickHouse(oneLacks({ uuids, without: 0 }), history)).rejects.toThrow('was not expected');
  });

  it('refuse a list with a hole', async () => {
    await expect(migrateClickHouse(clickhouse, history.slice(1))).rejects.toThrow(/1 was expected/);
  });

  it('make statements for a cluster that ClickHouse can parse', async () => {
    const known = '0198a7b6-0000-4000-8000-00000000000f';
    const cluster = { cluster: "three's", textIndexes: true, uuids: new Map([['events_local', known]]) };
    const statements = history.flatMap((migration) => migration.statements(cluster));
    expect(statements).toHaveLength(3);
    for (const statement of statements) {
      await clickhouse.command(sql`EXPLAIN AST ${statement}`);
    }
    expect(compile(statements[0] ?? sql``).query).toContain(` UUID '${known}' ON CLUSTER `);
    expect(compile(statements[0] ?? sql``).query).toContain(
      `('/clickhouse/tables/${known}/{shard}', '{replica}', version)`,
    );
    await expect(clickhouse.command(sql`EXPLAIN AST CREATE TABLE t ON CLUSTER`)).rejects.toMatchObject({ code: '62' });
  });
});
