import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { entities } from '../../src/app/entities.js';
import { postgresDataSource } from '../../src/kernel/stores/data-source.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';

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

describe('the role the service has in the embedded PostgreSQL', () => {
  let fresh: string;
  let root: string;
  let dataDir: string;
  let running: EmbeddedPostgres[] = [];

  beforeAll(async () => {
    fresh = await mkdtemp(join(tmpdir(), 'kohort-template-'));
    await (await startEmbeddedPostgres({ dataDir: fresh, logger })).stop();
  });
  afterAll(() => rm(fresh, { recursive: true, force: true }));

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kohort-role-'));
    dataDir = join(root, 'data');
    await promisify(execFile)('cp', ['-a', fresh, dataDir]);
  });
  afterEach(async () => {
    for (const server of running) await server.stop();
    running = [];
    await rm(root, { recursive: true, force: true });
  });

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

  it('cannot reach the machine, other roles or the configuration', async () => {
    await expectNoPrivilege(await start());
  });

  it('may do everything with its own database', async () => {
    const url = await start();
    const dataSource = await postgresDataSource(url, entities).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
    await query(url, 'CREATE SCHEMA own; ALTER TABLE users ADD COLUMN more int; DROP TABLE personal_api_keys');
  });

  it('leaves administration to a superuser whose password only this account can read', async () => {
    const url = await admin(await start());
    expect((await stat(join(dataDir, 'postgres.admin.json'))).mode & 0o777).toBe(0o600);
    expect(url.password).not.toBe(running[0]?.url.password);
    expect(await query(url, 'SELECT rolname FROM pg_roles WHERE rolsuper')).toEqual([{ rolname: 'kohort_admin' }]);
    const stranger = new URL(url);
    stranger.password = running[0]?.url.password ?? '';
    await expect(query(stranger, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  it('does not create its database again when the database is lost', async () => {
    const url = await start();
    const elsewhere = new URL('/postgres', await admin(url));
    await query(elsewhere, 'DROP DATABASE kohort WITH (FORCE)');
    await running.pop()?.stop();
    await expect(start()).rejects.toThrow(/has lost the database kohort: restore the backup of DATA_DIR/);
  });
});
