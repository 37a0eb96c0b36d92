import { type ClientBase } from 'pg';
import { endOfPiece, removeExpiredEvents } from '../../kernel/event-log/removal/remove-expired-events.js';
import { type SweepLimits } from '../steps/sweep-limits.js';
import { passEnded, recordExpired, type OpenExpiry } from './expiry-runs.repository.js';

/**
 * Removes expired events of the next piece of the log, as many as a chunk may have. Events, outbox, receipt and progress change in one
 * transaction, so that a crash neither forgets an event nor counts one twice. Returns the number of removed events.
 */
export const sweepExpired = async (
  client: ClientBase,
  expiry: OpenExpiry,
  { events, walked }: SweepLimits,
  now: Date,
): Promise<number> => {
  const { projectId, rule, sweptUntil: after } = expiry;
  const upTo = await endOfPiece(client, projectId, after, walked);
  const expired = await removeExpiredEvents(client, projectId, rule, { after, upTo }, events, now);
  await recordExpired(client, expiry, expired, expired.more ? null : upTo);
  if (upTo === null && !expired.more) await passEnded(client, expiry, now);
  return expired.removed;
};
