import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryShares } from '../../../src/platform/config/memory-shares.js';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { ClickHouseUnavailable, QueryTooExpensive } from '../../../src/platform/clickhouse/errors.js';
import { mostResident } from '../../../src/platform/clickhouse/embedded/settings.js';
import { sql, unsigned } from '../../../src/platform/clickhouse/sql.js';

const shares = memoryShares(768 * 1024 ** 2);
const engine = shares.engine ?? 0;
const options = { project: { id: 1 } };

let folder: string;
let clickhouse: ClickHouse;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-memory-'));
  // A question may have more here than all may have together.
  const memory = { ...shares, question: 4 * engine };
  clickhouse = await ClickHouse.open({ embeddedPath: join(folder, 'clickhouse'), memory }, { info: () => undefined });
});
afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

it('the embedded engine refuses what is more than its share, and goes on', async () => {
  const most = sql`SELECT value FROM system.server_settings WHERE name = 'max_server_memory_usage'`;
  expect(await clickhouse.query(most, options)).toEqual([{ value: String(mostResident(engine)) }]);
  const numbers = sql`SELECT length(groupArray(number)) AS n FROM numbers(60000000)`;
  const refusal = await clickhouse.query(numbers, options).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ClickHouseUnavailable);
  expect(refusal).not.toBeInstanceOf(QueryTooExpensive);
  expect(await clickhouse.query(sql`SELECT 1 AS one`, options)).toEqual([{ one: 1 }]);
});

it('the embedded engine has room for a question of half its share, although its program is in memory', async () => {
  const numbers = Math.floor(engine / 2 / 16);
  // Grows by doubling, so it has the numbers and half as many again for a moment.
  const [row] = await clickhouse.query<{ n: number }>(
    sql`SELECT length(groupArray(number)) AS n FROM numbers(${unsigned(BigInt(numbers))})`,
    options,
  );
  expect(row?.n).toBe(numbers);
});

it('the embedded engine merges few parts at a time, in small blocks and column by column', async () => {
  const settings = sql`SELECT name, value FROM system.merge_tree_settings
    WHERE name IN ('max_parts_to_merge_at_once', 'merge_max_block_size', 'min_columns_to_activate_adaptive_write_buffer',
      'vertical_merge_algorithm_min_rows_to_activate')
    ORDER BY name`;
  expect(await clickhouse.query(settings, options)).toEqual([
    { name: 'max_parts_to_merge_at_once', value: '4' },
    { name: 'merge_max_block_size', value: '1024' },
    { name: 'min_columns_to_activate_adaptive_write_buffer', value: '1' },
    { name: 'vertical_merge_algorithm_min_rows_to_activate', value: '1' },
  ]);
  const server = sql`SELECT name, value FROM system.server_settings
    WHERE name IN ('background_merges_mutations_concurrency_ratio', 'merges_mutations_memory_usage_soft_limit') ORDER BY name`;
  expect(await clickhouse.query(server, options)).toEqual([
    { name: 'background_merges_mutations_concurrency_ratio', value: '1' },
    { name: 'merges_mutations_memory_usage_soft_limit', value: String(Math.round(engine / 4)) },
  ]);
});
