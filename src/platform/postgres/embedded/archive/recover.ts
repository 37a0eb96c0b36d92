import { constants } from 'node:fs';
import { cp, copyFile, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureDataDir } from '../../../embedded/data-dir.js';
import { entriesIn, syncPath } from '../../../objects/durable-files.js';
import { StorageFault } from '../../../objects/object-store.js';
import { serverAccount } from '../account.js';
import { findBinaries } from '../binaries.js';
import { clusterIn, holdsInstallation } from '../cluster.js';
import { connectionUrl, newConnection, readConnection, writeConnection } from '../connection.js';
import { giveTo } from '../initialise.js';
import { launch, type Site } from '../launch.js';
import { stopProcesses } from '../processes.js';
import { archiveSettings, spoolFolder, walFolder } from './archive.js';
import { baseFor, baseBackups, isNeeded, type BaseBackup } from './base-backups.js';
import { passwordFiles } from './make-base.js';

export interface Recovery {
  readonly dataDir: string;
  /** The folder that was the WAL_ARCHIVE_DIR of the lost installation. */
  readonly archive: string;
  /** The moment to go back to; null: the last one that the archive has. */
  readonly until: Date | null;
}

/** A day, because PostgreSQL may have to replay the log of many days. */
const replayMs = 86_400_000;
const stopMs = 60_000;

/** Returns the base backup from which that moment can be reached, or throws. */
export const requireBase = async ({ archive, until }: Omit<Recovery, 'dataDir'>): Promise<BaseBackup> => {
  const base = await baseFor(archive, until);
  if (base) return base;
  const oldest = (await baseBackups(archive)).at(-1);
  if (!oldest) throw new StorageFault(`${archive} has no base backup: name the folder that was WAL_ARCHIVE_DIR`);
  throw new StorageFault(
    `the oldest base backup in ${archive} was finished at ${oldest.finishedAt.toISOString()}: --until must be later`,
  );
};

/** A recovery needs a folder without stores, because it would replace them. */
export const assertNoStores = async (dataDir: string): Promise<void> => {
  const names = (await entriesIn(dataDir)).map(({ name }) => name);
  const store = (await holdsInstallation(dataDir)) ? 'postgres' : names.find((name) => name === 'clickhouse');
  if (store) throw new StorageFault(`${dataDir} has ${store} already: move it away, or name an empty DATA_DIR`);
};

/**
 * Makes the cluster of DATA_DIR as it was at that moment. `complete` works on it before it gets its name, so that a killed
 * recovery leaves no cluster, and the next one starts from the beginning. The caller holds the lock of DATA_DIR.
 */
export const recoverCluster = async (
  { dataDir, archive, until }: Recovery,
  complete: (url: URL) => Promise<void>,
): Promise<BaseBackup> => {
  const base = await requireBase({ archive, until });
  await ensureDataDir(dataDir);
  const cluster = await clusterIn(dataDir);
  const draft = { ...cluster, folder: `${cluster.folder}.recovering` };
  const account = await serverAccount(draft.folder);
  await stopProcesses(draft, stopMs);
  await rm(draft.folder, { recursive: true, force: true });
  await cp(join(base.folder, 'postgres'), draft.folder, { recursive: true, filter: assertPlain });
  await copyLog(archive, join(draft.folder, replayed), base);
  await mkdir(spoolFolder(draft));
  await writeFile(join(draft.folder, 'recovery.signal'), '');
  if (account) await giveTo(account, draft.folder);
  for (const name of passwordFiles) await copyPlain(join(base.folder, name), join(dataDir, name));
  const connection = await newConnection(await readConnection(dataDir));
  await writeConnection(dataDir, connection);
  const site: Site = {
    ...{ dataDir, cluster: draft, account, binaries: await findBinaries(account) },
    settings: { ...archiveSettings, ...recoverySettings(until) },
    recoveryMs: replayMs,
  };
  await launch(site, connection).catch((error: Error) => {
    throw new StorageFault(reasonOf(error.message, until), { cause: error });
  });
  try {
    await complete(connectionUrl(connection));
  } finally {
    await stopProcesses(draft, stopMs);
  }
  await rm(join(draft.folder, replayed), { recursive: true });
  await rename(draft.folder, cluster.folder);
  await syncPath(dirname(cluster.folder));
  return base;
};

/** The folder for the log to replay. It is in the folder of the cluster, which the account of PostgreSQL can always reach. */
const replayed = 'replayed';

const copyLog = async (archive: string, to: string, base: BaseBackup): Promise<void> => {
  await mkdir(to);
  for (const file of await readdir(walFolder(archive)))
    if (isNeeded(file, base)) await copyPlain(join(walFolder(archive), file), join(to, file));
};

/** Refuses links, which no base backup has: PostgreSQL would write to the files to which they lead. */
const assertPlain = async (path: string): Promise<true> => {
  const status = await lstat(path);
  if (!status.isFile() && !status.isDirectory())
    throw new StorageFault(`${path} is a link or no file, and an archive has neither: use a copy as it was written`);
  return true;
};

const copyPlain = async (from: string, to: string): Promise<void> => {
  await assertPlain(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
};

/** 1 tells PostgreSQL that the archive ends here. A code above 125 ends the recovery, as it must for an unreadable file. */
const restoreCommand = `test -f ${replayed}/%f.gz || exit 1; gzip -dc ${replayed}/%f.gz > "%p" || exit 200`;

const recoverySettings = (until: Date | null): Readonly<Record<string, string>> => ({
  restore_command: restoreCommand,
  recovery_target_timeline: 'latest',
  // No connection is accepted before the moment is reached.
  hot_standby: 'off',
  // At this point of its start, PostgreSQL does not know the names of time zones, such as `Z`.
  ...(until && { recovery_target_time: until.toISOString().replace('Z', '+00'), recovery_target_action: 'promote' }),
});

const reasonOf = (message: string, until: Date | null): string =>
  message.includes('recovery ended before configured recovery target was reached')
    ? `the archive ends before ${until?.toISOString()}: give an earlier moment, or leave out --until to recover all that it has`
    : message;
