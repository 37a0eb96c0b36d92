import { eventsTable } from '../stores/clickhouse/schema/projected-tables.js';
import { type Cargo } from './cargo.js';

/** Events whose rows must go, whatever the log says by now: one that was sent again is shipped by its own entry. */
export const removedEventsCargo: Cargo = {
  kind: 'removed_events',
  table: eventsTable,
  sizes: null,
  removesOnlyOlder: true,
  read: (_reader, _projectId, keys) => Promise.resolve({ rows: [], gone: keys }),
};
