import { Signal } from '../../src/common/background/signal.js';
import { type Worker } from '../../src/common/background/worker.js';
import { Workers } from '../../src/common/background/workers.js';
import { loadConfig } from '../../src/config/config.js';
import { rebuildProjection, type OnProgress } from '../../src/projection/rebuild/follow.js';
import { type Rebuild } from '../../src/projection/rebuild/rebuild-log.js';
import { ProjectionWorker, type ProjectionWorkerParts } from '../../src/projection/worker.js';
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
