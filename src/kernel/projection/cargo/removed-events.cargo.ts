import { eventsTable } from '../schema/projected-tables.js';
import { type Cargo } from './cargo.js';
import { type RecentEvents } from './recent-events.js';

/**
 * Events whose rows must be removed, whatever the log contains now: an event that was sent again has its own entry in the
 * outbox.
 */
export const removedEventsCargo = (recent: RecentEvents): Cargo => ({
  kind: 'removed_events',
  table: eventsTable,
  sizes: null,
  removesOnlyOlder: true,
  read: (_reader, projectId, keys) => {
    for (const key of keys) recent.take(projectId, key);
    return Promise.resolve({ rows: [], gone: keys });
  },
});
