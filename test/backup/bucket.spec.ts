import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkFiles, readManifest } from '../../src/operations/backup/files/manifest.js';
import { manifestFile } from '../../src/operations/backup/destinations/destination.js';
import { makeBackup } from '../../src/operations/backup/make-backup.js';
import { Bucket } from '../../src/operations/backup/destinations/bucket.js';
import { BucketRequests } from '../../src/platform/objects/bucket-requests.js';
import { backupDestination } from '../../src/operations/backup/destinations/backup-destination.js';
import { loadBackup } from '../../src/operations/backup/restore-backup.js';
import { copiedTableNames } from '../../src/operations/backup/tables/copied-tables.js';
import { type S3Config } from '../../src/platform/config/s3.js';
import { FaultyLink } from '../support/faulty-link.js';
import { cli, removeDir, tempDir } from '../support/process.js';
import { addEvents, newProject } from '../support/projection-scene.js';
import { hasS3Server, S3Server } from '../support/s3-server.js';
import { addPerson, contents, databases, fault, type Connected } from './backup.fixture.js';

const { open, openBare, close } = databases();
const key = randomBytes(32);
let source: Connected;
let project: number;
let server: S3Server;
let s3: S3Config;
let requests: BucketRequests;

beforeAll(async () => {
  source = await open();
  project = await newProject(source.postgres.pool);
  for (let n = 0; n < 20; n += 1) await addPerson(source, project, `ada ${n}`);
  const events = Array.from({ length: 2_000 }, (_, n) => ({
    ...{ event: `event ${n}`, distinctId: `ada ${n % 20}` },
    properties: { n, text: randomBytes(40).toString('hex') },
  }));
  await addEvents(source.postgres.pool, project, events);
  server = await S3Server.start();
  ({ s3 } = server);
  requests = new BucketRequests('backups', s3);
  expect((await requests.send({ method: 'PUT', key: '' })).status).toBe(200);
});
afterAll(async () => {
  await close();
  await server.stop();
});

const backUp = (to: string, since: string | null = null) =>
  makeBackup(source, {
    ...{ to: backupDestination(to, s3, since), since: since === null ? null : backupDestination(since, s3) },
    ...{ key, partBytes: 16_384 },
  });

const checked = async (from: string) => {
  const backup = await readManifest(backupDestination(from, s3), key);
  await checkFiles(backup);
  return backup;
};

const copied = (): string[] => copiedTableNames(source.dataSource);

const objects = async (prefix: string): Promise<string[]> => {
  const { bytes } = await requests.send({ method: 'GET', key: '', query: { 'list-type': '2', prefix } });
  return [...bytes.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, name]) => name ?? '');
};

(hasS3Server() ? describe : describe.skip)('a backup in a bucket', () => {
  it('brings the same rows into a bare database, and is nothing but its files', async () => {
    const to = 's3://backups/first of all/ü';
    const { manifest } = await backUp(to);
    const files = manifest.tables.flatMap(({ parts }) => parts.map(({ file }) => file));
    expect(files.length).toBeGreaterThan(20);
    expect((await objects('first of all/ü/')).sort()).toEqual(
      [...files, manifestFile].map((file) => `first of all/ü/${file}`).sort(),
    );
    const target = await openBare();
    await loadBackup(target, await checked(to), () => undefined);
    expect(await contents(target, copied())).toEqual(await contents(source, copied()));
  });

  it('takes the files with equal rows from an earlier one, and does not need it', async () => {
    const first = await backUp('s3://backups/monday');
    await source.postgres.query(`DELETE FROM events WHERE project_id = $1 AND event = 'event 1000'`, [project]);
    const second = await backUp('s3://backups/tuesday', 's3://backups/monday');
    expect(second.files - second.shared).toBeGreaterThan(0);
    expect(second.files - second.shared).toBeLessThan(8);
    // The third takes from the second what that took from the first.
    const third = await backUp('s3://backups/wednesday', 's3://backups/tuesday');
    expect(third.shared).toBe(third.files);
    const parts = [...first.manifest.tables, ...second.manifest.tables].flatMap((table) => table.parts);
    for (const { file } of parts)
      for (const day of ['monday', 'tuesday']) await requests.send({ method: 'DELETE', key: `${day}/${file}` });
    const target = await openBare();
    await loadBackup(target, await checked('s3://backups/wednesday'), () => undefined);
    expect(await contents(target, copied())).toEqual(await contents(source, copied()));
  });

  it('does not take a file that has changed, and notices one of its own', async () => {
    const { manifest } = await backUp('s3://backups/whole');
    const [changed, removed] = manifest.tables.find(({ name }) => name === 'events')?.parts ?? [];
    await requests.send({ method: 'PUT', key: `whole/${changed?.file}`, body: Buffer.from('changed') });
    await requests.send({ method: 'DELETE', key: `whole/${removed?.file}` });
    const next = await backUp('s3://backups/next', 's3://backups/whole');
    expect(next.files - next.shared).toBe(2);
    await checked('s3://backups/next');
    expect(await fault(checked('s3://backups/whole'))).toBe(
      `s3://backups/whole is damaged, because ${changed?.file} is not as it was written: use another backup`,
    );
  });

  it('is refused where one is, or is being made, and leaves nothing behind when it fails', async () => {
    await backUp('s3://backups/here');
    expect(await fault(backUp('s3://backups/here'))).toBe('s3://backups/here exists already: name another prefix');
    await backupDestination('s3://backups/begun', s3).start();
    expect(await fault(backUp('s3://backups/begun'))).toMatch(
      /^s3:\/\/backups\/begun has objects: another backup writes/,
    );
    expect(await fault(checked('s3://backups/begun'))).toMatch(/is not a complete backup/);
    const failing = makeBackup(source, {
      ...{ to: backupDestination('s3://backups/failing', s3), since: null, key: null },
      onTable: (done) => {
        if (done > 5) throw new Error('stopped');
      },
    });
    await expect(failing).rejects.toThrow('stopped');
    expect(await objects('failing/')).toEqual([]);
  });

  it('goes on when the server is away for seconds', async () => {
    const link = await FaultyLink.to(s3.endpoint ?? new URL(''));
    let isAway = false;
    const away = async (): Promise<void> => {
      isAway = true;
      await link.set('refusing');
      await sleep(2_000);
      await link.set('none');
    };
    let back: Promise<void> = Promise.resolve();
    const to = backupDestination('s3://backups/patient', { ...s3, endpoint: link.url });
    await makeBackup(source, {
      ...{ to, since: null, key, partBytes: 16_384 },
      onTable: (done) => {
        if (done === 3 && !isAway) back = away();
      },
    });
    await back;
    await link.close();
    expect(isAway).toBe(true);
    await checked('s3://backups/patient');
  });

  it('says what is wrong with a key, a bucket, an address and a place', async () => {
    const wrong = new Bucket('s3://backups/x', { ...s3, secret: 'wrong' });
    expect(await fault(wrong.read(manifestFile, 1000))).toBe(
      'the bucket backups refuses (SignatureDoesNotMatch): check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN',
    );
    expect(await fault(backUp('s3://nowhere-at-all/x'))).toBe(
      'the bucket nowhere-at-all refuses (NoSuchBucket): make it, or name another one',
    );
    expect(await fault(checked('s3://backups/none'))).toBe(
      's3://backups/none is not a complete backup, because it has no manifest.json: name another one',
    );
    for (const name of ['s3://Backups/x', 's3:///x', 's3://backups/a//b', 'gs://backups/x'])
      expect(() => backupDestination(name, s3)).toThrow(`${name} is not the address of a bucket`);
    expect(() => backupDestination('s3://backups/x', s3, 'backups/monday')).toThrow(
      /both must be folders, or both in buckets/,
    );
    expect(() => backupDestination('s3://backups/x', null)).toThrow(
      /needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
    );
  });

  it('is made by the command, and restored by it', async () => {
    const env = { DATABASE_URL: source.url.href, LOG_LEVEL: 'error', ...server.env };
    const made = await cli(env, 'backup', '--to', 's3://backups/command', '--json');
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('tables copied')]);
    expect(JSON.parse(made.stdout)).toMatchObject({ backup: 's3://backups/command', shared_files: 0 });
    const refused = await cli(
      { ...env, AWS_SECRET_ACCESS_KEY: undefined },
      'restore',
      '--from',
      's3://backups/command',
    );
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('needs AWS_ACCESS_KEY_ID')]);
    const dataDir = await tempDir();
    const embedded = { DATA_DIR: dataDir, LOG_LEVEL: 'error', ...server.env };
    const restored = await cli(embedded, 'restore', '--from', 's3://backups/command', '--json');
    expect(JSON.parse(restored.stdout)).toMatchObject({ persons: 20, events: 1999 });
    await removeDir(dataDir);
  });
});
