import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BackupKey } from '../../src/operations/backup/files/backup-key.js';
import {
  type Manifest,
  type Part,
  checkFiles,
  readManifest,
  writtenManifest,
} from '../../src/operations/backup/files/manifest.js';
import { makeBackup } from '../../src/operations/backup/make-backup.js';
import { Bucket } from '../../src/operations/backup/destinations/bucket.js';
import { Folder } from '../../src/operations/backup/destinations/folder.js';
import { manifestFile, type BackupDestination } from '../../src/operations/backup/destinations/destination.js';
import { assertKnownMigrations, loadBackup } from '../../src/operations/backup/restore-backup.js';
import { tablesIn } from '../../src/operations/backup/tables/loading-schema.js';
import { useEventArchive } from '../../src/platform/objects/event-archive.js';
import { FolderObjects } from '../../src/platform/objects/folder-objects.js';
import { newProject } from '../support/projection-scene.js';
import { addPerson, databases, fault, type Connected } from './backup.fixture.js';

/** A backup without a key that somebody else has written: whatever it says, a restore writes to its stores only. */
const { open, openBare, close } = databases();
let folder: string;
let honest: Manifest;
let target: Connected;
let at = '';
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(process.env.TEST_RUN_DIR ?? '', 'hostile-backup-'));
  const source = await open();
  await addPerson(source, await newProject(source.postgres.pool), 'ada');
  await makeBackup(source, { to: new Folder(join(folder, 'honest')), since: null, key: null });
  honest = (await readManifest(new Folder(join(folder, 'honest')), null)).manifest;
  target = await openBare();
  useEventArchive(new FolderObjects(join(folder, 'archive')));
});
afterAll(async () => {
  useEventArchive(null);
  await close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  at = join(folder, `hostile-${(made += 1)}`);
  await cp(join(folder, 'honest'), at, { recursive: true });
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Writes the manifest as anyone can who has no key. */
const forge = (change: object): Promise<void> =>
  writeFile(join(at, manifestFile), writtenManifest({ ...honest, ...change }, new BackupKey(null)).text);

/** As the command does it. */
const restore = async (place: BackupDestination = new Folder(at)): Promise<void> => {
  const backup = await readManifest(place, null);
  assertKnownMigrations(backup);
  await checkFiles(backup);
  await loadBackup(target, backup, () => undefined);
};

const partOf = (bytes: Buffer, change: Partial<Part> = {}): Part => ({
  file: 'part.gz',
  size: gzipSync(bytes).length,
  sha256: sha256(gzipSync(bytes)),
  bytes: bytes.length,
  content: sha256(bytes),
  ...change,
});

const tables = (part: unknown) => [{ ...honest.tables[0], parts: [part] }];

const notValid = /its manifest\.json has (migrations|tables|archivedEvents|sequences) that no backup has: use another/;

describe('a restore of a forged backup', () => {
  it('writes no archived file outside of the archive', async () => {
    const bytes = Buffer.from('written by a restore');
    await writeFile(join(at, 'part.gz'), gzipSync(bytes));
    const names = [
      ...['../outside.parquet', '/../outside.parquet', '1/2026-11-28/../../../outside.parquet', '..', '', 'outside'],
      ...[`${folder}/outside.parquet`, '1/2026-11-28/\0.parquet', '1\\2026-11-28\\x.parquet', '1/2026-11-28/.parquet'],
    ];
    for (const name of names) {
      await forge({ archivedEvents: [{ name, part: partOf(bytes) }] });
      expect([name, await fault(restore())]).toEqual([name, expect.stringMatching(notValid)]);
    }
    expect((await readdir(folder)).filter((name) => /outside|archive$/.test(name))).toEqual([]);
  });

  it('reads no file outside of the backup', async () => {
    for (const file of [
      '../honest/manifest.json',
      '/etc/passwd',
      '/dev/zero',
      '..',
      '.',
      '',
      'a\0b',
      'x'.repeat(5000),
    ]) {
      await forge({ tables: tables(partOf(Buffer.alloc(0), { file })) });
      expect([file, await fault(restore())]).toEqual([file, expect.stringMatching(notValid)]);
    }
  });

  it('follows no link, and waits for nobody who would write', async () => {
    const bytes = gzipSync('x');
    await writeFile(join(folder, 'secret'), bytes);
    await forge({ tables: tables(partOf(Buffer.from('x'))) });
    await symlink(join(folder, 'secret'), join(at, 'part.gz'));
    expect(await fault(restore())).toMatch(/part\.gz cannot be read/);
    await rm(join(at, 'part.gz'));
    execFileSync('mkfifo', [join(at, 'part.gz')]);
    expect(await fault(restore())).toMatch(/part\.gz cannot be read/);
    await rm(join(at, manifestFile));
    await symlink(join(folder, 'honest', manifestFile), join(at, manifestFile));
    expect(await fault(restore())).toMatch(/manifest\.json cannot be read/);
  });

  it('takes no more memory than the parts of a backup need', async () => {
    const bomb = Buffer.alloc(64 * 1024 ** 2);
    await writeFile(join(at, 'part.gz'), gzipSync(bomb));
    await forge({ tables: tables(partOf(bomb, { bytes: 2 ** 40 })) });
    expect(await fault(restore())).toMatch(notValid);
    await forge({ tables: tables(partOf(bomb, { bytes: 100 })) });
    expect(await fault(restore())).toMatch(/is damaged, because part\.gz is not as it was written/);

    const before = process.memoryUsage().rss;
    await truncate(join(at, 'part.gz'), 1.5 * 1024 ** 3);
    await forge({ tables: tables(partOf(Buffer.from('x'))) });
    expect(await fault(restore())).toMatch(/is damaged, because part\.gz is not as it was written/);
    await truncate(join(at, manifestFile), 1.5 * 1024 ** 3);
    expect(await fault(restore())).toMatch(/manifest\.json is not as it was written/);
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 ** 2);
  });

  it('is refused for what is no list, text or number where one belongs', async () => {
    const [part] = honest.tables.flatMap(({ parts }) => parts);
    const forged: object[] = [
      { tables: null },
      { tables: {} },
      { tables: [null] },
      { tables: [{ name: 'persons' }] },
      { tables: [{ name: 'persons', columns: 'id', rows: 0, parts: [] }] },
      { tables: [{ name: ['persons'], columns: [], rows: 0, parts: [] }] },
      { tables: [{ name: 'persons; DROP', columns: [], rows: 0, parts: [] }] },
      { tables: tables({ ...part, size: -1 }) },
      { tables: tables({ ...part, size: 1.5 }) },
      { tables: tables({ ...part, size: '1' }) },
      { tables: tables({ ...part, bytes: null }) },
      { tables: tables({ ...part, sha256: 7 }) },
      { archivedEvents: 'none' },
      { archivedEvents: [{ name: '1/2026-11-28/a.parquet' }] },
      { migrations: 'all' },
      { migrations: [7] },
      { sequences: null },
      { sequences: [{ name: 'persons_id_seq', value: 'x' }] },
      { sequences: [{ name: {}, value: '1' }] },
    ];
    for (const change of forged) {
      await forge(change);
      expect([change, await fault(restore())]).toEqual([change, expect.stringMatching(notValid)]);
    }
    for (const text of ['null', '[]', '{"manifest":null,"seal":"x"}', '['.repeat(1e6), '\0']) {
      await writeFile(join(at, manifestFile), text);
      expect([text.slice(0, 40), await fault(restore())]).toEqual([
        text.slice(0, 40),
        expect.stringMatching(/manifest\.json is not as it was written/),
      ]);
    }
  });

  it('writes no statement that the restore runs', async () => {
    for (const [name, column] of [
      ['later_definitions', 'definition'],
      ['loaded_files', 'file'],
    ] as const) {
      await forge({ tables: [{ name, columns: [column], rows: 0, parts: [] }] });
      expect(await fault(restore())).toBe(`this release has no ${name} of the table ${name} in the backup`);
    }
  });

  it('has left no table', async () => {
    expect(await tablesIn(target.postgres)).toEqual([]);
  });
});

describe('a bucket that lies', () => {
  let server: Server;
  let answer: (response: ServerResponse) => void;
  const bucket = () => {
    const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return new Bucket('s3://bucket/prefix', { keyId: 'key', secret: 's', sessionToken: null, region: 'x', endpoint });
  };

  beforeAll(async () => {
    server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

  it('is not read beyond what the manifest says, and not beyond what a manifest can have', async () => {
    let sent = 0;
    answer = (response) => {
      const more = (): void => {
        while (!response.destroyed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536, ' '))) return void response.once('drain', more);
        }
      };
      more();
    };
    const read = (await bucket().read('part.gz', 1000))?.length ?? 0;
    expect(read).toBeGreaterThan(1000);
    expect(read).toBeLessThan(200_000);
    expect(sent).toBeLessThan(32 * 1024 ** 2);
  });

  it('says nothing to the terminal of the operator', async () => {
    answer = (response) =>
      void response.writeHead(403).end('<Error><Code>\u001b]0;owned\u0007\u001b[2J</Code><Message>x</Message></Error>');
    expect(await fault(bucket().read(manifestFile, 1000))).toBe(
      'the bucket bucket refuses (status 403): check AWS_ENDPOINT_URL and AWS_REGION',
    );
  });

  it('leads nowhere else', async () => {
    const path = join(folder, 'honest', manifestFile);
    const text = await readFile(path);
    answer = (response) => void response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end(text);
    expect(await fault(bucket().read(manifestFile, 1e6))).toBe(
      'the bucket bucket refuses (status 301): check AWS_ENDPOINT_URL and AWS_REGION',
    );
  });
});
