import { expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { memoryShares } from '../../src/platform/config/memory-shares.js';
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import { engineOf } from '../support/process.js';
import { until } from '../support/until.js';

const usedMiB = async (pid: number): Promise<number> =>
  Number(/RssAnon:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

// The status of a process can be read on Linux alone.
const onLinux = process.platform === 'linux' ? it : it.skip;

const ofEngine = [
  { name: 'with little memory', memory: memoryShares(2048 * 1024 ** 2), withinMs: 2_000 },
  { name: 'of a machine of its own', memory: memoryShares(), withinMs: 10_000 },
];

onLinux.each(ofEngine)(
  'an embedded ClickHouse $name returns what a question had',
  async ({ memory, withinMs }) => {
    const folder = await mkdtemp(join(tmpdir(), 'kohort-memory-'));
    const embeddedPath = join(folder, 'clickhouse');
    const clickhouse = await ClickHouse.open({ embeddedPath, memory }, { info: () => undefined });
    const ask = (numbers: bigint) =>
      clickhouse.query(
        sql`SELECT sum(length(numbers)) AS numbers FROM (
          SELECT groupArray(number) AS numbers FROM numbers(${unsigned(numbers)}) GROUP BY number % 400)`,
        { project: { id: 1 } },
      );
    const engine = engineOf({ pid: process.pid });
    try {
      await ask(400n);
      const before = await usedMiB(engine);
      // Its arrays have 200 MiB.
      await ask(26_000_000n);
      await until(async () => (await usedMiB(engine)) - before < 64, { withinMs });
    } finally {
      await clickhouse.close();
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
      const backend = rows[0]?.pid ?? NaN;
      const before = await usedMiB(backend);
      for (const statement of large) await client.query(statement);
      expect((await usedMiB(backend)) - before).toBeLessThan(4);
    } finally {
      await client.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  30_000,
);
