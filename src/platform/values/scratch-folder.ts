import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const owned = () => `kohort-scratch-${hostname()}-`;

/**
 * Creates a temporary folder that only this user can enter. Its name contains the pid of this process, so that another
 * process can recognise what a killed one has left.
 */
export const scratchFolder = (purpose: string): Promise<string> =>
  mkdtemp(join(tmpdir(), `${owned()}${process.pid}-${purpose}-`));

/**
 * Removes the folders that ended processes of this user have left on this machine. Call it before this process creates any.
 */
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

/** Signal 0 only checks whether a process exists; a process of another user refuses it. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const isOurs = async (path: string): Promise<boolean> => {
  const status = await stat(path).catch(() => null);
  return status !== null && status.isDirectory() && status.uid === process.getuid?.();
};
