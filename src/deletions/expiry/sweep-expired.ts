import { type ClientBase } from 'pg';
import { endOfPiece, removeExpiredEvents } from '../../events/removal/remove-expired-events.js';
import { passEnded, recordExpired, type OpenExpiry } from './expiry-log.js';

/** A piece of the log that is walked in a few tens of milliseconds. */
const eventsPerPiece = 20_000;

/**
 * Removes expired events of the next piece of the log, at most `limit`. Events, outbox, receipt and progress change in one
 * transaction, so that a crash neither forgets an event nor counts one twice. Returns the number of removed events.
 */
export const sweepExpired = async (
  client: ClientBase,
  expiry: OpenExpiry,
  limit: number,
  now: Date,
): Promise<number> => {
  const { projectId, rule, sweptUntil: after } = expiry;
  const upTo = await endOfPiece(client, projectId, after, eventsPerPiece);
  const expired = await removeExpiredEvents(client, projectId, rule, { after, upTo }, limit, now);
  await recordExpired(client, expiry, expired, expired.more ? null : upTo);
  if (upTo === null && !expired.more) await passEnded(client, expiry, now);
  return expired.removed;
};
