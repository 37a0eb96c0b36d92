import { type Sql, instant, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type BatchPosition } from './batch-export.entity.js';
import { type Period } from './periods.js';

const upTo = ({ before, shipment }: BatchPosition): Sql =>
  sql`(e.received_at < ${instant(new Date(before))} AND e.version <= ${unsigned(Number(shipment))})`;

const dayMs = 86_400_000;

/**
 * After a rebuild shipments say nothing of earlier partitions. Events from this moment on may come once more; an event that
 * took longer from its arrival to its commit than that would be missing.
 */
export const repeatedSince = (position: BatchPosition, after: BatchPosition | null): Date | null =>
  after === null || after.rebuild === position.rebuild ? null : new Date(Date.parse(after.before) - dayMs);

/** Events `e` up to a position that no partition up to `after` has: each event of the log is in one partition. */
export const inPartition = (position: BatchPosition, after: BatchPosition | null): Sql => {
  const since = repeatedSince(position, after);
  const isNew =
    since === null ? (after === null ? sql`true` : sql`NOT ${upTo(after)}`) : sql`e.received_at >= ${instant(since)}`;
  return join([upTo(position), isNew], sql` AND `);
};

/** Events whose own time is in another period: most of them were late. */
export const isOutside = ({ start, end }: Period): Sql =>
  sql`(e.timestamp < ${instant(start)} OR e.timestamp >= ${instant(end)})`;
