import { setTimeout as sleep } from 'node:timers/promises';
import { findRebuild, requestRebuild, type Rebuild } from './rebuilds.repository.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';

const pollMs = 200;

export type OnProgress = (rebuild: Rebuild) => void;

/**
 * Requests a rebuild and resolves when it is done. A process that ships does the work; the caller needs no ClickHouse. Throws
 * with the reason when the rebuild has failed.
 */
export const rebuildProjection = async (postgres: Queryable, now: Date, onProgress: OnProgress = () => undefined) => {
  const { number } = await requestRebuild(postgres, now);
  for (;;) {
    const rebuild = await findRebuild(postgres, number);
    if (!rebuild) throw new Error(`The rebuild ${number} is no longer known`);
    onProgress(rebuild);
    if (rebuild.phase === 'done') return rebuild;
    if (rebuild.phase === 'failed') throw new Error(`The rebuild failed: ${rebuild.error ?? 'see the log'}`);
    await sleep(pollMs);
  }
};
