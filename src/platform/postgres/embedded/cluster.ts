import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account } from './account.js';

/** A database cluster: PostgreSQL's term for one data folder and its server. */
export interface Cluster {
  readonly folder: string;
  /** Renamed to `folder` once initdb has finished. If it exists at a start, an initdb was killed. */
  readonly initialising: string;
  readonly logFile: string;
  /** Appears in the command line or title of each process of this cluster, and of no other. */
  readonly name: string;
}

export const clusterIn = async (dataDir: string): Promise<Cluster> => {
  const root = await realpath(dataDir);
  const folder = join(root, 'postgres');
  return {
    folder,
    initialising: join(root, 'postgres.initialising'),
    logFile: join(root, 'postgres.log'),
    name: `kohort-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`,
  };
};

export const isInitialised = async ({ folder }: Cluster): Promise<boolean> => {
  try {
    await stat(join(folder, 'PG_VERSION'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new Error(
      `${folder} cannot be read (${(error as Error).message}): run as the user it belongs to, or chown -R it`,
      {
        cause: error,
      },
    );
  }
};

/** The number that PostgreSQL draws when it makes a cluster. It identifies the cluster, also after a recovery. */
export const systemIdentifier = async ({ folder }: Cluster): Promise<string> =>
  String((await readFile(join(folder, 'global', 'pg_control'))).readBigUInt64LE(0));

/** True if DATA_DIR has the database of an installation; false also for a folder that does not exist. */
export const holdsInstallation = async (dataDir: string): Promise<boolean> => {
  const cluster = await clusterIn(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return cluster !== null && isInitialised(cluster);
};

/**
 * Returns arguments and options to start a program in a folder of the cluster. The account of the server may have no right to the
 * folders above it. So the working directory is entered before the account changes, and `/proc/self/cwd` names it.
 */
export const startIn = (folder: string, account: Account | null) => ({
  dataArguments: ['-D', account && process.platform === 'linux' ? '/proc/self/cwd' : folder],
  options: {
    cwd: folder,
    // The database must not depend on the caller's environment: no locale, time zone or PG* variable is inherited.
    env: { LC_ALL: 'C', TZ: 'UTC' },
    // A process group of its own, so that Ctrl-C in the terminal reaches only this process, which drains first.
    detached: true,
    ...(account ?? {}),
  },
});
