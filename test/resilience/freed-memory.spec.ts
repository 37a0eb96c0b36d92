import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Prints how many MiB of memory a question leaves in a process with MEMORY_BUDGET_MB, two seconds after its end. Its arrays have 200 MiB. */
const remainder = `
  import { readFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { memoryShares } from './dist/src/common/memory-shares.js';
  import { ClickHouse } from './dist/src/stores/clickhouse/client.js';
  import { sql } from './dist/src/stores/clickhouse/sql.js';
  import { unsigned } from './dist/src/stores/clickhouse/values.js';

  const usedMiB = () => Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  const clickhouse = await ClickHouse.open(
    { embeddedPath: process.argv[1], memory: memoryShares(2048 * 1024 ** 2) },
    { info: () => undefined },
  );
  const ask = (numbers) =>
    clickhouse.query(
      sql\`SELECT sum(length(numbers)) AS numbers FROM (
        SELECT groupArray(number) AS numbers FROM numbers(\${unsigned(numbers)}) GROUP BY number % 400)\`,
      { project: { id: 1 } },
    );
  await ask(400);
  const before = usedMiB();
  await ask(26_000_000);
  await sleep(2000);
  console.log(usedMiB() - before);
  await clickhouse.close();
`;

// The status of a process can be read on Linux alone.
(process.platform === 'linux' ? it : it.skip)(
  'an embedded ClickHouse with little memory returns what a question had',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kohort-memory-'));
    try {
      const program = ['--input-type=module', '-e', remainder, join(folder, 'clickhouse')];
      const { stdout } = await promisify(execFile)(process.execPath, program, {
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      expect(Number(stdout)).toBeLessThan(64);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  30_000,
);
