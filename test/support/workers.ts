import { Signal } from '../../src/platform/work/signal.js';
import { type Worker } from '../../src/platform/work/worker.js';
import { Workers } from '../../src/platform/work/workers.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { rebuildProjection, type OnProgress } from '../../src/kernel/projection/rebuild/follow.js';
import { type Rebuild } from '../../src/kernel/projection/rebuild/rebuilds.repository.js';
import { ProjectionWorker, type ProjectionWorkerParts } from '../../src/kernel/projection/worker.js';
import { silentLogger, type Scene } from './projection-scene.js';

/** For objects that add their background work when they are made. */
export const newWorkers = (): Workers => new Workers(loadConfig({}), silentLogger);

/** Ships as one process does, until it is stopped. */
export const startShipping = (
  { postgres, clickhouse }: Pick<Scene, 'postgres' | 'clickhouse'>,
  parts: Partial<ProjectionWorkerParts> = {},
): Worker => {
  const { worker } = new ProjectionWorker(newWorkers(), {
    ...{ postgres, clickhouse, logger: silentLogger, sole: true, work: new Signal() },
    ...{ waiting: () => 1, onShipped: () => undefined },
    ...parts,
  });
  worker.start();
  return worker;
};

/** Rebuilds where nothing else ships. */
export const rebuildAlone = async (scene: Scene, onProgress?: OnProgress): Promise<Rebuild> => {
  const worker = startShipping(scene);
  try {
    return await rebuildProjection(scene.postgres, new Date(), onProgress);
  } finally {
    await worker.stop();
  }
};
