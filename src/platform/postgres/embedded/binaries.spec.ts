import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from './binaries.js';

const asRoot = process.getuid?.() === 0 ? it : it.skip;
const account = { uid: 65_534, gid: 65_534 };

describe('the binaries of the embedded PostgreSQL', () => {
  let root: string;
  let installed: string;
  let folder: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kohort-binaries-'));
    await chmod(root, 0o755);
    [installed, folder] = [join(root, 'private', 'package'), join(root, 'place')];
    await mkdir(installed, { recursive: true });
    await mkdir(folder);
    const { postgres } = await findBinaries(null);
    const original = join(dirname(postgres), '..', '..');
    const copy = (how: string) => promisify(execFile)('cp', [how, `${original}/.`, installed]);
    // Uses hard links when the file system allows them: sixty megabytes need not be written for each test.
    await copy('-al').catch(() => copy('-a'));
    for (const entry of await readdir(join(installed, 'native', 'lib'), { withFileTypes: true })) {
      if (entry.isSymbolicLink()) await rm(join(installed, 'native', 'lib', entry.name));
    }
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it('run although no install script has linked their libraries', async () => {
    const { postgres, major } = await findBinaries(null, { installed, folders: [] });
    expect(postgres).toBe(join(installed, 'native', 'bin', 'postgres'));
    expect(major).toBe('18');
  });

  asRoot('are copied where the account can execute them, once, and again when the copy lost a file', async () => {
    await chmod(join(root, 'private'), 0o700);
    const search = { installed, folders: [folder] };
    const found = await Promise.all([1, 2].map(() => findBinaries(account, search)));
    expect(new Set(found.map(({ postgres }) => postgres)).size).toBe(1);
    const [copy] = await readdir(folder);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^kohort-postgres-18[^/]*-0$/)]);
    const { ino } = await stat(join(folder, copy ?? ''));
    await findBinaries(account, search);
    expect((await stat(join(folder, copy ?? ''))).ino).toBe(ino);
    const lost = join(folder, copy ?? '', 'native', 'share', 'postgresql', 'postgres.bki');
    await rm(lost);
    await findBinaries(account, search);
    expect((await stat(lost)).size).toBeGreaterThan(0);
  });

  asRoot('are never taken from a copy or a place that others can change', async () => {
    await chmod(join(root, 'private'), 0o700);
    const { postgres } = await findBinaries(account, { installed, folders: [folder] });
    await chmod(join(dirname(postgres), '..', '..'), 0o777);
    const other = await findBinaries(account, { installed, folders: [folder] });
    expect(other.postgres).not.toBe(postgres);
    await chmod(folder, 0o777);
    await expect(findBinaries(account, { installed, folders: [folder] })).rejects.toThrow(/set DATABASE_URL$/);
  });
});
