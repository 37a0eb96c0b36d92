import { ofNotices } from './webhook-position.entity.js';

const firstDelayMs = 5_000;
const longestDelayMs = 6 * 3_600_000;

/** A message that fails for this long pauses its webhook. */
export const patienceDays = 3;
const patience = patienceDays * 24 * 3_600_000;

/**
 * Doubles the delay after each failure. A tenth of it is random, so that receivers that failed together are not called together.
 */
export const nextAttemptAt = (failures: number, now: Date, random: () => number = Math.random): Date => {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 20));
  return new Date(now.getTime() + delay * (0.9 + 0.1 * random()));
};

/** The status by which a receiver says that it no longer exists. */
const gone = 410;

export interface FailedMessage {
  readonly cohortId: number;
  readonly failingSince: Date;
  readonly status: number | null;
  readonly error: string;
}

/** Returns the reason to pause the webhook; null while the message is tried again. */
export const pauseReason = ({ cohortId, failingSince, status, error }: FailedMessage, now: Date): string | null => {
  if (status === gone) return 'The receiver answered 410: it no longer takes messages';
  if (now.getTime() - failingSince.getTime() < patience) return null;
  const about = cohortId === ofNotices ? 'of a notice' : `about cohort ${cohortId}`;
  return `A message ${about} failed for ${patienceDays} days. ${error}`;
};
