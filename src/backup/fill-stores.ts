import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { rebuildProjection } from '../projection/rebuild/follow.js';
import { whileShipping, type ShippingStores } from '../projection/while-shipping.js';
import { migrateStores } from '../projection/identity/migrate-stores.js';
import { underMigrationLock } from '../stores/postgres/migrate.js';
import { type ReadBackup } from './files/manifest.js';
import { loadBackup } from './restore-backup.js';

interface FilledClickHouse {
  readonly persons: number;
  readonly events: number;
}

interface Filled extends FilledClickHouse {
  readonly rows: number;
}

type EmptyStores = ShippingStores & { readonly dataSource: DataSource };

const pollMs = 100;

/** Loads a backup into empty stores, brings their schema up to date and fills ClickHouse. */
export const fillFromBackup = async (
  stores: EmptyStores,
  backup: ReadBackup,
  onTable: (done: number, all: number) => void,
): Promise<Filled> => {
  // A process that starts meanwhile waits for this lock, and finds the rows.
  const rows = await underMigrationLock(stores.dataSource, () => loadBackup(stores, backup, onTable));
  return { rows, ...(await fillClickHouse(stores)) };
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
