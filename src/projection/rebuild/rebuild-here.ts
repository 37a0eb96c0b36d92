import { type Logger } from '../../common/logging/logger.js';
import { type ClickHouse } from '../../stores/clickhouse/client.js';
import { projectionWorker } from '../background.js';
import { Bell } from '../../common/background/bell.js';
import { rebuildProjection, type OnProgress } from './follow.js';
import { type Rebuild } from './rebuild-log.js';
import { type Postgres } from '../../stores/postgres/postgres.js';

/**
 * Used by a command line that has ClickHouse to itself, or shares a server. It does the work itself unless another
 * process ships.
 */
export const rebuildHere = async (
  stores: {
    readonly postgres: Postgres;
    readonly clickhouse: ClickHouse;
    readonly logger: Logger;
    readonly sole: boolean;
  },
  onProgress?: OnProgress,
): Promise<Rebuild> => {
  const worker = projectionWorker({
    ...stores,
    work: new Bell(),
    waiting: () => 0,
    onShipped: () => undefined,
  });
  worker.start();
  try {
    return await rebuildProjection(stores.postgres, new Date(), onProgress);
  } finally {
    await worker.stop();
  }
};
