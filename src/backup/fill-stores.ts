import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { rebuildProjection } from '../projection/rebuild/follow.js';
import { whileShipping, type ShippingStores } from '../projection/while-shipping.js';
import { migrateStores } from '../projection/identity/migrate-stores.js';
import { underMigrationLock } from '../stores/postgres/migrate.js';
import { type ReadBackup } from './files/manifest.js';
import { giveUpRebuilds } from '../projection/identity/recorded-identity.js';
import { forgetRestore, isLoaded, loadBackup } from './restore-backup.js';

interface FilledClickHouse {
  readonly persons: number;
  readonly events: number;
}

type EmptyStores = ShippingStores & { readonly dataSource: DataSource };

const pollMs = 100;

/**
 * Loads a backup into empty stores, brings their schema up to date and fills ClickHouse. One that was killed while it filled
 * ClickHouse has loaded all rows, and fills it anew.
 */
export const fillFromBackup = async (
  stores: EmptyStores,
  backup: ReadBackup,
  onPart: (done: number, all: number) => void,
): Promise<FilledClickHouse> => {
  const { postgres, dataSource } = stores;
  // A process that starts meanwhile waits for this lock, and finds the rows.
  await underMigrationLock(dataSource, async () => {
    if (!(await isLoaded(postgres, backup))) await loadBackup(stores, backup, onPart);
    else await postgres.transaction((client) => giveUpRebuilds(client, new Date(), 'The restore was killed'));
  });
  const filled = await fillClickHouse(stores);
  await forgetRestore(postgres);
  return filled;
};

/** Fills ClickHouse with what PostgreSQL has. */
export const fillClickHouse = async (stores: EmptyStores): Promise<FilledClickHouse> => {
  const { postgres, logger } = stores;
  await migrateStores(stores, logger, { creates: true });
  const rebuild = await whileShipping(stores, async () => {
    const done = await rebuildProjection(postgres, new Date());
    while ((await postgres.query('SELECT FROM outbox LIMIT 1')).rows.length > 0) await sleep(pollMs);
    return done;
  });
  return { persons: rebuild.personsDone, events: rebuild.eventsDone };
};
