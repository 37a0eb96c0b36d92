import { Signal } from '../common/background/signal.js';
import { type Logger } from '../common/logging/logger.js';
import { type ClickHouse } from '../stores/clickhouse/client.js';
import { type Postgres } from '../stores/postgres/postgres.js';
import { projectionWorker } from './background.js';

export interface ShippingStores {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly logger: Logger;
  readonly sole: boolean;
}

/** For a command line that has ClickHouse to itself, or shares a server: it ships unless another process does. */
export const whileShipping = async <T>(stores: ShippingStores, work: () => Promise<T>): Promise<T> => {
  const worker = projectionWorker({ ...stores, work: new Signal(), waiting: () => 1, onShipped: () => undefined });
  worker.start();
  try {
    return await work();
  } finally {
    await worker.stop();
  }
};
