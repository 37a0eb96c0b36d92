import { lockDataDir } from '../stores/data-dir.js';
import { type ClickHouse } from '../stores/clickhouse/client.js';
import { migrateStores } from '../projection/identity/migrate-stores.js';
import { type Settling } from '../projection/identity/projection-identity.js';
import { openClickHouse } from '../stores/open-stores.js';
import { type CommandContext } from './command.js';

/** Opens ClickHouse for one command. Do not call it beside a running service: only one process can open the embedded engine. */
export const withClickHouse = async <T>(
  { config, logger }: CommandContext,
  work: (clickhouse: ClickHouse) => Promise<T>,
): Promise<T> => {
  // With DATABASE_URL, DATA_DIR is not locked yet. Without it, the embedded PostgreSQL of this command has locked it.
  const lock = !config.clickhouseUrl && config.databaseUrl ? await lockDataDir(config.dataDir) : null;
  try {
    const clickhouse = await openClickHouse(config, logger);
    try {
      return await work(clickhouse);
    } finally {
      await clickhouse.close();
    }
  } finally {
    await lock?.release();
  }
};

export const withMigratedClickHouse = <T>(
  context: CommandContext,
  work: (clickhouse: ClickHouse) => Promise<T>,
  settling: Settling = {},
): Promise<T> =>
  withClickHouse(context, async (clickhouse) => {
    await migrateStores({ ...context.database, clickhouse }, context.logger, settling);
    return work(clickhouse);
  });
