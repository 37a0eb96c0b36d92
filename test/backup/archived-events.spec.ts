import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFiles, readManifest } from '../../src/operations/backup/files/manifest.js';
import { checkArchivedFiles } from '../../src/operations/backup/comparison/archived-files.js';
import { makeBackup } from '../../src/operations/backup/make-backup.js';
import { Folder } from '../../src/operations/backup/destinations/folder.js';
import { loadBackup } from '../../src/operations/backup/restore-backup.js';
import { archiveSome } from '../../src/kernel/event-log/compression/archive-day.js';
import { cleanWholly } from '../../src/kernel/event-log/compression/clean-blocks.js';
import { compressProject } from '../../src/kernel/event-log/compression/uncompressed.js';
import { removeEvents } from '../../src/kernel/event-log/removal/remove-events.js';
import { withProperties } from '../../src/kernel/projection/blocks/block-properties.js';
import { FolderObjects } from '../../src/platform/objects/folder-objects.js';
import { useEventArchive } from '../../src/platform/objects/event-archive.js';
import { assertArchiveIsKnown } from '../../src/kernel/projection/blocks/archived-rows.js';
import { BucketObjects } from '../../src/platform/objects/bucket-objects.js';
import { BucketRequests } from '../../src/platform/objects/bucket-requests.js';
import { type ObjectStore } from '../../src/platform/objects/object-store.js';
import { addEvents, newProject } from '../support/projection-scene.js';
import { hasS3Server, S3Server } from '../support/s3-server.js';
import { databases, fault, type Connected } from './backup.fixture.js';

const { open, openBare, close } = databases();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(process.env.TEST_RUN_DIR ?? '', 'archived-'));
});
afterAll(async () => {
  useEventArchive(null);
  await close();
  await rm(folder, { recursive: true, force: true });
});

const events = Array.from({ length: 500 }, (_, n) => ({
  event: 'seen',
  distinctId: `ada ${n % 20}`,
  properties: { n, text: randomBytes(n % 90).toString('hex') },
}));

/** A project whose events are all in the archive. */
const archivedIn = async (place: ObjectStore): Promise<{ readonly source: Connected; readonly project: number }> => {
  useEventArchive(place);
  const source = await open();
  const project = await newProject(source.postgres.pool);
  await addEvents(source.postgres.pool, project, events);
  await compressProject(source.postgres, project, () => undefined);
  const { rows } = await source.postgres.query<{ day: string }>('SELECT DISTINCT day::text AS day FROM event_blocks');
  for (const { day } of rows) await archiveSome(source.postgres, project, day, 0);
  const { rows: left } = await source.postgres.query('SELECT FROM event_blocks WHERE archive IS NULL');
  expect(left.length).toBe(0);
  return { source, project };
};

/** The properties of all events, by their numbers. */
const properties = async ({ postgres }: Connected, project: number) => {
  const { rows } = await postgres.query<{ uuid: string; block: string | null; properties: { n: number } | null }>(
    'SELECT uuid, block, properties FROM events WHERE project_id = $1',
    [project],
  );
  const read = await withProperties(postgres, project, rows);
  return read.map((event) => event.properties).sort((a, b) => a.n - b.n);
};

const expected = events.map((event) => event.properties);

describe('a backup of a database with archived events', () => {
  it('has them, and a restore brings them into another archive, also when they were deleted meanwhile', async () => {
    const [here, there] = [join(folder, 'here'), join(folder, 'there')];
    const { source, project } = await archivedIn(new FolderObjects(here));
    expect(await properties(source, project)).toEqual(expected);
    const key = randomBytes(32);
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const made = await makeBackup(source, { to: new Folder(first), since: null, key });
    expect(made.manifest.archivedEvents.length).toBeGreaterThan(0);
    const since = { to: new Folder(second, first), since: new Folder(first), key };
    expect((await makeBackup(source, since)).shared).toBe(made.files);

    await source.postgres.transaction((client) =>
      removeEvents(client, project, { distinctIds: ['ada 1'], receivedUpTo: new Date() }, 1000, new Date()),
    );
    await cleanWholly(source.postgres, project, () => undefined);
    expect((await properties(source, project)).length).toBe(475);

    const backup = await readManifest(new Folder(second), key);
    await checkFiles(backup);
    useEventArchive(null);
    const target = await openBare();
    expect(await fault(loadBackup(target, backup, () => undefined))).toMatch(/has archived events: set EVENT_ARCHIVE/);
    useEventArchive(new FolderObjects(there));
    await loadBackup(target, backup, () => undefined);
    expect(await properties(target, project)).toEqual(expected);
    // Nothing of the restored database comes from the archive of the other one.
    await rm(here, { recursive: true });
    expect(await properties(target, project)).toEqual(expected);
    useEventArchive(null);
    await expect(assertArchiveIsKnown(target.postgres)).rejects.toThrow('EVENT_ARCHIVE is not set');
  });

  it('is not made while a file of the archive is missing, which verify finds', async () => {
    const here = join(folder, 'missing');
    const { source, project } = await archivedIn(new FolderObjects(here));
    expect(await checkArchivedFiles(source.postgres, [project])).toEqual({ files: 1, damaged: [] });
    const [file] = (await readdir(here, { recursive: true })).filter((name) => name.endsWith('.parquet'));
    const bytes = await readFile(join(here, file ?? ''));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(join(here, file ?? ''), bytes);
    expect(await checkArchivedFiles(source.postgres, [project, project + 1])).toEqual({ files: 1, damaged: [file] });
    expect(await checkArchivedFiles(source.postgres, [project + 1])).toEqual({ files: 0, damaged: [] });
    await rm(join(here, file ?? ''));
    expect(await checkArchivedFiles(source.postgres, [project])).toEqual({ files: 1, damaged: [file] });
    const request = { to: new Folder(join(folder, 'third')), since: null, key: null };
    expect(await fault(makeBackup(source, request))).toMatch(/in EVENT_ARCHIVE is missing or damaged/);
  });
});

(hasS3Server() ? describe : describe.skip)('an archive in a bucket', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.start();
  });
  afterAll(() => server.stop());

  it('is written, read in parts and removed from', async () => {
    const bucket = new BucketRequests('events', server.s3);
    expect((await bucket.send({ method: 'PUT', key: '' })).status).toBe(200);
    const place = new BucketObjects('s3://events/of/kohort', server.s3);
    await place.write('a b/ä.parquet', Buffer.from('0123456789'));
    expect((await place.readPiece('a b/ä.parquet', 3, 6))?.toString()).toBe('345');
    await place.removeFile('a b/ä.parquet');
    await place.removeFile('a b/ä.parquet');
    expect(await place.readPiece('a b/ä.parquet', 0, 1)).toBe(null);
    const { source, project } = await archivedIn(place);
    expect(await properties(source, project)).toEqual(expected);
    await source.postgres.transaction((client) =>
      removeEvents(client, project, { distinctIds: ['ada 1'], receivedUpTo: new Date() }, 1000, new Date()),
    );
    await cleanWholly(source.postgres, project, () => undefined);
    expect((await properties(source, project)).length).toBe(475);
  });
});
