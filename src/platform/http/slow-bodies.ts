import { type Problem, requestTimeout } from '../errors/problem.js';

const sweepMs = 1000;

/** A body that is being received. */
export interface Arrival {
  /** Ends the body. */
  readonly fail: (problem: Problem) => void;
  /** The body fails after this many seconds without a byte. */
  readonly idleSeconds: number;
  /** The body fails after this many seconds, however much has arrived. */
  readonly totalSeconds: number;
  startedAt: number;
  progressAt: number;
}

/** Seconds, counted by the sweep while any body is watched, so that reading the time needs no call of the clock. */
let second = 0;
let sweep: NodeJS.Timeout | null = null;
const arrivals = new Set<Arrival>();

/** One timer watches all bodies, because a timer for each is a large part of the cost of a small one. */
export const watchArrival = (arrival: Omit<Arrival, 'startedAt' | 'progressAt'>): Arrival => {
  const watched = { ...arrival, startedAt: second, progressAt: second };
  arrivals.add(watched);
  sweep ??= setInterval(endSlowOnes, sweepMs).unref();
  return watched;
};

export const hasProgressed = (arrival: Arrival): void => {
  arrival.progressAt = second;
};

export const stopWatching = (arrival: Arrival): void => {
  arrivals.delete(arrival);
};

const endSlowOnes = (): void => {
  second += 1;
  for (const arrival of arrivals) {
    const { startedAt, progressAt, idleSeconds, totalSeconds } = arrival;
    const isIdle = second - progressAt > idleSeconds;
    if (!isIdle && second - startedAt <= totalSeconds) continue;
    arrivals.delete(arrival);
    arrival.fail(
      requestTimeout(
        isIdle
          ? `No byte of the body arrived for ${idleSeconds} s: send it without pauses`
          : `The body did not arrive within ${totalSeconds} s: send it faster, or less at a time`,
      ),
    );
  }
  if (arrivals.size > 0 || !sweep) return;
  clearInterval(sweep);
  sweep = null;
};
