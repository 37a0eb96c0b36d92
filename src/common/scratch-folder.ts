import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const owned = () => `kohort-scratch-${hostname()}-`;

/**
 * A new folder for files that are needed for a while, which only this user can enter. Its name says which process made it, so that
 * another one can tell what a killed process has left.
 */
export const scratchFolder = (purpose: string): Promise<string> =>
  mkdtemp(join(tmpdir(), `${owned()}${process.pid}-${purpose}-`));

/** Removes the folders of processes of this machine and user that are no more. To be called before this process makes any. */
export const removeScratchLeftovers = async (): Promise<void> => {
  const prefix = owned();
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(/^\d+/.exec(name.slice(prefix.length))?.[0]);
    const path = join(tmpdir(), name);
    if (!pid || isAlive(pid) || !(await isOurs(path))) continue;
    await rm(path, { recursive: true, force: true });
  }
};

/** A signal 0 reaches a process without doing anything; one of another user refuses it. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const isOurs = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => null);
  return found !== null && found.isDirectory() && found.uid === process.getuid?.();
};
