import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { clusterIn, type Cluster } from '../cluster.js';
import { spoolFolder, walFolder } from './archive.js';
import { moveLog } from './move-log.js';

const names = ['000000010000000000000001', '000000010000000000000002', '00000002.history'];

describe('the log in the spool', () => {
  let dir: string;
  let archive: string;
  let cluster: Cluster;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kohort-spool-'));
    archive = join(dir, 'archive');
    cluster = await clusterIn(dir);
    await mkdir(spoolFolder(cluster), { recursive: true });
    for (const name of names) await writeFile(join(spoolFolder(cluster), name), `${name}${'\0'.repeat(100_000)}`);
    // PostgreSQL has not finished it.
    await writeFile(join(spoolFolder(cluster), 'archtemp.000000010000000000000003.1.2'), 'half');
  });

  afterEach(() => rm(dir, { recursive: true }));

  const spooled = async () => (await readdir(spoolFolder(cluster))).sort();

  it('moves to the archive, compressed, when it is complete', async () => {
    await mkdir(walFolder(archive), { recursive: true });
    await moveLog(cluster, archive);
    expect(await spooled()).toEqual(['archtemp.000000010000000000000003.1.2']);
    expect((await readdir(walFolder(archive))).sort()).toEqual(names.map((name) => `${name}.gz`));
    const packed = await readFile(join(walFolder(archive), `${names[0]}.gz`));
    expect(packed.length).toBeLessThan(1_000);
    expect(gunzipSync(packed).toString()).toBe(`${names[0]}${'\0'.repeat(100_000)}`);
  });

  it('moves once, also when two processes do it at the same moment', async () => {
    await mkdir(walFolder(archive), { recursive: true });
    await Promise.all([moveLog(cluster, archive), moveLog(cluster, archive)]);
    expect((await readdir(walFolder(archive))).sort()).toEqual(names.map((name) => `${name}.gz`));
  });

  it('stays there while the archive is away, which is reported', async () => {
    await expect(moveLog(cluster, archive)).rejects.toThrow('ENOENT');
    expect(await spooled()).toEqual([...names, 'archtemp.000000010000000000000003.1.2']);
  });
});
