import { setTimeout as sleep } from 'node:timers/promises';
import { holdLimitMs, type Culprit, type Named } from './holds.js';
import { type Hold, type MeasuredService } from './measured-service.js';

/** The service writes a hold 50 ms after it. */
const untilWritten = 70;

/**
 * One turn of the event loop may serve many requests. Those that were under way at a long hold are sent again, one at a time:
 * a culprit holds the loop for too long by itself, twice, so that neither compilation nor a collection of garbage is blamed on it.
 */
export const culpritsAmong = async (
  service: MeasuredService,
  suspects: readonly Named[],
  resend: (index: number) => Promise<void>,
  withinMs: number,
): Promise<Culprit[]> => {
  const until = Date.now() + withinMs;
  const culprits: Culprit[] = [];
  for (const named of suspects) {
    if (Date.now() > until || service.hasEnded) break;
    const first = await longestHold(service, () => resend(named.index));
    if (!first || first.cpu_ms <= holdLimitMs) continue;
    const second = await longestHold(service, () => resend(named.index));
    if (second && second.cpu_ms > holdLimitMs) culprits.push({ ...named, cpu_ms: second.cpu_ms, gc_ms: second.gc_ms });
  }
  return culprits.sort((a, b) => b.cpu_ms - a.cpu_ms);
};

/** While `work` runs and nothing else does; null where no turn was long enough to be written. */
export const longestHold = async (service: MeasuredService, work: () => Promise<unknown>): Promise<Hold | null> => {
  await service.newHolds();
  await work();
  await sleep(untilWritten);
  const holds = await service.newHolds();
  return holds.reduce<Hold | null>((longest, hold) => (longest && longest.cpu_ms > hold.cpu_ms ? longest : hold), null);
};
