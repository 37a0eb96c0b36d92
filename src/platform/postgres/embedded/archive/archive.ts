import { existsSync } from 'node:fs';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageFault } from '../../../objects/object-store.js';
import { type Account } from '../account.js';
import { type Cluster } from '../cluster.js';
import { readPrivate, writePrivate } from '../private-file.js';

/** A folder with base backups of a cluster and the write-ahead log since, from which it can be recovered as of any moment. */
export interface WalArchive {
  readonly folder: string;
  /** How far back a recovery must be able to go. */
  readonly days: number;
}

export const walFolder = (folder: string): string => join(folder, 'wal');

export const basesFolder = (folder: string): string => join(folder, 'base');

/** The folder into which PostgreSQL copies its log. It is in the folder of the cluster, which PostgreSQL can always reach. */
export const spoolFolder = ({ folder }: Cluster): string => join(folder, spool);

const spool = 'archived';

export const ensureArchive = async (
  { folder }: WalArchive,
  cluster: Cluster,
  account: Account | null,
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await mkdir(basesFolder(folder), { recursive: true, mode: 0o700 });
  await mkdir(walFolder(folder), { recursive: true, mode: 0o700 });
  await mkdir(spoolFolder(cluster), { recursive: true, mode: 0o700 });
  if (account) await chown(spoolFolder(cluster), account.uid, account.gid);
};

/** Ends each file of the log after a minute, so that little more is lost with the disk of DATA_DIR. */
export const archiveSettings: Readonly<Record<string, string>> = {
  archive_mode: 'on',
  archive_library: 'basic_archive',
  'basic_archive.archive_directory': spool,
  archive_timeout: '60s',
};

const gapFile = ({ folder }: Cluster): string => join(folder, 'archive.gap');

/** Call it when a cluster starts without an archive: the archive will lack the log from now on, and needs a new base backup. */
export const markGap = async (cluster: Cluster): Promise<void> => {
  if (existsSync(spoolFolder(cluster))) await writeFile(gapFile(cluster), '', { mode: 0o600 });
};

export const hasGap = (cluster: Cluster): boolean => existsSync(gapFile(cluster));

export const endGap = (cluster: Cluster): Promise<void> => rm(gapFile(cluster), { force: true });

interface Owner {
  readonly system: string;
}

/** The logs of two clusters have the same file names, so an archive belongs to the first cluster that used it. */
export const claimArchive = async ({ folder }: WalArchive, system: string): Promise<void> => {
  const file = join(folder, 'cluster.json');
  const owner = await readPrivate<Owner>(file, (value) =>
    typeof value.system === 'string' ? { system: value.system } : null,
  );
  if (owner === null) await writePrivate(file, { system });
  else if (owner.system !== system)
    throw new StorageFault(`${folder} has the archive of another installation: set WAL_ARCHIVE_DIR to an empty folder`);
};
