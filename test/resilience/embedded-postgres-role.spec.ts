import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { entities } from '../../src/entities.js';
import { postgresDataSource } from '../../src/stores/postgres/data-source.js';
import { clusterIn } from '../../src/stores/postgres/embedded/cluster.js';
import { connectionUrl, readConnection } from '../../src/stores/postgres/embedded/connection.js';
import { stopProcesses } from '../../src/stores/postgres/embedded/processes.js';
import {
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/stores/postgres/embedded/server.js';
import {
  fillEarlierDatabase,
  inDatabase,
  makeEarlierCluster,
  notOwnedByService,
  pauseBeforeCommands,
  query,
  withEarlierServer,
} from './earlier-cluster.fixture.js';
import { kill, runScript, copyLauncher } from './embedded-postgres.fixture.js';

const logger = pino({ level: 'silent' });

const privileges = [
  ['reads files of the machine', `SELECT pg_read_file('/etc/passwd')`],
  ['lists folders of the machine', `SELECT pg_ls_dir('/etc')`],
  ['runs programs', `COPY (SELECT 1) TO PROGRAM 'true'`],
  ['writes files', `COPY (SELECT 1) TO '/tmp/kohort-written-by-sql'`],
  ['writes files through large objects', `SELECT lo_export(lo_from_bytea(0, ''), '/tmp/kohort-written-by-sql')`],
  ['loads libraries', `CREATE FUNCTION run(text) RETURNS int AS 'libc.so.6', 'system' LANGUAGE c`],
  ['creates roles', 'CREATE ROLE mallory SUPERUSER'],
  ['makes itself a superuser', 'ALTER ROLE kohort SUPERUSER'],
  ['joins a role that reads files', 'GRANT pg_read_server_files TO kohort'],
  ['becomes the superuser', 'SET SESSION AUTHORIZATION kohort_admin'],
  ['creates databases', 'CREATE DATABASE mallory'],
  ['changes the configuration', `ALTER SYSTEM SET archive_command = 'true'`],
  ['turns triggers and foreign keys off', 'SET session_replication_role = replica'],
  ['reads the password of the superuser', 'SELECT rolpassword FROM pg_authid'],
] as const;

const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

describe('the role the service has in the embedded PostgreSQL', () => {
  let launcher: string;
  let fresh: string;
  let earlier: string;
  let root: string;
  let dataDir: string;
  let running: EmbeddedPostgres[] = [];
  let children: ChildProcess[] = [];

  beforeAll(async () => {
    launcher = await mkdtemp(join(tmpdir(), 'kohort-launcher-'));
    await copyLauncher(launcher);
    fresh = await mkdtemp(join(tmpdir(), 'kohort-template-'));
    await (await startEmbeddedPostgres({ dataDir: fresh, logger })).stop();
    earlier = await mkdtemp(join(tmpdir(), 'kohort-earlier-'));
    await makeEarlierCluster(join(earlier, 'empty'));
    await copy(join(earlier, 'empty'), join(earlier, 'filled'));
    await withEarlierServer(join(earlier, 'filled'), fillEarlierDatabase);
  });

  afterAll(async () => {
    for (const folder of [launcher, fresh, earlier]) await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kohort-role-'));
    dataDir = join(root, 'data');
  });

  afterEach(async () => {
    for (const child of children) await kill(child);
    for (const server of running) await server.stop();
    await stopProcesses(await clusterIn(dataDir), 1_000);
    [running, children] = [[], []];
    await rm(root, { recursive: true, force: true });
  });

  const bring = (from: string) => copy(from, dataDir);

  const start = async (): Promise<URL> => {
    const server = await startEmbeddedPostgres({ dataDir, logger });
    running.push(server);
    return server.url;
  };

  const admin = async (url: URL): Promise<URL> => {
    const file = await readFile(join(dataDir, 'postgres.admin.json'), 'utf8');
    const { user, password } = JSON.parse(file) as { user: string; password: string };
    const own = new URL(url);
    [own.username, own.password] = [user, password];
    return own;
  };

  const untilAsleep = async (): Promise<void> => {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
      const connection = await readConnection(dataDir);
      const asleep = `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
      const found = connection && (await query(connectionUrl(connection), asleep).catch(() => []));
      if (found && found.length > 0) return;
    }
    throw new Error('the server did not come to the command');
  };

  const isRefused = async (url: URL, sql: string): Promise<string> =>
    query(url, sql).then(
      () => 'done',
      (error: { code?: string; message: string }) => error.code ?? error.message,
    );

  const expectNoPrivilege = async (url: URL): Promise<void> => {
    for (const [what, sql] of privileges) expect([what, await isRefused(url, sql)]).toEqual([what, '42501']);
    expect(
      await query(
        url,
        `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS privileged,
           (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships,
           pg_get_userbyid(datdba) AS owner
         FROM pg_roles r, pg_database WHERE rolname = current_user AND datname = current_database()`,
      ),
    ).toEqual([{ privileged: false, memberships: 0, owner: 'kohort' }]);
  };

  const expectKept = async (url: URL): Promise<void> => {
    expect(await query(url, 'SELECT email FROM users')).toEqual([{ email: 'ada@example.test' }]);
    expect(await query(url, 'SELECT id, mood FROM kept.moods ORDER BY id')).toEqual([
      { id: 5, mood: 'good' },
      { id: 6, mood: 'bad' },
    ]);
    expect(await query(url, 'SELECT * FROM kept.totals')).toEqual([{ moods: '2' }]);
  };

  describe('in a new data folder', () => {
    it('cannot reach the machine, other roles or the configuration', async () => {
      await bring(fresh);
      await expectNoPrivilege(await start());
    });

    it('may do everything with its own database', async () => {
      await bring(fresh);
      const url = await start();
      const dataSource = await postgresDataSource(url, entities).initialize();
      await dataSource.runMigrations();
      await dataSource.destroy();
      await query(url, 'CREATE SCHEMA own; ALTER TABLE users ADD COLUMN more int; DROP TABLE personal_api_keys');
    });

    it('leaves administration to a superuser whose password only this account can read', async () => {
      await bring(fresh);
      const url = await admin(await start());
      expect((await stat(join(dataDir, 'postgres.admin.json'))).mode & 0o777).toBe(0o600);
      expect(url.password).not.toBe(running[0]?.url.password);
      expect(await query(url, 'SELECT rolname FROM pg_roles WHERE rolsuper')).toEqual([{ rolname: 'kohort_admin' }]);
      const stranger = new URL(url);
      stranger.password = running[0]?.url.password ?? '';
      await expect(query(stranger, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    });

    it('does not create its database again when the database is lost', async () => {
      await bring(fresh);
      const url = await start();
      await query(inDatabase(await admin(url), 'postgres'), 'DROP DATABASE kohort WITH (FORCE)');
      await running.pop()?.stop();
      await expect(start()).rejects.toThrow(/has lost the database kohort: restore the backup of DATA_DIR/);
    });
  });

  describe('in a data folder of an earlier release, where it was the superuser', () => {
    it('loses that at the next start, keeps its rows, and owns everything it made', async () => {
      await bring(join(earlier, 'filled'));
      await withEarlierServer(dataDir, async (url) => {
        expect(await isRefused(url, "SELECT pg_read_file('/etc/passwd')")).toBe('done');
      });
      const before = await readFile(join(dataDir, 'postgres.json'), 'utf8');
      const url = await start();
      expect(await readFile(join(dataDir, 'postgres.json'), 'utf8')).toBe(before);
      await expectNoPrivilege(url);
      await expectKept(url);
      expect(await query(await admin(url), 'SELECT rolname FROM pg_roles WHERE rolsuper')).toEqual([
        { rolname: 'kohort_admin' },
      ]);
      expect(await query(url, notOwnedByService)).toEqual([]);
    });

    it('still creates, changes and drops what earlier releases made', async () => {
      await bring(join(earlier, 'filled'));
      const url = await start();
      const dataSource = await postgresDataSource(url, entities).initialize();
      expect(await dataSource.showMigrations()).toBe(false);
      for (let n = 0; n < 3; n += 1) await dataSource.undoLastMigration();
      expect(await dataSource.runMigrations()).toHaveLength(3);
      await dataSource.destroy();
      await query(url, `INSERT INTO kept.moods (mood) VALUES ('bad'); ALTER TYPE kept.mood ADD VALUE 'fair'`);
      expect(await query(url, `SELECT has_table_privilege('reader', 'kept.moods', 'SELECT') AS may`)).toEqual([
        { may: true },
      ]);
      expect(await isRefused(url, 'DROP EXTENSION hstore')).toBe('42501');
      await query(url, 'DROP SCHEMA kept CASCADE');
    });

    it('starts the same way again and again', async () => {
      await bring(join(earlier, 'filled'));
      const first = await admin(await start());
      await running.pop()?.stop();
      const url = await start();
      expect((await admin(url)).href).toBe(first.href);
      await expectNoPrivilege(url);
      await expectKept(url);
    });

    it('gets its database when the earlier release was killed before it created one', async () => {
      await bring(join(earlier, 'empty'));
      await expectNoPrivilege(await start());
    });

    it('has lost nothing when the process was killed after it had written the password of the superuser', async () => {
      await bring(join(earlier, 'filled'));
      const password = 'x'.repeat(32);
      await writeFile(join(dataDir, 'postgres.admin.json'), JSON.stringify({ user: 'kohort_admin', password }));
      const url = await start();
      expect((await admin(url)).password).toBe(password);
      expect(await query(await admin(url), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await expectNoPrivilege(url);
      await expectKept(url);
    });

    it.each(['ALTER SCHEMA', 'ALTER TABLE', 'ALTER FUNCTION'])(
      'has lost nothing when service and server were killed before %s',
      async (command) => {
        await bring(join(earlier, 'filled'));
        await withEarlierServer(dataDir, (url) => query(url, pauseBeforeCommands).then());
        await writeFile(join(dataDir, 'postgres', 'pause'), command, { mode: 0o644 });
        const child = runScript(launcher, `await startEmbeddedPostgres({ dataDir: '${dataDir}', logger }); say('up');`);
        children.push(child);
        await untilAsleep();
        expect(await runningEmbeddedPostgres(dataDir)).toBeNull();
        process.kill(
          Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10),
          'SIGKILL',
        );
        await kill(child);
        await rm(join(dataDir, 'postgres', 'pause'));
        const url = await start();
        await expectNoPrivilege(url);
        await expectKept(url);
        expect(await query(url, notOwnedByService)).toEqual([]);
      },
    );
  });
});
