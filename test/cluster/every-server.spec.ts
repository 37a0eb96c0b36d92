import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dropShadowTables, ShadowTables } from '../../src/kernel/projection/rebuild/shadow-tables.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { ClickHouseUnavailable } from '../../src/platform/clickhouse/errors.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { eventsTable } from '../../src/kernel/projection/schema/projected-tables.js';
import { table } from '../../src/platform/clickhouse/schema/table.js';
import { type Sql, compile, identifier, sql } from '../../src/platform/clickhouse/sql.js';
import { startClickHouseCluster, type ClickHouseCluster } from '../support/clickhouse/cluster.mjs';
import { until } from '../support/until.js';

const silent = { info: () => undefined };

let cluster: ClickHouseCluster;
let clickhouse: ClickHouse;

beforeAll(async () => {
  cluster = await startClickHouseCluster();
  clickhouse = await ClickHouse.open({ url: new URL('/tables', cluster.url), cluster: cluster.name }, silent);
  await clickhouse.createDatabase();
});
beforeEach(async () => {
  await untilWhole();
  await migrateClickHouse(clickhouse, clickhouseMigrations);
});
afterAll(async () => {
  await clickhouse.close();
  await cluster.close();
});

const untilWhole = (): Promise<void> => until(() => clickhouse.ping(1_000));

/** On one server alone. */
const ofServer = async <T>(at: number, work: (server: ClickHouse) => Promise<T>): Promise<T> => {
  const server = await ClickHouse.open({ url: new URL('/tables', cluster.urlOf(at)), cluster: null }, silent);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
};

const onEach = (question: Sql): Promise<object[][]> =>
  Promise.all([0, 1].map((at) => ofServer(at, (server) => server.query<object>(question, { project: 'system' }))));

const migrated = () => migrateClickHouse(clickhouse, clickhouseMigrations);
const tables = () =>
  onEach(sql`SELECT name, create_table_query, if(endsWith(name, '_local'), toString(uuid), '') AS uuid
    FROM system.tables WHERE database = currentDatabase() ORDER BY name`);

describe('a server that comes to the cluster later', () => {
  it('gets all tables at the next start, and the start after that changes nothing', async () => {
    const [before] = await tables();
    expect(before).toContainEqual(expect.objectContaining({ name: 'events_local' }));
    for (const { name } of (before ?? []) as { name: string }[])
      await ofServer(1, (server) => server.command(sql`DROP TABLE ${identifier(name)} SYNC`));
    expect((await tables())[1]).toEqual([]);
    expect(await migrated()).toEqual(clickhouseMigrations.map(({ name }) => name));
    expect(await tables()).toEqual([before, before]);
    expect(await migrated()).toEqual([]);
  });

  it('gets none without a UUID that is in its path', async () => {
    const [create = sql``] = table(clickhouse.form, { ...eventsTable, name: 'elsewhere' });
    const { query } = compile(create);
    const other = query.replace(/UUID '\w{4}/, "UUID 'ffff");
    for (const statement of [query.replace(/ UUID '[^']+'/, ''), other]) {
      const answer = await fetch(cluster.url, { method: 'POST', body: statement });
      expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([500, '36']);
    }
  });
});

describe('a rebuild', () => {
  const marks = () =>
    onEach(sql`SELECT name, comment FROM system.tables WHERE database = currentDatabase()
      AND name IN ('events_local', 'persons_local', 'distinct_id_overrides_local') ORDER BY name`);

  it('that is between two names is an outage for a question', async () => {
    const rename = (from: string, to: string) =>
      ofServer(1, (server) => server.command(sql`RENAME TABLE ${identifier(from)} TO ${identifier(to)}`));
    await rename('events_local', 'events_away_local');
    const question = () => clickhouse.query(sql`SELECT count() FROM events`, { project: 'system' });
    for (let turn = 0; turn < 2; turn += 1) await expect(question()).rejects.toThrow(ClickHouseUnavailable);
    await rename('events_away_local', 'events_local');
    await untilWhole();
    expect(await question()).toHaveLength(1);
  });

  it('leaves no table of its own on any server', async () => {
    await ofServer(0, (server) => server.command(sql`CREATE TABLE persons_rebuild_9_2_local (a Int8) ENGINE = Log`));
    await ofServer(1, (server) => server.command(sql`CREATE TABLE events_rebuild_9_2_local (a Int8) ENGINE = Log`));
    await dropShadowTables(clickhouse);
    const left = sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE '%_rebuild_%'`;
    expect(await onEach(left)).toEqual([[], []]);
  });

  it('that reaches one server only goes on when the other is back, and is not undone where it was done', async () => {
    const shadows = new ShadowTables(clickhouse, { number: '7', attempt: 1 });
    await shadows.create();
    await cluster.stop(1);
    await expect(shadows.exchange()).rejects.toThrow();
    await cluster.run(1);
    await untilWhole();
    await shadows.exchange();
    const exchanged = ['distinct_id_overrides_local', 'events_local', 'persons_local'].map((name) => ({
      name,
      comment: 'rebuild 7_1',
    }));
    expect(await marks()).toEqual([exchanged, exchanged]);
    await shadows.exchange();
    expect(await marks()).toEqual([exchanged, exchanged]);
  });

  it('gives its tables to a server that comes later', async () => {
    const uuids = () =>
      onEach(sql`SELECT name, toString(uuid) AS uuid FROM system.tables WHERE database = currentDatabase()
        AND name IN ('events_local', 'persons_local', 'distinct_id_overrides_local') ORDER BY name`);
    const [before = []] = await uuids();
    const shadows = new ShadowTables(clickhouse, { number: '8', attempt: 1 });
    await shadows.create();
    await shadows.exchange();
    await dropShadowTables(clickhouse);
    const [live = []] = await uuids();
    expect(live.filter((table) => before.some((other) => JSON.stringify(other) === JSON.stringify(table)))).toEqual([]);
    for (const name of ['events_local', 'persons_local', 'distinct_id_overrides_local'])
      await ofServer(1, (server) => server.command(sql`DROP TABLE ${identifier(name)} SYNC`));
    expect(await uuids()).toEqual([live, []]);
    await migrated();
    expect(await uuids()).toEqual([live, live]);
  });
});
