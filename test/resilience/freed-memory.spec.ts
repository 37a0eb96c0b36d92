import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';

/** Prints how many MiB of memory a question leaves in a process with MEMORY_BUDGET_MB, two seconds after its end. Its arrays have 200 MiB. */
const remainder = `
  import { readFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { memoryShares } from './dist/src/platform/config/memory-shares.js';
  import { ClickHouse } from './dist/src/platform/clickhouse/client.js';
  import { sql } from './dist/src/platform/clickhouse/sql.js';
  import { unsigned } from './dist/src/platform/clickhouse/values.js';

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
const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux(
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

/** A text of 30 MB, after which the allocator would keep up to twice as much; and 30 of 1 MB. */
const large = [
  `SELECT length(repeat('x', 30000000))`,
  `SELECT sum(length(piece)) FROM (SELECT repeat('x', 1000000 + n) AS piece FROM generate_series(1, 30) n ORDER BY piece DESC) p`,
];

onLinux(
  'a process of the embedded PostgreSQL with little memory returns what a statement had',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kohort-memory-'));
    const postgres = await startEmbeddedPostgres({
      dataDir,
      logger: pino({ level: 'silent' }),
      sharedPages: 32 * 1024 ** 2,
    });
    const client = new pg.Client({ connectionString: postgres.url.href });
    await client.connect();
    try {
      await client.query(`SET work_mem = '256MB'`);
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const usedMiB = async () =>
        Number(/RssAnon:\s+(\d+)/.exec(await readFile(`/proc/${rows[0]?.pid}/status`, 'utf8'))?.[1]) / 1024;
      const before = await usedMiB();
      for (const statement of large) await client.query(statement);
      expect((await usedMiB()) - before).toBeLessThan(4);
    } finally {
      await client.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  30_000,
);
