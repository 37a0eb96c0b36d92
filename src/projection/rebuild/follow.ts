import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { findRebuild, requestRebuild, type Rebuild } from './rebuild-log.js';

const pollMs = 200;

export type OnProgress = (rebuild: Rebuild) => void;

/**
 * Asks for a rebuild and resolves when it is done. Whichever process ships does the work; this one needs no ClickHouse.
 * Throws with the reason when the rebuild has failed.
 */
export const rebuildProjection = async (pool: Pool, now: Date, onProgress: OnProgress = () => undefined) => {
  const { number } = await requestRebuild(pool, now);
  for (;;) {
    const rebuild = await findRebuild(pool, number);
    if (!rebuild) throw new Error(`The rebuild ${number} is no longer known`);
    onProgress(rebuild);
    if (rebuild.phase === 'done') return rebuild;
    if (rebuild.phase === 'failed') throw new Error(`The rebuild failed: ${rebuild.error ?? 'see the log'}`);
    await sleep(pollMs);
  }
};
