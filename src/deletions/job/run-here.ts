import { type Logger } from '../../common/logging/logger.js';
import { projectionWorker } from '../../projection/background.js';
import { Signal } from '../../common/background/signal.js';
import { FreshnessGate } from '../../projection/freshness.js';
import { type ClickHouse } from '../../stores/clickhouse/client.js';
import { Lease } from '../../stores/postgres/lease.js';
import { runDeletions } from './follow.js';
import { type Run } from './run-log.js';
import { DeletionWorker, deletionLease } from './worker.js';
import { type Postgres } from '../../stores/postgres/postgres.js';

export interface Surroundings {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly logger: Logger;
  readonly sole: boolean;
  readonly schedule: string;
}

const freshWaitMs = 2_000;

/** Serves a command line that owns ClickHouse or shares a server: does the run itself unless another process does. */
export const runDeletionsHere = async (
  { schedule, ...stores }: Surroundings,
  onProgress?: (run: Run) => void,
): Promise<Run> => {
  const { postgres, sole } = stores;
  const [work, shipped] = [new Signal(), new Signal()];
  const gate = new FreshnessGate(postgres, { work, shipped }, () => false, freshWaitMs);
  const projection = projectionWorker({
    ...stores,
    work,
    waiting: () => gate.waiting,
    onShipped: () => shipped.notify(),
  });
  const worker = new DeletionWorker({
    ...stores,
    schedule,
    lease: new Lease(postgres, deletionLease, { sole }),
    isFresh: async (projectId) => (await gate.wait(projectId, new Date())).complete,
    onDeleted: () => undefined,
    onFailure: () => undefined,
  });
  projection.start();
  worker.start();
  try {
    return await runDeletions(postgres, new Date(), onProgress);
  } finally {
    await worker.stop();
    await projection.stop();
  }
};
