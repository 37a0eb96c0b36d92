import { lockDataDir } from '../stores/data-dir.js';
import { type ClickHouse } from '../stores/clickhouse/client.js';
import { openClickHouse } from '../stores/open-stores.js';
import { type CommandContext } from './command.js';

/** ClickHouse for one command. Not to be called beside a service, which alone can hold the embedded one. */
export const withClickHouse = async <T>(
  { config, logger }: CommandContext,
  work: (clickhouse: ClickHouse) => Promise<T>,
): Promise<T> => {
  // With DATABASE_URL, DATA_DIR is not locked yet; without, the embedded PostgreSQL of this command has locked it.
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
