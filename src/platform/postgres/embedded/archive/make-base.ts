import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { type Client } from 'pg';
import { syncPath, writeNew } from '../../../objects/durable-files.js';
import { withAdmin } from '../admin.js';
import { clusterIn } from '../cluster.js';
import { basesFolder, type WalArchive } from './archive.js';
import { baseFile, baseJson, lsnOf, prune, type BaseBackup } from './base-backups.js';
import { moveLog } from './move-log.js';

/** The passwords of the cluster. Without them a recovered cluster could not be opened. */
export const passwordFiles = ['postgres.json', 'postgres.admin.json'];

/** Folders that are copied empty: the server makes their contents again, or a recovery takes them from the archive. */
const emptied = [
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
const leftOut =
  /^(?:archived|archive\.gap|postmaster\.(?:pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label.*|tablespace_map.*|recovery\.signal)$/;

const archivingMs = 600_000;

/** Copies the files of the running cluster into its archive, and removes what the archive no longer needs. */
export const makeBaseBackup = (dataDir: string, archive: WalArchive, signal?: AbortSignal): Promise<BaseBackup> =>
  withAdmin(dataDir, async (client) => {
    // The service and a command may make a base backup at the same moment. The lock ends with the connection.
    await client.query(`SELECT pg_advisory_lock(${lockKey})`);
    await removeUnfinished(archive.folder);
    const folder = join(basesFolder(archive.folder), new Date().toISOString().replaceAll(/[-:.]/g, ''));
    await mkdir(folder, { mode: 0o700 });
    try {
      const base = await copied(client, { dataDir, archive: archive.folder, folder, signal });
      await prune(archive, new Date());
      return base;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  });

const lockKey = 5_011_220_271;

/** Removes base backups that a killed process did not finish. */
const removeUnfinished = async (archive: string): Promise<void> => {
  for (const name of await readdir(basesFolder(archive))) {
    const files = await readdir(join(basesFolder(archive), name));
    if (!files.includes(baseFile)) await rm(join(basesFolder(archive), name), { recursive: true, force: true });
  }
};

interface Copy {
  readonly dataDir: string;
  readonly archive: string;
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
}

const copied = async (client: Client, { dataDir, archive, folder, signal }: Copy): Promise<BaseBackup> => {
  const cluster = await clusterIn(dataDir);
  await client.query(`SELECT pg_backup_start('kohort', true)`);
  const target = join(folder, 'postgres');
  await copyFolder(cluster.folder, target, signal);
  await client.query(`SET statement_timeout = ${archivingMs}`);
  // pg_backup_stop waits until the spool has the log that the copy needs.
  const { rows } = await client.query<{ labelfile: string; lsn: string; now: Date }>(
    'SELECT labelfile, lsn::text, clock_timestamp() AS now FROM pg_backup_stop(true)',
  );
  const [stopped] = rows;
  if (!stopped) throw new Error('pg_backup_stop has returned no row');
  const { labelfile, lsn, now } = stopped;
  await writeNew(join(target, 'backup_label'), labelfile);
  for (const name of passwordFiles) await copySynced(join(dataDir, name), join(folder, name));
  const [, startFile = ''] = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(labelfile) ?? [];
  const [, timeline = ''] = /^START TIMELINE: (\d+)$/m.exec(labelfile) ?? [];
  await moveLog(cluster, archive);
  const base = { finishedAt: now, timeline: Number(timeline), startFile, stopLsn: lsnOf(lsn) };
  await writeNew(join(folder, baseFile), baseJson(base));
  await syncPath(folder);
  return { folder, ...base };
};

/** Copies the files of a running server. Changes meanwhile are repaired by the log; files of dropped tables may vanish. */
const copyFolder = async (from: string, to: string, signal: AbortSignal | undefined): Promise<void> => {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    signal?.throwIfAborted();
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (leftOut.test(entry.name)) continue;
    if (emptied.includes(entry.name)) await mkdir(target, { mode: 0o700 });
    else if (entry.isDirectory()) await copyFolder(source, target, signal);
    else if (entry.isFile()) await copySynced(source, target).catch(unlessVanished);
  }
  await syncPath(to);
};

const unlessVanished = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};

const copySynced = async (from: string, to: string): Promise<void> => {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await syncPath(to);
};
