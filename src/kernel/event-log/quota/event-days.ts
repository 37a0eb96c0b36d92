import { type ClientBase } from 'pg';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';

export const dayMs = 86_400_000;

/** The day of a moment in UTC, as PostgreSQL writes it. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

export const nextDay = (moment: Date): Date => new Date((Math.floor(moment.getTime() / dayMs) + 1) * dayMs);

/** Locks the row of the day and returns its number of events. */
export const lockEventDay = async (client: ClientBase, projectId: number, day: string): Promise<number> => {
  const { rows } = await client.query<{ events: string }>(
    pgSql`INSERT INTO event_days AS d (project_id, day, events) VALUES (${bound(projectId)}, ${bound(day)}, 0)
      ON CONFLICT (project_id, day) DO UPDATE SET events = d.events RETURNING events`.named('event-day'),
  );
  return Number(rows[0]?.events);
};

/**
 * Adds the arrivals of a project to the counts of their days. Call it in a transaction that has locked the project. Locks the
 * rows in the same order as the sweep of arrivals does.
 */
export const countArrivals = async (client: ClientBase, projectId: number): Promise<void> => {
  const project = bound(projectId);
  const { rows } = await client.query<{ day: string; events: string }>(
    pgSql`WITH counted AS (
       UPDATE arrivals AS a SET uncounted = 0
       FROM (SELECT ctid, uncounted FROM arrivals WHERE project_id = ${project} AND uncounted > 0 ORDER BY ctid FOR UPDATE) AS b
       WHERE a.project_id = ${project} AND a.ctid = b.ctid
       RETURNING a.received_at, b.uncounted
     )
     SELECT (received_at AT TIME ZONE 'UTC')::date::text AS day, sum(uncounted) AS events FROM counted GROUP BY 1 ORDER BY 1`,
  );
  const [days, events] = [bound(rows.map(({ day }) => day)), bound(rows.map((row) => row.events))];
  await client.query(
    pgSql`INSERT INTO event_days AS d (project_id, day, events)
     SELECT ${project}::integer, c.day, c.events FROM unnest(${days}::date[], ${events}::bigint[]) AS c (day, events) ORDER BY c.day
     ON CONFLICT (project_id, day) DO UPDATE SET events = d.events + EXCLUDED.events`,
  );
};

/** Removes the counts of earlier days, which are of no use: a quota looks at one day. */
export const forgetEventDays = async (postgres: Queryable, before: Date): Promise<void> => {
  await postgres.query(pgSql`DELETE FROM event_days WHERE day < ${bound(dayOf(before))}`);
};
