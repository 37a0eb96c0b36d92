import { setTimeout as sleep } from 'node:timers/promises';
import { findRun, requestRun, type Run } from './deletion-runs.repository.js';
import { type Queryable } from '../../platform/postgres/postgres.js';

const pollMs = 200;

/** Requests a run and resolves when it is finished. The run is done by the process that does background work. */
export const runDeletions = async (
  postgres: Queryable,
  now: Date,
  onProgress: (run: Run) => void = () => undefined,
): Promise<Run> => {
  const number = await requestRun(postgres, 'operator', now);
  for (;;) {
    const run = await findRun(postgres, number);
    if (!run) throw new Error(`The run ${number} is no longer known`);
    onProgress(run);
    if (run.finishedAt) return run;
    await sleep(pollMs);
  }
};
