import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { topology } from '../../platform/postgres/topology.js';
import { lowestOf, type ArrivalPosition, type Snapshot } from './position.js';

/**
 * Asks for the events of projects in an interval: those of transactions that had not ended in `from`, but had in `to`. Null as
 * `to` stands for now.
 */
export interface ArrivalsQuestion {
  readonly projectIds: readonly number[];
  readonly from: Snapshot;
  readonly to: Snapshot | null;
  readonly after: ArrivalPosition | null;
  /** About this many uuids of each project are read; all others are only counted. */
  readonly most: number;
}

export const currentSnapshot = (): PgSql =>
  pgSql`SELECT pg_current_snapshot()::text AS snapshot`.named('live-snapshot');

/**
 * Selects each arrival whose uuids are read, with the number of all events in the interval; at least one row for each project.
 * Transactions commit in another order than they start, so no id tells which arrivals are new; a snapshot does. The statement
 * reads by the same snapshot that it returns. In a restored database, arrivals of transactions with too high ids are not new.
 */
export const arrivalsSql = ({ projectIds, from, to, after, most }: ArrivalsQuestion): PgSql => {
  const [since, until] = [bound(from), bound(to)];
  const xid = pgSql`r.xid::text::xid8`;
  return pgSql`
    SELECT pg_current_snapshot()::text AS snapshot, p.id AS project_id, a.xid, a.id, a.uuids, a.total::float8 AS total
    FROM unnest(${bound(projectIds)}::integer[]) AS p (id)
    LEFT JOIN LATERAL (
      SELECT n.xid, n.id, n.uuids, n.total FROM (
        SELECT r.xid, r.id, r.uuids, sum(r.size) OVER () AS total, sum(r.size) OVER (ORDER BY r.xid, r.id) - r.size AS before
        FROM arrivals AS r
        WHERE r.project_id = p.id AND r.xid >= ${bound(lowestOf(from))}::bigint
          AND NOT pg_visible_in_snapshot(${xid}, ${since}::pg_snapshot)
          AND pg_visible_in_snapshot(${xid}, coalesce(${until}::pg_snapshot, pg_current_snapshot()))
          AND (${bound(after === null)}::boolean OR (r.xid, r.id) >= (${bound(after?.xid ?? '0')}::bigint, ${bound(after?.id ?? '0')}::bigint))
      ) AS n
      WHERE n.before < ${bound(most)}::bigint
    ) AS a ON true
    ORDER BY p.id, a.xid, a.id`.named('live-arrivals');
};

const requested = (projectId: number, uuids: readonly string[], columns: PgSql): PgSql => {
  const project = bound(projectId);
  return pgSql`
    unnest(${bound(uuids)}::uuid[]) WITH ORDINALITY AS requested (uuid, place)
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM events WHERE project_id = ${project} AND uuid = requested.uuid LIMIT 1
    ) AS e
    LEFT JOIN LATERAL (
      SELECT person_id FROM person_distinct_ids WHERE project_id = ${project} AND distinct_id = e.distinct_id LIMIT 1
    ) AS d ON true`;
};

/**
 * Reads the fields that filters need, one key at a time, because the planner would otherwise join with all persons of the
 * project.
 */
export const headsSql = (projectId: number, uuids: readonly string[]): PgSql =>
  pgSql`
    SELECT requested.place::integer AS place, e.event, e.distinct_id, d.person_id
    FROM ${requested(projectId, uuids, pgSql`event, distinct_id`)}`.named('live-heads');

/** Selects the events as they are shown, with their properties as JSON text, until a number of bytes is reached. */
export const contentsSql = (projectId: number, uuids: readonly string[], bytes: number): PgSql =>
  pgSql`
    SELECT uuid, event, distinct_id, person_id, timestamp, received_at, properties, block FROM (
      SELECT c.*, sum(c.bytes) OVER (ORDER BY c.place) - c.bytes AS before FROM (
        SELECT requested.place, e.uuid, e.event, e.distinct_id, d.person_id, e.timestamp, e.received_at, e.properties, e.block,
          coalesce(e.properties_bytes, octet_length(e.properties)) AS bytes
        FROM ${requested(projectId, uuids, pgSql`uuid, event, distinct_id, timestamp, received_at, block, properties_bytes, properties::text AS properties`)}
        OFFSET 0
      ) AS c
    ) AS counted
    WHERE before < ${bound(bytes)}::bigint
    ORDER BY place`.named('live-contents');

/** A transaction may have taken this long to commit, after the moment at which its events were received. */
const longestCommit = pgSql`interval '10 minutes'`;

/** Spares arrivals that were not compared with an action yet, for a day. */
const isWatched = (before: Date): PgSql => pgSql`(
  a.received_at > ${bound(before)}::timestamptz - interval '1 day' AND EXISTS (
    SELECT FROM action_watches AS w WHERE w.project_id = a.project_id AND w.seen_at < a.received_at + ${longestCommit}))`;

const deleteArrivals = (before: Date, chunk: number): PgSql => pgSql`
    DELETE FROM arrivals
    WHERE ctid = ANY (ARRAY(
      SELECT a.ctid FROM arrivals AS a WHERE a.received_at < ${bound(before)} AND NOT ${isWatched(before)} LIMIT ${bound(chunk)}))
    RETURNING project_id, received_at, uncounted, uuids, size`;

/**
 * Queues the removed arrivals for compression: their events are no longer fresh, so their properties move into blocks. The
 * events of one arrival came to blocks together, or none did.
 */
const queueForBlocks = pgSql`
    INSERT INTO unsealed_events (project_id, uuids, size, received_at)
    SELECT project_id, uuids, size, received_at FROM removed`;

const unlessInBlocks = pgSql` AS r WHERE NOT EXISTS (
      SELECT 1 FROM events e WHERE e.project_id = r.project_id AND e.uuid = r.uuids[1] AND e.block IS NOT NULL)`;

const addedToDays = pgSql`, counted AS (
    INSERT INTO event_days AS d (project_id, day, events)
    SELECT r.project_id, (r.received_at AT TIME ZONE 'UTC')::date, sum(r.uncounted) FROM removed r
    JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
    WHERE r.uncounted > 0 GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (project_id, day) DO UPDATE SET events = d.events + EXCLUDED.events
  )`;

/**
 * Removes a chunk of old arrivals, so that no transaction takes long. Their events are added to the counts of their days, unless
 * they were counted when they were logged. Returns the number of removed rows.
 */
export const removeArrivalsSql = (before: Date, chunk: number): PgSql => pgSql`
  WITH removed AS (${deleteArrivals(before, chunk)})${topology().mayCountWrites ? addedToDays : pgSql``}, queued AS (${queueForBlocks}${topology().mayCountWrites ? unlessInBlocks : pgSql``})
  SELECT count(*)::integer AS removed FROM removed`;
