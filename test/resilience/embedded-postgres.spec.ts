import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { clusterIn } from '../../src/platform/postgres/embedded/cluster.js';
import { stopProcesses } from '../../src/platform/postgres/embedded/processes.js';
import {
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/postgres/embedded/server.js';
import { until } from '../support/until.js';
import { firstLine, kill, runScript, copyLauncher } from './embedded-postgres.fixture.js';

const logger = pino({ level: 'silent' });
const isRoot = process.getuid?.() === 0;

interface Login {
  readonly user: string;
  readonly password: string;
}

describe('the embedded PostgreSQL', () => {
  let launcher: string;
  let template: string;
  let root: string;
  let dataDir: string;
  let running: EmbeddedPostgres[] = [];
  let children: ChildProcess[] = [];

  beforeAll(async () => {
    launcher = await mkdtemp(join(tmpdir(), 'kohort-launcher-'));
    await copyLauncher(launcher);
    template = await mkdtemp(join(tmpdir(), 'kohort-template-'));
    await (await startEmbeddedPostgres({ dataDir: template, logger })).stop();
  });

  afterAll(async () => {
    for (const folder of [launcher, template]) await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kohort-embedded-'));
    dataDir = join(root, 'data');
  });

  afterEach(async () => {
    for (const child of children) await kill(child);
    for (const server of running) await server.stop();
    for (const pid of await serverProcesses()) process.kill(pid, 'SIGKILL');
    [running, children] = [[], []];
    await rm(root, { recursive: true, force: true });
  });

  const start = async (): Promise<EmbeddedPostgres> => {
    const server = await startEmbeddedPostgres({ dataDir, logger });
    running.push(server);
    return server;
  };

  /** Spares the test initdb, which takes a second. */
  const bringData = () => promisify(execFile)('cp', ['-a', template, dataDir]);

  const run = (...args: Parameters<typeof runScript>): ChildProcess => {
    const child = runScript(...args);
    children.push(child);
    return child;
  };

  const query = async <T extends object>(url: URL, sql: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  const answer = async (url: URL): Promise<number> => {
    for (const deadline = Date.now() + 10_000; ; await sleep(50)) {
      try {
        return (await query<{ n: number }>(url, 'SELECT count(*)::int AS n FROM kept'))[0]?.n ?? -1;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  };

  /** A statement that never waits, so its backend does not notice when the postmaster is killed. */
  const occupyBackend = async (url: URL): Promise<void> => {
    const endless = 'SELECT sum(a * b) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b';
    void query(url, endless).catch(() => undefined);
    const running = `SELECT FROM pg_stat_activity WHERE state = 'active' AND query = '${endless}'`;
    await until(async () => (await query(url, running)).length === 1);
  };

  const postmasterPid = async (): Promise<number> =>
    Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);

  /** Found without the launcher's help: whatever has its working directory below the test's folder. */
  const serverProcesses = async (): Promise<number[]> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
    return pids.filter((_, index) => folders[index]?.startsWith(`${root}/`)).map(Number);
  };

  const startAndWait = `await lockDataDir(dataDir);
    const server = await startEmbeddedPostgres({ dataDir, logger });
    say(server.url.href); await forever();`;
  const startInChild = async (options: Parameters<typeof runScript>[2] = {}) => {
    const child = run(launcher, `const dataDir = '${dataDir}'; ${startAndWait}`, options);
    return { child, url: new URL(await firstLine(child)) };
  };

  it('starts from nothing and keeps its password to itself', async () => {
    const { url } = await start();
    expect(url.href).toMatch(/^postgres:\/\/kohort:[\w-]{32}@127\.0\.0\.1:\d+\/kohort$/);
    expect(Number(url.port)).toBeLessThan(32_768);
    const { user, password } = JSON.parse(await readFile(join(dataDir, 'postgres.admin.json'), 'utf8')) as Login;
    const admin = new URL(url);
    [admin.username, admin.password] = [user, password];
    const [facts] = await query(
      admin,
      `SELECT current_setting('server_encoding') AS encoding, current_setting('data_checksums') AS checksums,
         current_setting('fsync') AS fsync, current_setting('unix_socket_directories') AS sockets, datlocprovider AS provider
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(facts).toEqual({ encoding: 'UTF8', checksums: 'on', fsync: 'on', sockets: '', provider: 'b' });
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
    const stranger = new URL(url);
    stranger.password = 'password';
    await expect(query(stranger, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  it('keeps data and port over a restart, and leaves no process when stopped', async () => {
    await bringData();
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS id');
    await Promise.all([first.stop(), first.stop()]);
    expect(await serverProcesses()).toEqual([]);
    const second = await start();
    expect(second.url.href).toBe(first.url.href);
    expect(await answer(second.url)).toBe(1);
  });

  it('takes another port when someone else has its own', async () => {
    await bringData();
    const first = await start();
    await first.stop();
    const squatter = createServer().listen(Number(first.url.port), '127.0.0.1');
    try {
      const second = await start();
      expect(second.url.port).not.toBe(first.url.port);
      expect((await runningEmbeddedPostgres(dataDir))?.href).toBe(second.url.href);
    } finally {
      squatter.close();
    }
  });

  it('starts again and again after its process was killed, and loses nothing acknowledged', async () => {
    await bringData();
    for (let round = 0; round < 3; round += 1) {
      const { child, url } = await startInChild();
      await query(url, 'CREATE TABLE IF NOT EXISTS kept (round int)');
      await query(url, `INSERT INTO kept VALUES (${round})`);
      expect(await answer(url)).toBe(round + 1);
      await occupyBackend(url);
      if (round === 1) process.kill(await postmasterPid(), 'SIGKILL');
      await kill(child);
      expect(await serverProcesses()).not.toEqual([]);
    }
    expect(await answer((await start()).url)).toBe(3);
  });

  it('comes back by itself on the same port when the server is killed, time after time', async () => {
    await bringData();
    const server = await start();
    const { url } = server;
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS id');
    for (let round = 0; round < 2; round += 1) {
      await occupyBackend(url);
      const killed = await postmasterPid();
      process.kill(killed, 'SIGKILL');
      await sleep(50);
      expect(await answer(url)).toBe(1);
      expect(await postmasterPid()).not.toBe(killed);
    }
    process.kill(await postmasterPid(), 'SIGKILL');
    await server.stop();
    expect(await serverProcesses()).toEqual([]);
  });

  it('gets rid of a server that no longer reacts', async () => {
    await bringData();
    const { child } = await startInChild();
    const stuck = await postmasterPid();
    await kill(child);
    process.kill(stuck, 'SIGSTOP');
    expect(await stopProcesses(await clusterIn(dataDir), 100)).toBeGreaterThan(1);
    expect(await serverProcesses()).toEqual([]);
  });

  it('ignores a postmaster.pid whose pid now belongs to another program, and spares that program', async () => {
    await bringData();
    await (await start()).stop();
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore' });
    children.push(bystander);
    await writeFile(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${bystander.pid}\n${dataDir}/postgres\n1\n5432\n\n\n\nready\n`,
    );
    await start();
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  it('begins anew when the first start was killed half way', async () => {
    const child = run(launcher, `const dataDir = '${dataDir}'; ${startAndWait}`);
    const begun = join(dataDir, 'postgres.initialising', 'PG_VERSION');
    while (!(await stat(begun).catch(() => null))) await sleep(5);
    await kill(child);
    expect(await stat(join(dataDir, 'postgres')).catch(() => null)).toBeNull();
    await query((await start()).url, 'SELECT 1');
    expect((await readdir(dataDir)).filter((name) => name.includes('initialising'))).toEqual([]);
  });

  it('works below folders that the server itself may not enter', async () => {
    dataDir = join(root, 'private', 'data');
    await mkdir(join(root, 'private'), { mode: 0o700 });
    const { url } = await start();
    await query(url, 'SELECT 1');
    const owner = (await stat(join(dataDir, 'postgres'))).uid;
    expect(owner === 0).toBe(false);
    expect((await stat(join(root, 'private'))).uid).toBe(process.getuid?.());
  });

  it.each([
    ['without any variable', {}],
    ['with hostile ones', { LANG: 'xx_XX', LC_ALL: 'yy', TZ: 'Nowhere/Land', PGDATA: '/none', PGSSLMODE: 'require' }],
  ])('does not depend on the environment: %s', async (_, env) => {
    const { url } = await startInChild({ env });
    expect(await query(url, "SELECT lower('ÄÖ') AS lower, current_setting('timezone') AS zone")).toEqual([
      { lower: 'äö', zone: 'UTC' },
    ]);
  });

  it('runs as an ordinary user', async () => {
    const uid = isRoot ? 65_534 : (process.getuid?.() ?? 0);
    await chown(root, uid, uid);
    const { child, url } = await startInChild(isRoot ? { uid } : {});
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS id');
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(uid);
    await kill(child);
    expect(await answer((await startInChild(isRoot ? { uid } : {})).url)).toBe(1);
  });

  it('ends with a process that ends without stopping it', async () => {
    await bringData();
    const child = run(
      launcher,
      `await startEmbeddedPostgres({ dataDir: '${dataDir}', logger }); say('up'); process.exit(1);`,
    );
    await firstLine(child);
    for (const deadline = Date.now() + 5_000; (await serverProcesses()).length > 0 && Date.now() < deadline;)
      await sleep(50);
    expect(await serverProcesses()).toEqual([]);
  });

  it('is found by a command beside it, while it runs and only then', async () => {
    expect(await runningEmbeddedPostgres(dataDir)).toBeNull();
    await bringData();
    expect(await runningEmbeddedPostgres(dataDir)).toBeNull();
    const server = await start();
    const { url } = server;
    expect((await runningEmbeddedPostgres(dataDir))?.href).toBe(url.href);
    await server.stop();
    expect(await runningEmbeddedPostgres(dataDir)).toBeNull();
  });

  it('starts a log anew that has grown large', async () => {
    await bringData();
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres.log'), Buffer.alloc(6 * 1024 * 1024, 'x\n'));
    await start();
    expect((await stat(join(dataDir, 'postgres.log'))).size).toBeLessThan(100_000);
  });

  it('says what to do when the password is missing or the data are of another version', async () => {
    await bringData();
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/written by PostgreSQL 17, this release includes 18: /);
    await rm(join(dataDir, 'postgres.json'));
    await expect(start()).rejects.toThrow(/postgres\.json.* is missing: restore it/);
  });

  it('gives a stale DATA_DIR to exactly one of many processes', async () => {
    const takeOver = `say(await lockDataDir('${dataDir}').then(() => 'won', (error) => error.constructor.name)); await forever();`;
    const dead = run(launcher, takeOver);
    expect(await firstLine(dead)).toBe('won');
    await kill(dead);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => firstLine(run(launcher, takeOver))));
    expect(outcomes.sort()).toEqual([...Array.from({ length: 11 }, () => 'DataDirInUseError'), 'won']);
  });
});
