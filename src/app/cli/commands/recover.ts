import { resolve } from 'node:path';
import { CommandRefused, requireFlag, UsageError, type Command, type Flags, type GivenWords } from '../command.js';

export const baseBackupCommand: Command = {
  name: 'base-backup',
  usage: 'base-backup',
  summary:
    'copy the files of the embedded PostgreSQL into WAL_ARCHIVE_DIR now, while the service runs, which does so by itself',
  options: {},
  check: ({ config }) => {
    if (!config.walArchive) throw new CommandRefused('WAL_ARCHIVE_DIR is not set: it names the folder of the archive');
  },
  run: async ({ config: { dataDir, walArchive } }) => {
    const { makeBaseBackup } = await import('../../../platform/postgres/embedded/archive/make-base.js');
    const { baseBackups } = await import('../../../platform/postgres/embedded/archive/base-backups.js');
    if (!walArchive) throw new CommandRefused('WAL_ARCHIVE_DIR is not set');
    const { folder, finishedAt } = await makeBaseBackup(dataDir, walArchive);
    const all = await baseBackups(walArchive.folder);
    const oldest = all.at(-1)?.finishedAt ?? finishedAt;
    return { base_backup: folder, recoverable_since: oldest.toISOString(), base_backups: all.length };
  },
};

export const recoverCommand: Command = {
  name: 'recover',
  usage: 'recover --from archive --until 2026-11-27T12:00:00Z',
  summary: 'make an empty DATA_DIR as it was at any moment that a WAL_ARCHIVE_DIR has; the service must not run',
  options: {
    from: { value: 'FOLDER', about: 'the folder that was WAL_ARCHIVE_DIR' },
    until: {
      value: 'TIME',
      about: 'the moment, in ISO 8601 with its zone; the last one that the archive has when left out',
    },
  },
  begins: true,
  alone: true,
  check: async ({ config, flags }) => {
    const { requireBase, assertNoStores } = await import('../../../platform/postgres/embedded/archive/recover.js');
    const request = { archive: resolve(requireFlag(flags, 'from')), until: momentOf(flags) };
    if (config.databaseUrl) throw new CommandRefused('recover makes an embedded PostgreSQL: unset DATABASE_URL');
    await assertNoStores(config.dataDir);
    await requireBase(request);
  },
  prepare: (given) => recoverFiles(given),
  run: async (context) => {
    const { fillClickHouse, withClickHouse } = await import('../clickhouse.js');
    const filled = await withClickHouse(context, (clickhouse) => fillClickHouse(context, clickhouse));
    return { until: momentOf(context.flags)?.toISOString() ?? null, ...filled };
  },
  nullMeans: { until: 'the end of the archive' },
};

const momentOf = ({ until }: Flags): Date | null => {
  if (until === undefined) return null;
  const moment = new Date(until);
  if (!/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/.test(until) || Number.isNaN(Number(moment)))
    throw new UsageError('--until must be a moment with its zone, such as 2026-11-27T12:00:00Z');
  return moment;
};

const recoverFiles = async ({ config, flags }: GivenWords): Promise<void> => {
  const { lockDataDir } = await import('../../../platform/embedded/data-dir.js');
  const { recoverCluster } = await import('../../../platform/postgres/embedded/archive/recover.js');
  const lock = await lockDataDir(config.dataDir);
  try {
    const request = { dataDir: config.dataDir, archive: resolve(requireFlag(flags, 'from')), until: momentOf(flags) };
    await recoverCluster(request, requestContents);
  } finally {
    await lock.release();
  }
};

/** Makes the next service on this cluster fill ClickHouse from it, in case this command ends before it has done so. */
const requestContents = async (url: URL): Promise<void> => {
  const { connect } = await import('../../../kernel/stores/open-postgres.js');
  const { entities } = await import('../../entities.js');
  const { migratePostgres, underMigrationLock } = await import('../../../kernel/stores/migrate.js');
  const { requestAll } = await import('../../../operations/backup/request-contents.js');
  const { dataSource, postgres } = await connect(url, entities);
  try {
    await underMigrationLock(dataSource, () => migratePostgres({ dataSource, postgres }));
    await requestAll(postgres);
  } finally {
    await dataSource.destroy();
  }
};
