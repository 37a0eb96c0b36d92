import { Injectable } from '@nestjs/common';
import { Workers } from '../../platform/work/workers.js';
import { isDue } from '../../platform/postgres/database-clock.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

const sweepEveryMs = 10 * 60_000;

/** A limit that all processes share. */
export interface SharedLimit {
  readonly policy: string;
  readonly limit: number;
  readonly windowMs: number;
  /** The number of requests that a process takes at a time. */
  readonly allotment: number;
}

/** The requests that a process may admit until the window ends. */
export interface Allotment {
  readonly granted: number;
  /** The requests taken by all processes, including this allotment. */
  readonly used: number;
  readonly endsInMs: number;
}

/** Stores the windows of shared limits. A window starts with the first request of a name, by PostgreSQL's clock. */
@Injectable()
export class RateWindows {
  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
  ) {
    workers.every(sweepEveryMs, {
      name: 'rate windows',
      task: 'rate_windows',
      warning: 'ended windows of rate limits could not be removed and are removed later',
      run: () => this.sweep(),
    });
  }

  async allot(name: string, { policy, limit, windowMs, allotment }: SharedLimit): Promise<Allotment> {
    const [most, count] = [bound(limit), bound(allotment)];
    const ended = isDue(pgSql`w.ends_at`, pgSql`clock_timestamp()`, windowMs);
    const before = pgSql`CASE WHEN ${ended} THEN 0 ELSE w.used END`;
    const granted = pgSql`greatest(0, least(${count}::integer, ${most}::integer - ${before}))`;
    const { rows } = await this.postgres.query<{ granted: number; used: number; ends_in_ms: string }>(
      pgSql`INSERT INTO rate_windows AS w (policy, name, ends_at, used, granted)
       VALUES (${bound(policy)}, ${bound(name)}, clock_timestamp() + ${bound(windowMs)} * interval '1 millisecond', ${count}::integer, ${count}::integer)
       ON CONFLICT (policy, name) DO UPDATE SET granted = ${granted}, used = ${before} + ${granted},
         ends_at = CASE WHEN ${ended} THEN excluded.ends_at ELSE w.ends_at END
       RETURNING granted, used, extract(epoch FROM ends_at - clock_timestamp()) * 1000 AS ends_in_ms`.named(
        'rate-allot',
      ),
    );
    const [row] = rows;
    if (!row) throw new Error('An upsert returned no row');
    return { granted: row.granted, used: row.used, endsInMs: Math.max(1, Number(row.ends_in_ms)) };
  }

  async giveBack(name: string, { policy }: SharedLimit): Promise<void> {
    await this.postgres.query(
      pgSql`UPDATE rate_windows SET used = greatest(0, used - 1) WHERE policy = ${bound(policy)} AND name = ${bound(name)}`,
    );
  }

  /** Removes windows that have ended by PostgreSQL's clock. */
  async sweep(): Promise<void> {
    await this.postgres.query(pgSql`DELETE FROM rate_windows WHERE ends_at <= clock_timestamp()`);
  }
}
