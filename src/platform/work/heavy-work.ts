import { Permits } from './permits.js';
import { within } from '../time/within.js';

export interface HeavyWorkLimits {
  /** The work starts after this time at the latest, even if the work before it has not ended. */
  readonly waitMs: number;
  /** The permit is given back after this time, even if the work has not ended, as when a client does not read. */
  readonly holdMs?: number;
}

const permits = new Permits({ project: 1 }, { mostWaiting: Infinity });

/**
 * Starts a piece of heavy work: a long question, or a step of an export or an upload. While several projects are active, each
 * does one such piece at a time: one leaves a processor to the other projects, two need all of a small machine. Returns the
 * function that ends the piece.
 */
export const startHeavyWork = async (project: number, { waitMs, holdMs }: HeavyWorkLimits): Promise<() => void> => {
  const permit = permits.wait({ project });
  await within(waitMs, permit);
  const end = () => {
    clearTimeout(expiry);
    void permit.then((release) => release());
  };
  const expiry = holdMs === undefined ? undefined : setTimeout(end, holdMs);
  return end;
};
