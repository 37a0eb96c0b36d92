import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { baseFile, baseFor, baseJson, expiredBases, isNeeded, lsnOf, prune, type BaseBackup } from './base-backups.js';

const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

const baseOf = (n: number, more: Partial<BaseBackup> = {}): BaseBackup => ({
  ...{ folder: String(n), finishedAt: day(n), timeline: 1, stopLsn: BigInt(n) << 24n },
  ...{ startFile: `00000001000000000000000${n}`, ...more },
});

describe('base backups', () => {
  it('are kept as long as a recovery within the retention may start from them', () => {
    const days = [9, 6, 3, 1].map((n) => baseOf(n));
    const expired = (retention: number) => expiredBases(days, retention, day(10)).map(({ folder }) => folder);
    // A recovery of the 4th or 5th starts from the backup of the 3rd.
    expect([expired(6), expired(4), expired(1), expired(9), expired(30)]).toEqual([
      ['1'],
      ['3', '1'],
      ['6', '3', '1'],
      [],
      [],
    ]);
  });

  it('need the log from their first file on, in each timeline', () => {
    const needed = (file: string) => isNeeded(file, baseOf(3));
    expect(
      [
        '000000010000000000000002.gz',
        '000000010000000000000003.gz',
        '000000020000000000000002.gz',
        '00000002.history.gz',
      ].map(needed),
    ).toEqual([false, true, false, true]);
  });

  it('read a place in the log', () => {
    expect([lsnOf('0/2000028'), lsnOf('1/0')]).toEqual([0x2000028n, 0x100000000n]);
  });
});

describe('an archive', () => {
  let archive: string;

  const add = async (base: BaseBackup): Promise<void> => {
    const folder = join(archive, 'base', base.folder);
    await mkdir(join(folder, 'postgres'), { recursive: true });
    await writeFile(join(folder, baseFile), baseJson(base));
  };
  const log = (file: string, text = '') => writeFile(join(archive, 'wal', `${file}.gz`), gzipSync(text));
  const found = async (until: Date | null) => (await baseFor(archive, until))?.finishedAt;

  beforeAll(async () => {
    archive = await mkdtemp(join(tmpdir(), 'kohort-archive-'));
    await mkdir(join(archive, 'base', 'unfinished'), { recursive: true });
    await mkdir(join(archive, 'wal'));
    for (const n of [1, 3, 6]) await add(baseOf(n));
    for (const n of [1, 2, 3, 4, 5, 6]) await log(`00000001000000000000000${n}`);
  });

  afterAll(() => rm(archive, { recursive: true }));

  it('starts from the newest base backup that was finished by then', async () => {
    expect(await Promise.all([null, day(6), day(5), day(1), new Date(0)].map(found))).toEqual([
      ...[day(6), day(6), day(3), day(1), undefined],
    ]);
  });

  it('starts from one before the place where a recovery left the old history', async () => {
    await log('00000002.history', `1\t0/4800000\tbefore 2026-01-04 12:00:00+00\n`);
    expect(await Promise.all([null, day(6), day(2)].map(found))).toEqual([day(3), day(3), day(1)]);
    await add(baseOf(7, { timeline: 2, startFile: '000000020000000000000007' }));
    expect(await Promise.all([null, day(6)].map(found))).toEqual([day(7), day(3)]);
  });

  it('loses what no recovery within the retention needs', async () => {
    await prune({ folder: archive, days: 5 }, day(9));
    expect((await readdir(join(archive, 'base'))).sort()).toEqual(['3', '6', '7', 'unfinished']);
    expect((await readdir(join(archive, 'wal'))).sort()).toEqual([
      ...[3, 4, 5, 6].map((n) => `00000001000000000000000${n}.gz`),
      '00000002.history.gz',
    ]);
  });
});
