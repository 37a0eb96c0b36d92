import { ofNotices } from './webhook-position.entity.js';

const shortestDelayMs = 1_000;
const firstDelayMs = 5_000;
const longestDelayMs = 6 * 3_600_000;

/** A message that fails for this long pauses its webhook. */
export const patienceDays = 3;
const patience = patienceDays * 24 * 3_600_000;

/**
 * Doubles the delay after each failure. A tenth of it is random, so that receivers that failed together are not called together.
 * A receiver that names a time is not called before it.
 */
export const nextAttemptAt = (
  failures: number,
  now: Date,
  { random = Math.random, retryAfterMs }: { readonly random?: () => number; readonly retryAfterMs?: number } = {},
): Date => {
  if (retryAfterMs !== undefined)
    return new Date(now.getTime() + Math.min(longestDelayMs, Math.max(shortestDelayMs, retryAfterMs)));
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 20));
  return new Date(now.getTime() + delay * (0.9 + 0.1 * random()));
};

/** The status by which a receiver says that it no longer exists. */
const gone = 410;

/** A destination answers so when a person has to correct something. The others pass by themselves. */
const isRefusal = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && ![408, 425, 429].includes(status);

export interface FailedMessage {
  readonly cohortId: number;
  readonly failingSince: Date;
  readonly status: number | null;
  readonly error: string;
  readonly isToDestination?: boolean;
}

/** Returns the reason to pause the webhook; null while the message is tried again. */
export const pauseReason = (
  { cohortId, failingSince, status, error, isToDestination = false }: FailedMessage,
  now: Date,
): string | null => {
  if (status === gone) return 'The receiver answered 410: it no longer takes messages';
  if (isToDestination && isRefusal(status))
    return `${error} to a message about cohort ${cohortId}: correct the webhook or the receiver, and resume`;
  if (now.getTime() - failingSince.getTime() < patience) return null;
  const about = cohortId === ofNotices ? 'of a notice' : `about cohort ${cohortId}`;
  return `A message ${about} failed for ${patienceDays} days. ${error}`;
};
