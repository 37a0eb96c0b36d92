import { type ClientBase } from 'pg';
import { matchType } from '../../kernel/notices/notice.entity.js';
import { appendNotices } from '../../kernel/notices/notices.repository.js';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { ofNotices } from '../deliveries/webhook-position.entity.js';
import { type ActionWatch } from './action-watch.entity.js';

export type WatchRow = Stored<ActionWatch>;

/** Watches the actions that webhooks of the project name, from now on, and no others. Part of each change of a webhook. */
export const watchActions = async (client: ClientBase, projectId: number, now: Date): Promise<void> => {
  const project = bound(projectId);
  const prefix = bound(matchType(''));
  await client.query(
    pgSql`INSERT INTO action_watches (project_id, action_id, snapshot, seen_at)
     SELECT DISTINCT w.project_id, split_part(e.type, ':', 2)::integer, pg_current_snapshot()::text, ${bound(now)}::timestamptz
     FROM webhooks AS w CROSS JOIN unnest(w.events) AS e (type)
     WHERE w.project_id = ${project} AND starts_with(e.type, ${prefix})
     ON CONFLICT DO NOTHING`,
  );
  await client.query(
    pgSql`DELETE FROM action_watches AS a WHERE a.project_id = ${project} AND NOT EXISTS (
       SELECT FROM webhooks AS w WHERE w.project_id = ${project} AND ${prefix} || a.action_id = ANY (w.events))`,
  );
};

/** While more matches than this wait for the webhook that is the furthest ahead, no more are looked for. */
export const mostWaiting = 10_000;

/**
 * The watches of all projects whose webhooks keep up with what was found, with the actions as they are now. A snapshot of another
 * database, as after a restore, is replaced by the present one.
 */
export const listWatches = async (postgres: Queryable): Promise<WatchRow[]> => {
  const { rows } = await postgres.query<WatchRow>(
    pgSql`SELECT a.*, CASE WHEN pg_snapshot_xmax(a.snapshot::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
         THEN pg_current_snapshot()::text ELSE a.snapshot END AS snapshot
     FROM action_watches AS a
     WHERE (SELECT count(*) FROM (
       SELECT FROM notices AS n WHERE n.project_id = a.project_id AND n.type = ${bound(matchType(''))} || a.action_id
         AND n.id > (SELECT max(p.change_id) FROM webhook_positions AS p
           JOIN webhooks AS w ON w.project_id = p.project_id AND w.id = p.webhook_id
           WHERE p.project_id = a.project_id AND p.cohort_id = ${bound(ofNotices)} AND n.type = ANY (w.events))
       LIMIT ${bound(mostWaiting)}) AS waiting) < ${bound(mostWaiting)}`.named('action-watches'),
  );
  return rows;
};

/** Some arrivals that a watch has not compared, and the watch after them. */
export interface UncomparedArrivals {
  /** Each with the number of its arrival, which is that of its commit among these. */
  readonly events: readonly { readonly uuid: string; readonly arrival: number }[];
  readonly next: Pick<WatchRow, 'snapshot' | 'until' | 'after_xid' | 'after_id' | 'seen_at'>;
}

const eventsAtOnce = 5000;

/** Reads the next arrivals in the order of their transactions: about as many as one question takes, and at least one. */
export const nextArrivals = async (postgres: Queryable, watch: WatchRow, now: Date): Promise<UncomparedArrivals> => {
  const until = watch.until ?? (await snapshotOf(postgres));
  const [from, to] = [bound(watch.snapshot), bound(until)];
  const xid = pgSql`r.xid::text::xid8`;
  const { rows } = await postgres.query<{ xid: string; id: string; uuids: string[]; isLast: boolean }>(
    pgSql`SELECT n.xid, n.id, n.uuids, n.total = n.before + n.size AS "isLast" FROM (
       SELECT r.xid, r.id, r.uuids, r.size, sum(r.size) OVER () AS total, sum(r.size) OVER (ORDER BY r.xid, r.id) - r.size AS before
       FROM arrivals AS r
       WHERE r.project_id = ${bound(watch.project_id)} AND r.xid >= pg_snapshot_xmin(${from}::pg_snapshot)::text::bigint
         AND NOT pg_visible_in_snapshot(${xid}, ${from}::pg_snapshot) AND pg_visible_in_snapshot(${xid}, ${to}::pg_snapshot)
         AND (r.xid, r.id) > (${bound(watch.after_xid)}::bigint, ${bound(watch.after_id)}::bigint)
     ) AS n WHERE n.before < ${bound(eventsAtOnce)}::bigint ORDER BY n.xid, n.id`.named('action-arrivals'),
  );
  const last = rows.at(-1);
  const events = rows.flatMap(({ uuids }, arrival) => uuids.map((uuid) => ({ uuid, arrival })));
  if (last && !last.isLast) return { events, next: { ...watch, until, after_xid: last.xid, after_id: last.id } };
  // The time of the question, because the snapshot is not older.
  return {
    events,
    next: {
      snapshot: until,
      until: null,
      after_xid: '0',
      after_id: '0',
      seen_at: watch.until === null ? now : watch.seen_at,
    },
  };
};

const snapshotOf = async (postgres: Queryable): Promise<string> => {
  const { rows } = await postgres.query<{ snapshot: string }>(pgSql`SELECT pg_current_snapshot()::text AS snapshot`);
  return rows[0]?.snapshot ?? '';
};

/** An event that matched: nothing of it but its id and its person. */
export interface MatchedEvent {
  readonly uuid: string;
  readonly person_id: number | null;
}

/**
 * Appends notices of matches and moves the watch after them, unless another process has done so meanwhile. An event has one
 * notice for an action, however often it is compared.
 */
export const recordMatches = (
  postgres: Postgres,
  watch: WatchRow,
  matched: readonly MatchedEvent[],
  { next }: UncomparedArrivals,
  now: Date,
): Promise<void> =>
  postgres.transaction(async (client) => {
    const project = bound(watch.project_id);
    const { rowCount } = await client.query(
      pgSql`UPDATE action_watches SET snapshot = ${bound(next.snapshot)}, until = ${bound(next.until)}::text,
         after_xid = ${bound(next.after_xid)}::bigint, after_id = ${bound(next.after_id)}::bigint, seen_at = ${bound(next.seen_at)}
       WHERE project_id = ${project} AND action_id = ${bound(watch.action_id)}
         AND until IS NOT DISTINCT FROM ${bound(watch.until)}::text AND seen_at = ${bound(watch.seen_at)}
         AND (after_xid, after_id) = (${bound(watch.after_xid)}::bigint, ${bound(watch.after_id)}::bigint)`,
    );
    if (rowCount === 0 || matched.length === 0) return;
    const notices = matched.map((event) => ({ key: event.uuid, data: { ...event, action_id: watch.action_id } }));
    await appendNotices(client, watch.project_id, matchType(watch.action_id), notices, now);
  });
