import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Problem, throttled } from '../../../platform/errors/problem.js';
import { isOfDeletedProject } from '../../../platform/errors/store-errors.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { Postgres } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { logEvents } from '../event-log.js';
import { nextDay } from './event-days.js';
import { type Batch, type LoggedBatches, logWithinQuota } from './log-within-quota.js';

/**
 * Applies quotas of events without a cost for projects that have none: their events are logged without a look at the quota, and
 * the last statement of the transaction, which has the row of the project anyway, refuses a project that has a quota. The
 * process then remembers this project, and writes its events again within the quota.
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
