import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Problem, throttled, unavailable } from '../../../platform/errors/problem.js';
import { isOfDeletedProject } from '../../../platform/errors/store-errors.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { Postgres, type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { type LoggableEvent, logEvents } from '../event-log.js';
import { nextDay } from './event-days.js';
import { type Batch, type LoggedBatches, logWithinQuota } from './log-within-quota.js';
import { afterAwake } from '../../../platform/time/awake.js';
import { currentSpan } from '../../../platform/telemetry/tracing.js';

/**
 * Projects without a quota of events do not pay for those that have one: their events are logged without a look at the quota,
 * and the last statement of the transaction, which has the row of the project anyway, refuses a project that has one. Then the
 * process knows it, and writes its events again.
 */
@Injectable()
export class EventQuotas {
  private readonly limited = new Set<number>();

  constructor(
    private readonly postgres: Postgres,
    private readonly metrics: Metrics,
  ) {}

  async log<B extends Batch>(
    client: ClientBase,
    projectId: number,
    batches: readonly B[],
    receivedAt: Date,
  ): Promise<LoggedBatches<B>> {
    if (this.limited.has(projectId)) {
      const logged = await logWithinQuota(client, projectId, batches, receivedAt);
      if (logged.quota === null) this.limited.delete(projectId);
      return logged;
    }
    const events = batches.flatMap((batch) => batch.events);
    return { ...(await logEvents(client, projectId, events, receivedAt, 'later')), refused: [], quota: null };
  }

  /** True if a transaction failed because one of the projects has a quota that this process did not know of. */
  async explain(error: unknown, projectIds: readonly number[]): Promise<boolean> {
    if (!isOfDeletedProject(error)) return false;
    const unknown = projectIds.filter((id) => !this.limited.has(id));
    const { rows } = await this.postgres.query<{ id: number }>(
      pgSql`SELECT id FROM projects
        WHERE id = ANY (${bound(unknown)}::integer[]) AND deleted_at IS NULL AND quota_events_per_day IS NOT NULL`,
    );
    for (const { id } of rows) this.limited.add(id);
    return rows.length > 0;
  }

  refusal(quota: number, now: Date): Problem {
    this.metrics.throttled.inc({ limit: 'quota' });
    return quotaUsedUp(quota, now);
  }
}

/** The answer to events for which the day has no room. */
export const quotaUsedUp = (quota: number, now: Date): Problem => {
  const until = nextDay(now);
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  return throttled(
    seconds,
    `The quota events_per_day allows the project ${quota} events a day, and today has no room for these: none of them is stored. ` +
      `Send them again after ${until.toISOString()}, or let an owner of the installation raise the quota`,
  );
};

export interface Verdict {
  readonly accepted: number;
  readonly duplicates: number;
}

const patienceMs = 1000;
const probeMs = 600;

/**
 * The events of one request on their way to the log. A database that hangs must cause a 503 within 2 s, a database that
 * is merely busy must not: a request that has waited long probes the database. Events that were refused in this way may
 * still be committed; sent again under the same uuid they are duplicates.
 */
export class Pending {
  readonly verdict: Promise<Verdict>;
  isAnswered = false;
  /** The span of the request, for the trace of the group that writes its events. */
  readonly span = currentSpan();
  private resolve: (verdict: Verdict) => void;
  private reject: (error: unknown) => void;
  private timer: NodeJS.Timeout;

  constructor(
    readonly projectId: number,
    readonly events: readonly LoggableEvent[],
    readonly receivedAt: Date,
    private readonly postgres: Queryable,
  ) {
    this.verdict = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = setTimeout(() => void this.probe(), patienceMs);
  }

  succeed(verdict: Verdict): void {
    this.markAnswered();
    this.resolve(verdict);
  }

  fail(error: unknown): void {
    this.markAnswered();
    this.reject(error);
  }

  private markAnswered(): void {
    this.isAnswered = true;
    clearTimeout(this.timer);
  }

  private async probe(): Promise<void> {
    const question = { text: 'SELECT 1', query_timeout: 2 * patienceMs };
    const answered = this.postgres.query(question).then(
      () => true,
      () => false,
    );
    const late = new Promise<false>((resolve) => afterAwake(probeMs, () => resolve(false)));
    const alive = await Promise.race([answered, late]);
    if (this.isAnswered) return;
    if (alive) this.timer = setTimeout(() => void this.probe(), patienceMs);
    else this.fail(unavailable('The database does not answer at the moment'));
  }
}
