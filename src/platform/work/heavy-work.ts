import { Permits } from './permits.js';
import { within } from '../time/within.js';

export interface HeavyWorkLimits {
  /** The work begins after this time at the latest, whatever the work before it does. */
  readonly waitMs: number;
  /** Work that nothing ends, because a client does not read, gives its permit back after this time. */
  readonly holdMs?: number;
}

const permits = new Permits({ project: 1 }, { mostWaiting: Infinity });

/**
 * While several projects are active, the heavy work of each is done one piece at a time: a long question, or a step of an
 * export or of an upload. Each alone leaves a processor to the other projects; two at a time need all of a small machine.
 * Returns the function that ends the piece.
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
