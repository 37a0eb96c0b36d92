import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { addEvents, newProject } from '../support/projection-scene.js';
import { knownMigrations, migratePostgres, migratePostgresTo } from '../../src/kernel/stores/migrate.js';
import { BackupKey } from '../../src/operations/backup/files/backup-key.js';
import { checkFiles, readManifest, writtenManifest } from '../../src/operations/backup/files/manifest.js';
import { manifestFile } from '../../src/operations/backup/destinations/destination.js';
import { makeBackup, type BackupRequest } from '../../src/operations/backup/make-backup.js';
import { Folder } from '../../src/operations/backup/destinations/folder.js';
import {
  assertEmptyPostgres,
  assertKnownMigrations,
  forgetRestore,
  isLoaded,
  loadBackup,
} from '../../src/operations/backup/restore-backup.js';
import { copiedTableNames } from '../../src/operations/backup/tables/copied-tables.js';
import { notCopied } from '../../src/operations/backup/tables/copied-tables.js';
import { tablesIn } from '../../src/operations/backup/tables/loading-schema.js';
import { addPerson, contents, databases, fault, type Connected } from './backup.fixture.js';

let source: Connected;
let project: number;
let folder: string;

const { open, openBare, close } = databases();

beforeAll(async () => {
  folder = await mkdtemp(join(process.env.TEST_RUN_DIR ?? '', 'backups-'));
  source = await open();
  project = await newProject(source.postgres.pool);
  for (let n = 0; n < 20; n += 1) await addPerson(source, project, `ada ${n}`);
  const events = Array.from({ length: 2_000 }, (_, n) => ({
    event: `event ${n}`,
    distinctId: `ada ${n % 20}`,
    properties: { n, text: randomBytes(40).toString('hex') },
  }));
  await addEvents(source.postgres.pool, project, events);
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true, force: true });
});

let made = 0;
interface Expected extends Partial<Omit<BackupRequest, 'to' | 'since'>> {
  readonly since?: string;
}

const requestOf = (to: string, { since, ...more }: Expected = {}): BackupRequest => ({
  ...{ to: new Folder(to, since), since: since === undefined ? null : new Folder(since), key: null },
  ...more,
});

const backUp = async (expected: Expected = {}, from = source) => {
  const to = join(folder, `backup-${(made += 1)}`);
  return { to, ...(await makeBackup(from, requestOf(to, { partBytes: 16_384, ...expected }))) };
};

const checked = async (from: string, key: Buffer | null = null) => {
  const backup = await readManifest(new Folder(from), key);
  assertKnownMigrations(backup);
  await checkFiles(backup);
  return backup;
};

const restore = async (from: string, into: Connected, key: Buffer | null = null): Promise<number> => {
  const backup = await checked(from, key);
  await assertEmptyPostgres(into, backup);
  return loadBackup(into, backup, () => undefined);
};

class Later1799999999999 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects ADD COLUMN later integer NOT NULL DEFAULT 7');
  }

  async down(): Promise<void> {}
}

const selectLaterColumn = `SELECT FROM pg_attribute WHERE attrelid = 'projects'::regclass AND attname = 'later'`;

const ofLaterRelease = (connected: Connected): Connected => {
  const { dataSource } = connected;
  Object.assign(dataSource, { migrations: [...dataSource.migrations, new Later1799999999999()] });
  return connected;
};

const copied = (): string[] => copiedTableNames(source.dataSource);

describe('a backup', () => {
  it('has every table of the database, except those that are left out for a reason', async () => {
    const { rows } = await source.postgres.query<{ name: string }>(
      `SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
    );
    const { manifest } = await backUp();
    const named = manifest.tables.map(({ name }) => name);
    expect([...named, ...Object.keys(notCopied)].sort()).toEqual(rows.map(({ name }) => name));
    expect(Object.values(notCopied).every((reason) => reason.length > 10)).toBe(true);
  });

  it('brings the same rows into a bare database, with sequences that go on', async () => {
    const { to, manifest } = await backUp();
    const target = await openBare();
    const rows = await restore(to, target);
    expect(rows).toBe(manifest.tables.reduce((sum, table) => sum + table.rows, 0));
    expect(await contents(target, copied())).toEqual(await contents(source, copied()));
    const next = async ({ postgres }: Connected) =>
      (await postgres.query<{ id: string }>(`SELECT nextval(pg_get_serial_sequence('persons', 'id')) AS id`)).rows[0]
        ?.id;
    expect(await next(target)).toBe(String(21));
    expect(await newProject(target.postgres.pool)).toBeGreaterThan(project);
    const { rows: rebuilds } = await target.postgres.query('SELECT phase FROM projection_rebuilds');
    expect(rebuilds).toEqual([{ phase: 'requested' }]);
  });

  it('demands that foreign keys hold', async () => {
    const { to } = await backUp();
    const target = await openBare();
    await restore(to, target);
    await expect(
      target.postgres.query(
        `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id) VALUES ($1, 'x', 999)`,
        [project],
      ),
    ).rejects.toThrow('foreign key');
  });

  it('is of one moment, while other transactions write into several tables', async () => {
    const stop = new AbortController();
    const writing = (async () => {
      for (let n = 0; !stop.signal.aborted; n += 1) await addPerson(source, project, `later ${made} ${n}`);
    })();
    const { to } = await backUp();
    stop.abort();
    await writing;
    const target = await openBare();
    await restore(to, target);
    const { rows } = await target.postgres.query<{ persons: string; ids: string }>(
      'SELECT (SELECT count(*) FROM persons) AS persons, (SELECT count(*) FROM person_distinct_ids) AS ids',
    );
    expect(rows[0]?.persons).toBe(rows[0]?.ids);
    expect(Number(rows[0]?.persons)).toBeGreaterThanOrEqual(20);
  });

  it('comes back in a schema of its time, and later migrations follow', async () => {
    const old = await openBare();
    await migratePostgresTo(old.dataSource, knownMigrations);
    await newProject(old.postgres.pool);
    const { to } = await backUp({}, old);
    const target = ofLaterRelease(await openBare());
    await restore(to, target);
    const { rows: columns } = await target.postgres.query(selectLaterColumn);
    expect(columns).toEqual([]);
    expect(await migratePostgres(target)).toEqual(['Later1799999999999']);
    const { rows } = await target.postgres.query('SELECT name, later FROM projects');
    expect(rows).toEqual([{ name: 'Test', later: 7 }]);
  });

  it('is in files that only its owner reads, in a folder that only its owner enters', async () => {
    const { to } = await backUp();
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(to)) expect((await stat(join(to, name))).mode & 0o777).toBe(0o600);
  });

  it('is refused where something is, or where another backup writes', async () => {
    const { to } = await backUp();
    const again = makeBackup(source, requestOf(to));
    expect(await fault(again)).toBe(`${to} exists already: name another folder`);
    const other = join(folder, 'other');
    const draft = await new Folder(other).start();
    expect(await fault(makeBackup(source, requestOf(other)))).toBe(
      `${other}.unfinished exists: another backup writes there`,
    );
    await draft.abandon();
    await makeBackup(source, requestOf(other));
    await checked(other);
  });

  it('takes the place of one that was killed', async () => {
    const { to } = await backUp();
    const other = join(folder, 'killed');
    await cp(to, `${other}.unfinished`, { recursive: true });
    await rm(join(`${other}.unfinished`, manifestFile));
    await makeBackup(source, requestOf(other));
    await checked(other);
    expect((await readdir(folder)).filter((name) => name.startsWith('killed'))).toEqual(['killed']);
  }, 60_000);

  it('leaves nothing behind when it fails', async () => {
    const to = join(folder, 'failing');
    const onTable = () => {
      throw new Error('stopped');
    };
    const failing = makeBackup(source, requestOf(to, { onTable }));
    await expect(failing).rejects.toThrow('stopped');
    expect((await readdir(folder)).filter((name) => name.startsWith('failing'))).toEqual([]);
  });
});

describe('a backup since another one', () => {
  it('writes only what has changed, has what was removed no longer, and does not need the other one', async () => {
    const first = await backUp();
    const eventParts = first.manifest.tables.find(({ name }) => name === 'events')?.parts.length ?? 0;
    expect(eventParts).toBeGreaterThan(10);
    await source.postgres.query(`DELETE FROM events WHERE project_id = $1 AND event = 'event 1000'`, [project]);
    await addEvents(source.postgres.pool, project, [{ event: 'new' }]);
    const second = await backUp({ since: first.to });
    expect(second.manifest.previous).toBe((await checked(first.to)).seal);
    expect(second.files - second.shared).toBeGreaterThan(0);
    expect(second.files - second.shared).toBeLessThan(8);
    await rm(first.to, { recursive: true });
    const target = await openBare();
    await restore(second.to, target);
    expect(await contents(target, copied())).toEqual(await contents(source, copied()));
  });

  it('does not take a file that is damaged', async () => {
    const first = await backUp();
    const part = first.manifest.tables.find(({ name }) => name === 'events')?.parts[0]?.file ?? '';
    await writeFile(join(first.to, part), 'damaged');
    const second = await backUp({ since: first.to });
    const target = await openBare();
    await restore(second.to, target);
    expect(await contents(target, copied())).toEqual(await contents(source, copied()));
  });
});

describe('an encrypted backup', () => {
  const key = randomBytes(32);

  it('comes back with its key, shares files, and shows nothing of its rows', async () => {
    const first = await backUp({ key });
    const second = await backUp({ key, since: first.to });
    expect(second.shared).toBe(second.files);
    for (const name of await readdir(second.to)) {
      if (name === manifestFile) continue;
      const bytes = await readFile(join(second.to, name));
      expect(bytes.subarray(0, 8).toString()).toBe('KOHORTB1');
    }
    const plain = await backUp();
    const digests = new Set(plain.manifest.tables.flatMap(({ parts }) => parts.map(({ content }) => content)));
    for (const { parts } of second.manifest.tables)
      for (const { content } of parts) expect(digests).not.toContain(content);
    const target = await openBare();
    await restore(second.to, target, key);
    expect(await contents(target, copied())).toEqual(await contents(source, copied()));
  });

  it('is refused without its key and with another one, also as the backup before', async () => {
    const { to } = await backUp({ key });
    const other = randomBytes(32);
    expect(await fault(checked(to))).toBe(`${to} is encrypted: set BACKUP_KEY to the key with which it was made`);
    const wrong = `${to} was encrypted with another key: set BACKUP_KEY to the key with which it was made`;
    expect(await fault(checked(to, other))).toBe(wrong);
    expect(await fault(backUp({ since: to, key: other }))).toBe(wrong);
  });

  it('is not replaced by one without encryption, which anyone who can write there could have made', async () => {
    const { to } = await backUp();
    const downgraded = `${to} is not encrypted, so anyone who can write there could have made it, and BACKUP_KEY is set: name an encrypted backup, or restore it with --unencrypted if you trust it`;
    expect(await fault(checked(to, key))).toBe(downgraded);
    expect(await fault(backUp({ since: to, key }))).toBe(downgraded);
    await checkFiles(await readManifest(new Folder(to), key, { unencrypted: true }));
    const { to: sealed, manifest } = await backUp({ key });
    const forged = { ...manifest, encryption: null };
    await writeFile(join(sealed, manifestFile), writtenManifest(forged, new BackupKey(null)).text);
    expect(await fault(checked(sealed, key))).toContain('is not encrypted');
  });

  it('is refused when someone without the key has changed the manifest', async () => {
    const { to, manifest } = await backUp({ key });
    const forged = { ...manifest, tables: manifest.tables.filter(({ name }) => name !== 'deletion_requests') };
    await writeFile(join(to, manifestFile), writtenManifest(forged, new BackupKey(null)).text);
    expect(await fault(checked(to, key))).toMatch(/is damaged, because manifest\.json is not as it was written/);
  });
});

describe('a restore', () => {
  it('refuses a folder that is no whole backup, and files that are missing or damaged', async () => {
    expect(await fault(checked(folder))).toBe(
      `${folder} is not a complete backup, because it has no manifest.json: name another one`,
    );
    const { to, manifest } = await backUp();
    const [file = ''] = (manifest.tables.find(({ name }) => name === 'events')?.parts ?? []).map((part) => part.file);
    const bytes = await readFile(join(to, file));
    const changed = Buffer.from(bytes);
    changed[20] = (changed[20] ?? 0) ^ 1;
    await writeFile(join(to, file), changed);
    const damaged = `${to} is damaged, because ${file} is not as it was written: use another backup`;
    expect(await fault(checked(to))).toBe(damaged);
    await writeFile(join(to, file), bytes);
    await checked(to);
    await truncate(join(to, file), bytes.length - 1);
    expect(await fault(checked(to))).toBe(damaged);
    await rm(join(to, file));
    expect(await fault(checked(to))).toBe(`${to} is damaged, because ${file} is missing: use another backup`);
    await truncate(join(to, manifestFile), 100);
    expect(await fault(checked(to))).toMatch(/because manifest\.json is not as it was written/);
  });

  it('refuses a backup of a newer release, or of another format', async () => {
    const { to, manifest } = await backUp();
    const rewrite = (more: object) =>
      writeFile(join(to, manifestFile), writtenManifest({ ...manifest, ...more }, new BackupKey(null)).text);
    await rewrite({ migrations: [...manifest.migrations, 'Later1999999999999'], version: '9.9.9' });
    expect(await fault(checked(to))).toBe(
      `${to} was made by a newer release (version 9.9.9, migration Later1999999999999): restore it with that release or a later one`,
    );
    await rewrite({ format: 2 });
    expect(await fault(checked(to))).toMatch(/has format 2 and this release reads format 1/);
  });

  it('refuses a database with rows, with tables of others, or with a newer schema', async () => {
    const { to } = await backUp();
    const target = await open();
    await newProject(target.postgres.pool);
    expect(await fault(restore(to, target))).toBe(
      'the PostgreSQL database is not empty, and has rows in projects: a restore needs an empty database',
    );
    const others = await openBare();
    await others.postgres.query('CREATE TABLE shop (id integer)');
    expect(await fault(restore(to, others))).toMatch(/has the table shop/);
    const newer = ofLaterRelease(await open());
    await migratePostgres(newer);
    expect(await fault(restore(to, newer))).toMatch(
      /has a newer schema than the backup \(migration Later1799999999999\)/,
    );
  });

  it('leaves no row when a table fails, and takes the database the next time', async () => {
    const { to, manifest } = await backUp();
    const target = await openBare();
    const backup = await checked(to);
    const wrong = manifest.tables.map((table) => (table.name === 'users' ? { ...table, rows: 99 } : table));
    const failing = loadBackup(target, { ...backup, manifest: { ...manifest, tables: wrong } }, () => undefined);
    await expect(failing).rejects.toThrow('users has 0 rows, the manifest says 99');
    expect(await tablesIn(target.postgres)).toEqual([]);
    await restore(to, target);
    expect(await contents(target, copied())).toEqual(await contents(source, copied()));
  });

  it('shows no row before all are there, and goes on where one that was interrupted had ended', async () => {
    const { to, files } = await backUp();
    const target = await openBare();
    const backup = await checked(to);
    const interrupted = loadBackup(target, backup, (done) => {
      if (done === 20) throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(await tablesIn(target.postgres)).toEqual([]);
    const steps: number[] = [];
    await loadBackup(target, backup, (done, all) => steps.push(all - done));
    // The other connection may have finished a file of its own.
    expect(files - steps.length).toBeGreaterThanOrEqual(20);
    expect(files - steps.length).toBeLessThanOrEqual(21);
    expect(steps.at(-1)).toBe(0);
    expect(await contents(target, copied())).toEqual(await contents(source, copied()));
    expect(await isLoaded(target.postgres, backup)).toBe(true);
    expect(await isLoaded(target.postgres, { ...backup, seal: 'another' })).toBe(false);
    await forgetRestore(target.postgres);
    expect(await isLoaded(target.postgres, backup)).toBe(false);
  });

  it('does not go on with another backup', async () => {
    const [first, second] = [await backUp(), await backUp()];
    const target = await openBare();
    const interrupted = loadBackup(target, await checked(first.to), () => {
      throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    let steps = 0;
    await loadBackup(target, await checked(second.to), () => (steps += 1));
    expect(steps).toBe(second.files);
    expect(await contents(target, copied())).toEqual(await contents(source, copied()));
  });

  it('has the indexes, keys and references of a new schema, also of large tables', async () => {
    const large = await openBare();
    await migratePostgresTo(large.dataSource, knownMigrations);
    const id = await newProject(large.postgres.pool);
    const events = Array.from({ length: 10_001 }, (_, n) => ({ event: `event ${n}` }));
    await addEvents(large.postgres.pool, id, events);
    const { to } = await backUp({ partBytes: 65_536 }, large);
    const target = await openBare();
    await restore(to, target);
    expect(await contents(target, ['events'])).toEqual(await contents(large, ['events']));
    const definitions = async ({ postgres }: Connected): Promise<string[]> => {
      const { rows } = await postgres.query<{ text: string }>(
        `SELECT c.conrelid::regclass || ' ' || c.conname || ' ' || pg_get_constraintdef(c.oid) || c.convalidated AS text
         FROM pg_constraint AS c WHERE c.connamespace = 'public'::regnamespace
         UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
      );
      return rows.map(({ text }) => text);
    };
    expect(await definitions(target)).toEqual(await definitions(large));
    expect((await definitions(target)).length).toBeGreaterThan(100);
    const { rows } = await target.postgres.query(`SELECT FROM pg_namespace WHERE nspname = 'kohort_restore'`);
    expect(rows).toEqual([]);
  });

  it('leaves what a service that has started on the empty database says about itself', async () => {
    const { to } = await backUp();
    const target = await open();
    await target.postgres.query(`INSERT INTO leases (name, holder, expires_at) VALUES ('x', gen_random_uuid(), now())`);
    await target.postgres.query(
      `INSERT INTO projection_state (id, identity, generation, is_filled, version) VALUES (1, gen_random_uuid(), 7, true, 1)`,
    );
    await restore(to, target);
    const { rows } = await target.postgres.query(
      'SELECT generation, (SELECT name FROM leases) AS lease FROM projection_state',
    );
    expect(rows).toEqual([{ generation: 7, lease: 'x' }]);
  });
});
