import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account } from './account.js';

/** A database cluster: what PostgreSQL calls one data folder and the server on it. */
export interface Cluster {
  readonly folder: string;
  /** Becomes `folder` once initdb has finished; found at a start, it is what a killed initdb left. */
  readonly initialising: string;
  readonly logFile: string;
  /** In the command line or title of each process of this cluster, and of no other. */
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

/**
 * How to start a program in a folder of the cluster. The lent account may not be able to walk the folders above it;
 * the working directory is entered before the account changes, and `/proc/self/cwd` names it without walking.
 */
export const startIn = (folder: string, account: Account | null) => ({
  dataArguments: ['-D', account && process.platform === 'linux' ? '/proc/self/cwd' : folder],
  options: {
    cwd: folder,
    // The database must not depend on who starts it: no locale, time zone or PG* variable is inherited.
    env: { LC_ALL: 'C', TZ: 'UTC' },
    // A group of its own, so that Ctrl-C in the terminal reaches this process only, which drains first.
    detached: true,
    ...(account ?? {}),
  },
});
