import { type DataSource } from 'typeorm';
import { type Logger } from '../../platform/telemetry/logger.js';
import { ConfigError, type Config } from '../../platform/config/config.js';
import { entities } from '../entities.js';
import { assertArchiveIsKnown } from '../../kernel/projection/blocks/archived-rows.js';
import { useConfiguredArchive } from '../../platform/objects/event-archive.js';
import { dataDirFault, explaining } from '../../platform/embedded/data-dir-faults.js';
import { lockDataDir } from '../../platform/embedded/data-dir.js';
import { connect, connectToServer, openPostgres } from '../../kernel/stores/open-postgres.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { migratePostgres, underMigrationLock } from '../../kernel/stores/migrate.js';
import { holdsInstallation } from '../../platform/postgres/embedded/cluster.js';
import { runningEmbeddedPostgres } from '../../platform/postgres/embedded/server.js';

export interface Database {
  readonly postgres: Postgres;
  readonly dataSource: DataSource;
  /** True if a running service owns the embedded stores of DATA_DIR: the command can share only its PostgreSQL. */
  readonly besideService: boolean;
  readonly migrated: readonly string[];
}

/**
 * Opens PostgreSQL for one command: the configured server, the embedded one of the running service, or an embedded one that
 * runs as long as the command.
 */
export const withDatabase = async <T>(
  config: Config,
  logger: Logger,
  { begins, alone }: { readonly begins: boolean; readonly alone: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  useConfiguredArchive(config);
  const { databaseUrl: url, dataDir, allowUnsafeDatabase: allowUnsafe } = config;
  const running = url || alone ? null : await runningEmbeddedPostgres(dataDir);
  if (!running && !url && !begins) await assertInstallation(dataDir);
  const lock = running || url ? null : await lockDataDir(dataDir);
  try {
    const opened = running
      ? closedByItself(await connect(running, entities))
      : url
        ? closedByItself(await connectToServer(url, entities, { allowUnsafe }))
        : await openPostgres(config, logger, entities);
    try {
      const { postgres, dataSource } = opened;
      const stores = { postgres, dataSource };
      const migrated = alone ? [] : await underMigrationLock(dataSource, () => migratePostgres(stores));
      if (!alone) await assertArchiveIsKnown(postgres);
      return await work({ ...stores, besideService: running !== null, migrated });
    } finally {
      await opened.close();
    }
  } finally {
    await lock?.release();
  }
};

const closedByItself = <C extends { readonly dataSource: DataSource }>(connected: C) => ({
  ...connected,
  close: () => connected.dataSource.destroy(),
});

/** Without this, a command in a terminal that lacks the service's DATA_DIR would work on a new database, and succeed. */
const assertInstallation = async (dataDir: string): Promise<void> => {
  if (await explaining(() => holdsInstallation(dataDir), dataDirFault(dataDir, { owns: true }))) return;
  throw new ConfigError(
    `there is no installation in ${dataDir}: use the DATA_DIR of the service, or "bootstrap" to begin one here`,
  );
};
