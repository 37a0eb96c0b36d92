import { type Backlog } from '../telemetry/background-runs.js';
import { type Queryable } from './postgres.js';
import { bound, pgSql, type PgSql } from './sql.js';

/** No more rows are counted, so that a scrape stays cheap. With more rows, number and wait are lower bounds. */
const mostCounted = 10_000;

/** Counts what waits, for metrics. `rows` selects `due_at`. */
export const backlogOf = async (postgres: Queryable, rows: PgSql): Promise<Backlog> => {
  const { rows: found } = await postgres.query<Backlog>(pgSql`
    SELECT count(*)::integer AS waiting,
      greatest(0, extract(epoch FROM clock_timestamp() - min(due_at)))::double precision AS "waitedSeconds"
    FROM (${rows} LIMIT ${bound(mostCounted)}) AS due`);
  return found[0] as Backlog;
};

/** The numbers of rows that users have paused, and that the service has paused because their receivers failed. */
export interface Paused {
  readonly user: number;
  readonly failures: number;
}

export const pausedIn = async (postgres: Queryable, table: PgSql): Promise<Paused> => {
  const { rows } = await postgres.query<Paused & object>(
    pgSql`SELECT count(*) FILTER (WHERE paused_reason IS NULL)::integer AS "user",
       count(*) FILTER (WHERE paused_reason IS NOT NULL)::integer AS failures
     FROM ${table} WHERE paused_at IS NOT NULL`,
  );
  return rows[0] as Paused;
};
