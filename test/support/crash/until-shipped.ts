import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningProcess } from '../process.js';

/** Waits until the projection has everything. */
export const untilShipped = async (service: RunningProcess): Promise<void> => {
  for (let n = 0; n < 1200; n += 1) {
    const answer = await fetch(`${service.url}/_readyz`).catch(() => null);
    const report = (await answer?.json().catch(() => null)) as { checks: { projection: { detail: string } } } | null;
    if (report?.checks.projection.detail.includes(' 0 changes waiting')) return;
    await sleep(100);
  }
  throw new Error(`the projection did not catch up:\n${service.output().slice(-3000)}`);
};
