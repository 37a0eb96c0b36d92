import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listBackups, pruneBackups } from '../../src/operations/backup/keep-backups.js';
import { makeBackup } from '../../src/operations/backup/make-backup.js';
import { backupDestination } from '../../src/operations/backup/destinations/backup-destination.js';
import { manifestFile } from '../../src/operations/backup/destinations/destination.js';
import { type S3Config } from '../../src/platform/config/s3.js';
import { BucketRequests } from '../../src/platform/objects/bucket-requests.js';
import { checkFiles, readManifest } from '../../src/operations/backup/files/manifest.js';
import { hasS3Server, S3Server } from '../support/s3-server.js';
import { newProject } from '../support/projection-scene.js';
import { addPerson, databases, type Connected } from './backup.fixture.js';

const { open, close } = databases();
let source: Connected;
let folder: string;
let server: S3Server;

beforeAll(async () => {
  folder = await mkdtemp(join(process.env.TEST_RUN_DIR ?? '', 'kept-'));
  source = await open();
  await addPerson(source, await newProject(source.postgres.pool), 'ada');
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true, force: true });
});

interface Shelf {
  readonly name: string;
  readonly s3: S3Config | null;
  /** Leaves what a killed backup leaves. */
  readonly kill: (name: string) => Promise<void>;
  /** The names of the files, or of the objects, of a backup. */
  readonly files: (name: string) => Promise<string[]>;
}

const inFolder = (): Shelf => ({
  name: folder,
  s3: null,
  kill: async (name) => {
    await mkdir(join(folder, `${name}.unfinished`));
    await writeFile(join(folder, `${name}.unfinished`, 'events.000001.gz'), 'half');
  },
  files: (name) => readdir(join(folder, name)).catch(() => []),
});

const inBucket = (): Shelf => {
  const { s3 } = server;
  const requests = new BucketRequests('kept', s3);
  const put = (key: string) => requests.send({ method: 'PUT', key, body: Buffer.from('half') });
  return {
    ...{ name: 's3://kept/shelf', s3 },
    kill: async (name) => void (await put(`shelf/${name}/unfinished`), await put(`shelf/${name}/events.000001.gz`)),
    files: async (name) => {
      const query = { 'list-type': '2', prefix: `shelf/${name}/` };
      const { bytes } = await requests.send({ method: 'GET', key: '', query });
      return [...bytes.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key ?? '');
    },
  };
};

const backUp = async ({ name, s3 }: Shelf, backup: string, since: string | null = null): Promise<void> => {
  const earlier = since === null ? null : `${name}/${since}`;
  const to = backupDestination(`${name}/${backup}`, s3, earlier);
  await makeBackup(source, { to, since: earlier === null ? null : backupDestination(earlier, s3), key: null });
};

const listsAndRemoves = (shelfOf: () => Shelf): void =>
  it('are listed, and all but the newest and what a killed one has left are removed', async () => {
    const shelf = shelfOf();
    const place = backupDestination(shelf.name, shelf.s3);
    expect(await listBackups(place)).toEqual([]);
    await backUp(shelf, 'monday');
    await backUp(shelf, 'tuesday', 'monday');
    await backUp(shelf, 'another');
    await shelf.kill('killed');
    const running = await backupDestination(`${shelf.name}/running`, shelf.s3).start();
    await running.write('events.000001.gz', Buffer.from('half'));
    const listed = await listBackups(place);
    const ending = shelf.s3 === null ? '.unfinished' : '';
    expect(listed.map(({ name, state }) => [name, state])).toEqual([
      ['another', 'complete'],
      ['tuesday', 'complete'],
      ['monday', 'complete'],
      [`killed${ending}`, 'unfinished'],
      [`running${ending}`, 'unfinished'],
    ]);
    const [another, tuesday, monday] = listed;
    expect([another?.previous, tuesday?.previous]).toEqual([null, monday?.seal]);
    expect(tuesday?.bytes).toBeGreaterThan(1000);
    const removed = await pruneBackups(place, 2);
    expect(removed.map(({ name }) => name)).toEqual(['monday', `killed${ending}`]);
    expect((await listBackups(place)).map(({ name }) => name)).toEqual(['another', 'tuesday', `running${ending}`]);
    for (const gone of ['monday', `killed${ending}`]) expect(await shelf.files(gone)).toEqual([]);
    // What it shared with the removed one is still there.
    await checkFiles(await readManifest(backupDestination(`${shelf.name}/tuesday`, shelf.s3), null));
    await running.abandon();
    expect(await shelf.files(`running${ending}`)).toEqual([]);
  }, 180_000);

describe('backups in a folder', () => listsAndRemoves(inFolder));

(hasS3Server() ? describe : describe.skip)('backups in a bucket', () => {
  beforeAll(async () => {
    server = await S3Server.start();
    await new BucketRequests('kept', server.s3).send({ method: 'PUT', key: '' });
  });
  afterAll(() => server.stop());

  listsAndRemoves(inBucket);
});

describe('a folder with backups', () => {
  it('keeps what is no backup, and one that is damaged', async () => {
    const other = await mkdtemp(join(folder, 'others-'));
    await mkdir(join(other, 'photos'));
    await writeFile(join(other, 'photos', 'a.jpg'), 'x');
    await backUp({ ...inFolder(), name: other }, 'good');
    await cp(join(other, 'good'), join(other, 'bad'), { recursive: true });
    await writeFile(join(other, 'bad', manifestFile), '{');
    const place = backupDestination(other, null);
    expect((await listBackups(place)).map(({ name, state }) => [name, state])).toEqual([
      ['good', 'complete'],
      ['bad', 'damaged'],
    ]);
    expect(await pruneBackups(place, 1)).toEqual([]);
    expect((await readdir(other)).sort()).toEqual(['bad', 'good', 'photos']);
  });
});
