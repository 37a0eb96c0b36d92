import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Cluster } from './cluster.js';

/**
 * Returns all processes that work on the cluster: postmaster, backends or initdb. Orphans are included, zombies are not.
 */
export const processesOf = (cluster: Cluster): Promise<number[]> =>
  process.platform === 'linux' ? linuxProcesses(cluster) : listedProcesses(cluster);

const linuxProcesses = async (cluster: Cluster): Promise<number[]> => {
  const folders = await Promise.all([cluster.folder, cluster.initialising].map(identity));
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const ours = await Promise.all(pids.map((pid) => worksOn(cluster, folders, pid)));
  return pids.filter((_, index) => ours[index]).map(Number);
};

const worksOn = async (cluster: Cluster, folders: readonly (string | null)[], pid: string): Promise<boolean> => {
  const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (program !== 'postgres\n' && program !== 'initdb\n') return false;
  try {
    return folders.includes(await identityOf(`/proc/${pid}/cwd`));
  } catch (error) {
    // Root in a container may not be allowed to inspect processes of other accounts; their titles are readable by all.
    const hidden = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
    return hidden && (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(cluster.name);
  }
};

const identityOf = async (path: string): Promise<string> => {
  const { dev, ino } = await stat(path);
  return `${dev} ${ino}`;
};

const identity = (folder: string): Promise<string | null> => identityOf(folder).catch(() => null);

const listedProcesses = async (cluster: Cluster): Promise<number[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 1 << 26 });
  const lines = stdout.split('\n').filter((line) => line.includes(cluster.name));
  return lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid !== process.pid);
};

/** The contents of the pid file that PostgreSQL writes into its folder. */
export const readPostmaster = async (cluster: Cluster): Promise<{ pid: number; status: string } | null> => {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => null);
  const lines = text?.split('\n');
  return lines ? { pid: Number(lines[0]), status: lines[7]?.trim() ?? '' } : null;
};

/** Stops all processes that work on the cluster and returns their number. When it returns, none is left. */
export const stopProcesses = async (cluster: Cluster, patienceMs: number): Promise<number> => {
  const running = await processesOf(cluster);
  const postmaster = (await readPostmaster(cluster))?.pid;
  const orderly = running.filter((pid) => pid === postmaster);
  signal(orderly, 'SIGINT');
  const stopped =
    running.length === 0 ||
    (orderly.length > 0 && (await areGone(cluster, patienceMs))) ||
    (await areGone(cluster, 2_000, 'SIGQUIT')) ||
    (await areGone(cluster, 5_000, 'SIGKILL'));
  if (!stopped) {
    const pids = (await processesOf(cluster)).join(', ');
    throw new Error(
      `PostgreSQL in ${cluster.folder} does not end, even when killed: end ${pids}, or restart the machine`,
    );
  }
  await removePidFile(cluster);
  return running.length;
};

/**
 * Removes the file that a killed server has left. Another process may have the pid in it by now, and PostgreSQL would refuse to
 * start. On a read-only file system PostgreSQL does not start anyway.
 */
const removePidFile = async (cluster: Cluster): Promise<void> => {
  try {
    await rm(join(cluster.folder, 'postmaster.pid'), { force: true });
  } catch (error) {
    if (!isOfReadOnlyFiles(error)) throw error;
  }
};

export const isOfReadOnlyFiles = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EROFS';

/** Waits until no process is left; each process seen meanwhile gets the signal once. */
const areGone = async (cluster: Cluster, patienceMs: number, name?: NodeJS.Signals): Promise<boolean> => {
  const signalled = new Set<number>();
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const left = await processesOf(cluster);
    if (left.length === 0) return true;
    if (Date.now() > deadline) return false;
    if (name) {
      signal(
        left.filter((pid) => !signalled.has(pid)),
        name,
      );
    }
    for (const pid of left) signalled.add(pid);
    await sleep(20);
  }
};

const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};
