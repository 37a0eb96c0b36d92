import { lockDataDir } from '../../stores/data-dir.js';
import { migrate as migrateStores, openClickHouse } from '../../stores/open-stores.js';
import { type Command, type CommandContext } from '../command.js';

export const migrate: Command = {
  name: 'migrate',
  usage: 'migrate',
  summary: 'bring the schema of both stores up to date; every start does so too',
  options: {},
  run: async (context) => {
    const { migrated, besideService } = context.database;
    const clickhouse = besideService ? 'done by the running service' : await migrateClickHouse(context);
    return { postgres: migrated.length > 0 ? migrated : 'up to date', clickhouse };
  },
};

const migrateClickHouse = async ({ config, logger, database }: CommandContext): Promise<string> => {
  // With DATABASE_URL nobody has locked DATA_DIR yet; without, the embedded PostgreSQL of this command has.
  const lock = !config.clickhouseUrl && config.databaseUrl ? await lockDataDir(config.dataDir) : null;
  try {
    const clickhouse = await openClickHouse(config, logger);
    try {
      await migrateStores(database.dataSource, clickhouse, logger);
    } finally {
      await clickhouse.close();
    }
  } finally {
    await lock?.release();
  }
  return 'up to date';
};
