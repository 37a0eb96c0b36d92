import { removeEvents } from '../../kernel/event-log/removal/remove-events.js';
import { type Lease } from '../../platform/postgres/lease.js';
import { requestedDistinctIds, recordSwept, sweepEnded, type OpenRequest } from './deletion-requests.repository.js';
import { type SweepLimits } from '../steps/sweep-limits.js';
import { type Postgres } from '../../platform/postgres/postgres.js';

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
