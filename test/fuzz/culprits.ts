import { setTimeout as sleep } from 'node:timers/promises';
import { holdLimitMs, type Culprit, type Named } from './holds.js';
import { type Hold, type MeasuredService } from './measured-service.js';

/** The service writes a hold 50 ms after it. */
const untilWritten = 70;
const mostTries = 4;

/**
 * One turn of the event loop may serve many requests. Those that were under way at a long hold are sent again, one at a time:
 * a culprit holds the loop for too long by itself, every time, so that neither compilation, a collection of garbage nor a busy
 * machine is blamed on it.
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
    const least = await leastHold(service, () => resend(named.index));
    if (least) culprits.push({ ...named, cpu_ms: least.cpu_ms, gc_ms: least.gc_ms });
  }
  return culprits.sort((a, b) => b.cpu_ms - a.cpu_ms);
};

/** Null as soon as one of several holds is within the limit. */
const leastHold = async (service: MeasuredService, work: () => Promise<void>): Promise<Hold | null> => {
  let least: Hold | null = null;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const hold = await longestHold(service, work);
    if (!hold || hold.cpu_ms <= holdLimitMs) return null;
    if (!least || hold.cpu_ms < least.cpu_ms) least = hold;
  }
  return least;
};

/** While `work` runs and nothing else does; null where no turn was long enough to be written. */
export const longestHold = async (service: MeasuredService, work: () => Promise<unknown>): Promise<Hold | null> => {
  await service.newHolds();
  await work();
  await sleep(untilWritten);
  const holds = await service.newHolds();
  return holds.reduce<Hold | null>((longest, hold) => (longest && longest.cpu_ms > hold.cpu_ms ? longest : hold), null);
};
