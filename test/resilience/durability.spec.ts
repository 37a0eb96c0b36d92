import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { type ReadyDto } from '../../src/operations/health/health.dto.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { PostgresWith } from '../support/postgres-with.js';
import { bootstrapFile, launch, removeDir, start, tempDir, terminate, untilReady } from '../support/process.js';
import { startTestService, type TestService } from '../support/service.js';
import { Traffic } from '../support/traffic.js';

const fault = 'a crash of PostgreSQL can lose what was acknowledged: set synchronous_commit to on';
const commitSetting = `SELECT current_setting('synchronous_commit') AS commit`;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const folder = async (): Promise<string> => {
  const path = await tempDir();
  closers.push(() => removeDir(path));
  return path;
};

describe('a server that acknowledges before a change is on its disk', () => {
  const log: string[] = [];
  let service: TestService;

  const ready = async () => {
    const { status, body } = await service.call('GET', '/_readyz', { key: null });
    return { status, ...(body as ReadyDto).checks.postgres };
  };
  const gauge = async () =>
    /^kohort_postgres_fault\{fault="synchronous_commit"\} (\d)$/m.exec(
      (await service.call('GET', '/metrics', { key: null })).text,
    )?.[1];

  // The role of the tests has synchronous_commit = off, as ALTER ROLE sets it.
  describe('and is taken as it is', () => {
    beforeAll(async () => {
      const logger = createLogger({ logLevel: 'warn' }, { write: (line) => log.push(line) > 0 });
      service = await startTestService({ ALLOW_UNSAFE_DATABASE: '1' }, logger);
    });
    afterAll(() => service.stop());

    it('is in the log of the start, in the answer about readiness, and in the metrics', async () => {
      expect(log.filter((line) => line.includes(fault))).toHaveLength(1);
      expect(await ready()).toEqual({ status: 200, ok: true, detail: expect.stringContaining(fault) });
      expect(await gauge()).toBe('1');
    });
  });

  const isServerOfRunSafe = !process.env.TEST_SERVERS;
  (isServerOfRunSafe ? describe : describe.skip)('and is not taken as it is', () => {
    beforeAll(async () => {
      service = await startTestService({ ALLOW_UNSAFE_DATABASE: '0' });
    });
    afterAll(() => service.stop());

    it('waits for its disk in all sessions of the service', async () => {
      expect(await ready()).toEqual({ status: 200, ok: true, detail: expect.not.stringContaining(fault) });
      expect(await gauge()).toBe('0');
      const postgres = service.app.get(Postgres);
      expect((await postgres.query(commitSetting)).rows).toEqual([{ commit: 'on' }]);
    });
  });
});

describe('a transaction', () => {
  // A pooler gives it a session that has never heard of this service.
  it.each([
    ['off', 'on'],
    ['on', 'on'],
    ['local', 'local'],
    ['remote_write', 'remote_write'],
    ['remote_apply', 'remote_apply'],
  ])('in a session with synchronous_commit %s commits with %s, and leaves the session as it was', async (set, used) => {
    const pool = new Pool({ connectionString: process.env.TEST_POSTGRES, max: 1 });
    closers.push(() => pool.end());
    await pool.query(`SET synchronous_commit = ${set}`);
    const { rows } = await new Postgres(pool).transaction((client) => client.query(commitSetting));
    expect(rows).toEqual([{ commit: used }]);
    expect((await pool.query(commitSetting)).rows).toEqual([{ commit: set }]);
  });
});

describe('an immediate stop of a server', () => {
  it('loses no acknowledged event where role, database and server say synchronous_commit = off', async () => {
    const dir = await folder();
    // It writes its log by itself only long after the test.
    const settings = { synchronous_commit: 'off', wal_writer_delay: '10s', wal_writer_flush_after: '0' };
    const server = await PostgresWith.start(join(dir, 'postgres'), settings);
    closers.push(() => server.stop());
    const pool = new Pool({ connectionString: server.url.href, max: 1 });
    pool.on('error', () => undefined);
    closers.push(() => pool.end());
    await pool.query('ALTER DATABASE kohort SET synchronous_commit = off');
    await pool.query('ALTER ROLE kohort SET synchronous_commit = off');
    const dataDir = join(dir, 'service');
    const service = await start({ DATA_DIR: dataDir, DATABASE_URL: server.url.href });
    closers.push(() => terminate(service));
    const traffic = new Traffic(service, await bootstrapFile(dataDir));
    for (let n = 0; n < 20; n += 1) expect(await traffic.capture(3)).toMatchObject({ status: 200 });
    await server.crash();
    const { rows } = await pool.query(`SELECT count(*)::integer AS events FROM events WHERE event = 'seen'`);
    expect(rows).toEqual([{ events: 60 }]);
  }, 60_000);
});

describe('a server with fsync off', () => {
  it('is refused at the start, unless a setting allows it', async () => {
    const dir = await folder();
    const server = await PostgresWith.start(join(dir, 'postgres'), { fsync: 'off', full_page_writes: 'off' });
    closers.push(() => server.stop());
    const env = { DATA_DIR: join(dir, 'service'), DATABASE_URL: server.url.href, LOG_LEVEL: 'warn' };
    const refused = await launch(env);
    expect([await refused.exited, refused.output()]).toEqual([
      { code: 1, signal: null },
      'DATABASE_URL: a crash of PostgreSQL can lose what was acknowledged: set fsync to on, and full_page_writes to on, ' +
        'unless its file system never tears a page, or ALLOW_UNSAFE_DATABASE=1 if that loss is acceptable\n',
    ]);
    const allowed = await launch({ ...env, ALLOW_UNSAFE_DATABASE: '1' });
    closers.push(() => terminate(allowed));
    await untilReady(allowed);
    expect(allowed.output()).toContain('set fsync to on, and full_page_writes to on');
    const answer = (await (await fetch(`${allowed.url}/_readyz`)).json()) as ReadyDto;
    expect(answer.checks.postgres).toEqual({ ok: true, detail: expect.stringContaining('set fsync to on') });
    const metrics = await (await fetch(`${allowed.url}/metrics`)).text();
    for (const [name, value] of [
      ['fsync', 1],
      ['full_page_writes', 1],
      ['synchronous_commit', 0],
      ['read_only', 0],
    ] as const)
      expect(metrics).toContain(`kohort_postgres_fault{fault="${name}"} ${value}`);
  }, 60_000);
});
