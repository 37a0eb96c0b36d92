import { Worker } from '../../../work/worker.js';
import { type Logger } from '../../../telemetry/logger.js';
import { countedRun, noteSuccess } from '../../../telemetry/background-runs.js';
import { type Cluster } from '../cluster.js';
import { endGap, hasGap, type WalArchive } from './archive.js';
import { baseBackups } from './base-backups.js';
import { makeBaseBackup } from './make-base.js';
import { moveLog } from './move-log.js';

const firstMs = 5_000;
const everyMs = 10_000;
const dayMs = 86_400_000;

/** True if a base backup is due: twice within the retention, so that at most three are kept. */
const isDue = async ({ folder, days }: WalArchive, now: Date): Promise<boolean> => {
  const [newest] = await baseBackups(folder);
  if (newest) noteSuccess('base_backup', newest.finishedAt);
  return !newest || Number(now) - Number(newest.finishedAt) >= (days * dayMs) / 2;
};

interface RunningArchive {
  stop(): Promise<void>;
  /** Moves the last files. Call it after PostgreSQL has stopped, because it ends its last file then. */
  moveRest(): Promise<void>;
}

/** Moves the log to the archive and makes base backups when they are due, until `stop` is called. */
export const startArchiving = (
  { dataDir, cluster }: { readonly dataDir: string; readonly cluster: Cluster },
  archive: WalArchive,
  logger: Logger,
): RunningArchive => {
  const warning = `The log of PostgreSQL could not be archived in ${archive.folder}; it stays in DATA_DIR, and this is tried again`;
  const round = async (): Promise<number> => {
    const { stopping } = worker;
    await countedRun('wal_archive', () => moveLog(cluster, archive.folder, stopping));
    if (hasGap(cluster) || (await isDue(archive, new Date()))) {
      const { folder } = await countedRun('base_backup', () => makeBaseBackup(dataDir, archive, stopping));
      await endGap(cluster);
      logger.info({ folder }, 'Made a base backup of the embedded PostgreSQL');
    }
    return everyMs;
  };
  const worker = new Worker({ name: 'WAL archive', warning, round, firstMs, retryMs: [everyMs, everyMs] }, logger);
  worker.start();
  return {
    stop: () => worker.stop(),
    moveRest: () => moveLog(cluster, archive.folder).catch((error: unknown) => logger.error({ err: error }, warning)),
  };
};
