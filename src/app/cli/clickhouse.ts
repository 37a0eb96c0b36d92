import { setTimeout as sleep } from 'node:timers/promises';
import { rebuildProjection } from '../../kernel/projection/rebuild/follow.js';
import { lockDataDir } from '../../platform/embedded/data-dir.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { migrateStores } from '../../kernel/projection/identity/migrate-stores.js';
import { type ClaimOptions } from '../../kernel/projection/identity/projection-identity.js';
import { openClickHouse } from '../../kernel/stores/open-stores.js';
import { whileWorking } from './application.js';
import { type CommandContext } from './command.js';

/** Opens ClickHouse for one command. Do not call it while a service runs: only one process can open the embedded engine. */
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
  claim: ClaimOptions = {},
): Promise<T> =>
  withClickHouse(context, async (clickhouse) => {
    await migrateStores({ ...context.database, clickhouse }, context.logger, claim);
    return work(clickhouse);
  });

/** Does the named background work of the service while `work` waits for it. */
export const withWorkers = <T>(
  context: CommandContext,
  names: readonly string[],
  work: (clickhouse: ClickHouse) => Promise<T>,
  claim?: ClaimOptions,
): Promise<T> =>
  withMigratedClickHouse(
    context,
    (clickhouse) => whileWorking(context, clickhouse, names, () => work(clickhouse)),
    claim,
  );

const pollMs = 100;

/** Fills ClickHouse with what PostgreSQL has. */
export const fillClickHouse = async (
  context: CommandContext,
  clickhouse: ClickHouse,
): Promise<{ persons: number; events: number }> => {
  const { database, logger } = context;
  const { postgres } = database;
  await migrateStores({ ...database, clickhouse }, logger, { creates: true });
  return whileWorking(context, clickhouse, ['projection'], async () => {
    const { personsDone, eventsDone } = await rebuildProjection(postgres, new Date());
    while ((await postgres.query('SELECT FROM outbox LIMIT 1')).rows.length > 0) await sleep(pollMs);
    return { persons: personsDone, events: eventsDone };
  });
};
