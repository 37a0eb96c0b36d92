import { afterAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeScratchLeftovers, scratchFolder } from './scratch-folder.js';

describe('a scratch folder', () => {
  const made: string[] = [];
  afterAll(() => Promise.all(made.map((path) => rm(path, { recursive: true, force: true }))));

  it('is new and private, and stays while its process lives', async () => {
    const folder = await scratchFolder('spec');
    made.push(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await removeScratchLeftovers();
    expect((await stat(folder)).isDirectory()).toBe(true);
  });

  it('is removed with what is in it when its process is no more, and nothing else is', async () => {
    const { pid } = spawnSync('true');
    const folder = await scratchFolder('spec');
    const left = folder.replace(`-${process.pid}-`, `-${pid}-`);
    await rename(folder, left);
    await writeFile(join(left, 'upload'), 'ada@example.test');
    const other = join(dirname(left), 'kohort-scratch-of-another-machine-1-spec-x');
    await mkdir(other, { recursive: true });
    made.push(left, other);
    await removeScratchLeftovers();
    await expect(stat(left)).rejects.toThrow(/ENOENT/);
    expect((await stat(other)).isDirectory()).toBe(true);
  });
});
