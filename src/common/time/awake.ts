import { setTimeout as sleep } from 'node:timers/promises';

const tickMs = 50;

/**
 * Resolves after so much time in which this process ran. While a machine stands still, the clock goes on and what others answered
 * has not been read: such a pause counts as one tick.
 */
export const awakeFor = async (ms: number): Promise<void> => {
  for (let left = ms; left > 0; left -= tickMs) await sleep(Math.min(tickMs, left));
};
