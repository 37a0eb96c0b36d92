import { ConfigError } from '../../../config/config.js';
import { type Postgres } from '../postgres.js';
import { distribute, distributionOf } from './distribute.js';

/**
 * Call it after migrations, under their lock: it places tables that are new. Where Citus has the tables otherwise than the
 * service needs them, statements would fail, or read the rows of one node.
 */
export const keepDistributed = async (postgres: Postgres): Promise<void> => {
  const distribution = await distributionOf(postgres);
  if (!distribution) return;
  const { isBegun, isSet, missing, wrong } = distribution;
  if (!isBegun || !isSet)
    throw new ConfigError(
      'DATABASE_URL: the database has the extension citus, but its tables are not distributed, or connections lack the settings that this needs. Mend both: npm run cli -- citus distribute',
    );
  if (wrong.length > 0)
    throw new ConfigError(
      `DATABASE_URL: Citus has tables otherwise than the service needs them (${wrong.join('; ')}). Undo it: SELECT undistribute_table(...)`,
    );
  if (missing.length > 0) await postgres.transaction((client) => distribute(client, distribution));
};
