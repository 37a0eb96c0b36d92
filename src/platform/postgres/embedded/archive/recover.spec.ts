import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { StorageFault } from '../../../objects/object-store.js';
import { baseFile, baseJson } from './base-backups.js';
import { requireBase, recoverCluster } from './recover.js';

/** An archive that somebody has changed. */
let folder: string;
let archive: string;
let base: string;

const [finishedAt, startFile] = [new Date('2026-11-28T00:00:00Z'), '000000010000000000000001'];
const json = baseJson({ finishedAt, timeline: 1, startFile, stopLsn: 1n });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-recover-'));
  archive = join(folder, 'archive');
  base = join(archive, 'base', '20261128T000000000Z');
  await mkdir(join(base, 'postgres', 'base'), { recursive: true });
  await mkdir(join(archive, 'wal'));
  await mkdir(join(folder, 'outside'));
  await writeFile(join(base, baseFile), json);
  for (const name of ['postgres.json', 'postgres.admin.json']) await writeFile(join(base, name), '{}');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const recovery = () =>
  recoverCluster({ dataDir: join(folder, 'data'), archive, until: null }, () => Promise.resolve()).then(
    () => null,
    (error: unknown) => error,
  );

const refusedFor = (path: string) => {
  const message = `${path} is a link or no file, and an archive has neither: use a copy as it was written`;
  return new StorageFault(message);
};

describe('a recovery', () => {
  it('follows no link of the archive: PostgreSQL would write where it leads', async () => {
    const link = join(base, 'postgres', 'global');
    await symlink(join(folder, 'outside'), link);
    expect(await recovery()).toEqual(refusedFor(link));
    await rm(link);
    await symlink(join(folder, 'outside', 'new'), join(base, 'postgres', 'postgresql.auto.conf'));
    expect(await recovery()).toEqual(refusedFor(join(base, 'postgres', 'postgresql.auto.conf')));
    await rm(join(base, 'postgres', 'postgresql.auto.conf'));
    execFileSync('mkfifo', [join(archive, 'wal', `${startFile}.gz`)]);
    expect(await recovery()).toEqual(refusedFor(join(archive, 'wal', `${startFile}.gz`)));
    await rm(join(archive, 'wal', `${startFile}.gz`));
    await rm(join(base, 'postgres.json'));
    await symlink('/etc/hostname', join(base, 'postgres.json'));
    expect(await recovery()).toEqual(refusedFor(join(base, 'postgres.json')));
    expect(await readdir(join(folder, 'outside'))).toEqual([]);
    expect(await readdir(join(folder, 'data'))).not.toContain('postgres');
  });

  it('says which file of the archive is damaged', async () => {
    const file = join(base, baseFile);
    for (const text of ['', '{', 'null', '{}', '[]', json.replace(startFile, '../../x'), json.replace('2026', 'x')]) {
      await writeFile(file, text);
      await expect(requireBase({ archive, until: null })).rejects.toEqual(
        new StorageFault(`${file} is damaged: remove ${base}, or bring the file back`),
      );
    }
    await writeFile(file, json);
    const history = join(archive, 'wal', '00000002.history.gz');
    for (const packed of [Buffer.from('no gzip'), gzipSync(Buffer.alloc(64 * 1024 ** 2))]) {
      await writeFile(history, packed);
      await expect(requireBase({ archive, until: null })).rejects.toEqual(
        new StorageFault(`${history} is damaged: bring the file back`),
      );
    }
    expect(await readFile(file, 'utf8')).toBe(json);
  });
});
