import { chmod, cp, lstat, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** npm packages contain no symbolic links; the package's install script creates them if scripts are allowed to run. */
export const linkLibraries = async (root: string): Promise<void> => {
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
 * Makes a copy that every account can read and only this one can change. It is made once, and reused while it is
 * complete.
 */
export const copyPackage = async (installed: string, folder: string, name: string): Promise<string> => {
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
 * Gives the copy its final name. When another process was faster, or another account owns the name, the existing folder
 * stays.
 */
const publish = async (installed: string, fresh: string, target: string): Promise<string> => {
  // The existing copy is ours but lost files, as happens to old files in temporary folders.
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

/** Only root and this account can write under that path; a sticky folder protects its entries. */
const isTrusted = async (folder: string): Promise<boolean> => {
  const status = await lstat(folder).catch(() => null);
  if (!status?.isDirectory()) return false;
  const owned = status.uid === 0 || status.uid === process.getuid?.();
  return owned && ((status.mode & 0o022) === 0 || (status.mode & 0o1000) !== 0);
};
