import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { rebuildProjection } from '../projection/rebuild/follow.js';
import { whileShipping, type ShippingStores } from '../projection/while-shipping.js';
import { migrateStores } from '../stores/open-stores.js';
import { underMigrationLock } from '../stores/postgres/migrate.js';
import { type ReadBackup } from './files/manifest.js';
import { loadBackup } from './restore-backup.js';

interface Filled {
  readonly rows: number;
  readonly persons: number;
  readonly events: number;
}

const pollMs = 100;

/** Loads a backup into empty stores, brings their schema up to date and fills ClickHouse. */
export const fillFromBackup = async (
  stores: ShippingStores & { readonly dataSource: DataSource },
  backup: ReadBackup,
  onTable: (done: number, all: number) => void,
): Promise<Filled> => {
  const { dataSource, postgres, clickhouse, logger } = stores;
  // A process that starts meanwhile waits for this lock, and finds the rows.
  const rows = await underMigrationLock(dataSource, () => loadBackup(stores, backup, onTable));
  await migrateStores(dataSource, clickhouse, logger);
  const rebuild = await whileShipping(stores, async () => {
    const done = await rebuildProjection(postgres, new Date());
    while ((await postgres.query('SELECT FROM outbox LIMIT 1')).rows.length > 0) await sleep(pollMs);
    return done;
  });
  return { rows, persons: rebuild.personsDone, events: rebuild.eventsDone };
};
