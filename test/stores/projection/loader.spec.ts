import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { migrateClickHouse } from '../../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../../src/kernel/projection/schema/migrations.js';
import { eventsTable } from '../../../src/kernel/projection/schema/projected-tables.js';
import { sql } from '../../../src/platform/clickhouse/sql.js';
import { Loader } from '../../../src/kernel/projection/shipping/loader.js';

let folder: string;
let clickhouse: ClickHouse;
let lines: Record<string, unknown>[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-loader-'));
  clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
  await migrateClickHouse(clickhouse, clickhouseMigrations);
});
afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  lines = [];
  await clickhouse.command(sql`TRUNCATE TABLE events`);
});

const loader = () =>
  new Loader(
    clickhouse,
    pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }),
  );
const row = (properties: Record<string, unknown>) => ({
  project_id: 7,
  uuid: randomUUID(),
  event: 'viewed',
  distinct_id: 'ada',
  actor: '1',
  timestamp: '2026-01-01T00:00:00.000Z',
  received_at: '2026-01-01T00:00:00.000Z',
  properties,
  version: '1',
});
/** Two keys with one path, which ClickHouse refuses. */
const poison = { 'a%2Eb': 1, 'a.b': 'secret' };

const stored = () =>
  clickhouse.query<{ uuid: string; plan: string | null }>(
    sql`SELECT uuid, getSubcolumn(properties, 'plan')::Nullable(String) AS plan FROM events ORDER BY uuid`,
    { project: 'system' },
  );
const byUuid = (a: { uuid: string }, b: { uuid: string }) => a.uuid.localeCompare(b.uuid);

describe('a row that ClickHouse refuses', () => {
  it('goes without its properties, the others with theirs, and the log names it without its content', async () => {
    const rows = Array.from({ length: 21 }, (_, n) => row(n === 3 || n === 17 ? poison : { plan: `p${n}` }));
    await loader().insert(eventsTable, rows, 'chunk');
    expect((await stored()).sort(byUuid)).toEqual(
      rows.map(({ uuid, properties }) => ({ uuid, plan: properties.plan ?? null })).sort(byUuid),
    );
    expect(lines.map(({ project, uuid }) => [project, uuid])).toEqual([
      [7, rows[3]?.uuid],
      [7, rows[17]?.uuid],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|a\.b/);
  });

  it('is there once after the chunk was repeated', async () => {
    const rows = [row(poison), row({ plan: 'pro' })];
    for (let n = 0; n < 3; n += 1) await loader().insert(eventsTable, rows, 'repeated');
    await loader().insert(eventsTable, rows.slice(1), 'repeated');
    expect(await stored()).toHaveLength(2);
  });

  it('leaves no table behind', async () => {
    await loader().insert(eventsTable, [row(poison)], 'tidy');
    expect(
      await clickhouse.query(sql`SELECT name FROM system.tables WHERE name LIKE '%trial%'`, { project: 'system' }),
    ).toEqual([]);
  });

  it('for another reason than its properties is not touched: the shipment waits', async () => {
    await expect(loader().insert(eventsTable, [row({ plan: 'pro' })], 'other', 'no_such_table')).rejects.toMatchObject({
      code: '60',
    });
    const wrong = { ...row({}), no_such_column: 1 };
    await expect(loader().insert(eventsTable, [wrong], 'column')).rejects.toMatchObject({ code: '117' });
    expect([await stored(), lines]).toEqual([[], []]);
  });
});

describe('an event that is removed', () => {
  it('is gone, and its neighbours are not', async () => {
    const rows = [row({}), row({}), row({})];
    await loader().insert(eventsTable, rows, 'remove');
    await loader().removeEvents(eventsTable, 7, [rows[1]?.uuid ?? '', randomUUID()]);
    await loader().removeEvents(eventsTable, 8, [rows[0]?.uuid ?? '']);
    expect((await stored()).map(({ uuid }) => uuid).sort()).toEqual([rows[0]?.uuid, rows[2]?.uuid].sort());
  });
});
