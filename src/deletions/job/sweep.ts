import { removeEvents } from '../../events/removal/remove-events.js';
import { type Lease } from '../../stores/postgres/lease.js';
import { requestedDistinctIds, recordSwept, sweepEnded, type OpenRequest } from './request-log.js';
import { type Postgres } from '../../stores/postgres/postgres.js';

export interface SweepLimits {
  readonly events: number;
  readonly distinctIds: number;
  /** Events of the log that one step looks at for expired ones. */
  readonly walked: number;
}

/** A chunk keeps ClickHouse busy for less than a second, because questions wait for it. */
export const sweepLimits: SweepLimits = { events: 2000, distinctIds: 1000, walked: 20_000 };

/**
 * Sweeps the next chunk of a request. Events, outbox, receipt and progress change in one transaction, so that a crash neither
 * forgets an event nor counts one twice. Returns the number of removed events.
 */
export const sweepChunk = (
  { postgres, lease, limits }: { readonly postgres: Postgres; readonly lease: Lease; readonly limits: SweepLimits },
  request: OpenRequest,
  now: Date,
): Promise<number> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const distinctIds = await requestedDistinctIds(client, request, request.sweptUntil, limits.distinctIds);
    if (distinctIds.length === 0) {
      await sweepEnded(client, request, now);
      return 0;
    }
    const removal = { distinctIds, receivedUpTo: request.createdAt };
    const { removed, more } = await removeEvents(client, request.projectId, removal, limits.events, now);
    await recordSwept(client, request, removed, more ? null : (distinctIds.at(-1) ?? null));
    return removed;
  });
