import { type ClientBase } from 'pg';
import { isNearlyUsed, warnedPercent } from '../../projects/quotas.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { type LoggableEvent, type LoggedEvents, logEvents, writeWarnings } from '../event-log.js';
import { readEventQuota } from '../../projects/projects.repository.js';
import { dayOf, lockEventDay, nextDay } from './event-days.js';
import { Injectable } from '@nestjs/common';
import { type Problem, throttled } from '../../../platform/errors/problem.js';
import { isOfDeletedProject } from '../../../platform/errors/store-errors.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { Postgres } from '../../../platform/postgres/postgres.js';

/** Events that are accepted together, or refused together. */
interface Batch {
  readonly events: readonly LoggableEvent[];
}

export interface LoggedBatches<B extends Batch> extends LoggedEvents {
  readonly refused: readonly B[];
  /** Null: the project has no quota of events. */
  readonly quota: number | null;
}

/**
 * Logs the batches for which the day has room, in their order. Transactions that count events of one project for one day wait
 * for each other from here until they end, in all processes, so the count is exact. A batch of events that are all in the log
 * already needs no room.
 */
export const logWithinQuota = async <B extends Batch>(
  client: ClientBase,
  projectId: number,
  batches: readonly B[],
  receivedAt: Date,
): Promise<LoggedBatches<B>> => {
  const quota = await readEventQuota(client, projectId);
  if (quota === null)
    return { ...(await logEvents(client, projectId, eventsOf(batches), receivedAt, 'later')), refused: [], quota };
  const used = await lockEventDay(client, projectId, dayOf(receivedAt));
  const refused = await batchesWithoutRoom(client, projectId, batches, quota - used);
  const accepted = refused.size === 0 ? batches : batches.filter((batch) => !refused.has(batch));
  const logged = await logEvents(client, projectId, eventsOf(accepted), receivedAt, 'now');
  if (!isNearlyUsed(used, quota) && isNearlyUsed(used + logged.fresh.length, quota))
    await writeWarnings(client, projectId, [nearlyUsed(quota)], receivedAt);
  return { ...logged, refused: [...refused], quota };
};

const eventsOf = (batches: readonly Batch[]): LoggableEvent[] => batches.flatMap(({ events }) => events);

const nearlyUsed = (quota: number) => ({
  type: 'quota_nearly_used',
  detail: `${warnedPercent} % of the ${quota} events that the quota events_per_day allows today are stored: capture refuses batches that exceed it, until 00:00 UTC`,
  eventUuid: null,
  distinctId: null,
});

const batchesWithoutRoom = async <B extends Batch>(
  client: ClientBase,
  projectId: number,
  batches: readonly B[],
  most: number,
): Promise<ReadonlySet<B>> => {
  const refused = new Set<B>();
  if (batches.reduce((sum, { events }) => sum + events.length, 0) <= most) return refused;
  const known = await uuidsInLog(client, projectId, batches);
  let room = most;
  for (const batch of batches) {
    const fresh = new Set<string>();
    for (const { uuid } of batch.events) if (!known.has(uuid)) fresh.add(uuid);
    if (fresh.size > 0 && fresh.size > room) {
      refused.add(batch);
      continue;
    }
    room -= fresh.size;
    for (const uuid of fresh) known.add(uuid);
  }
  return refused;
};

const uuidsInLog = async (client: ClientBase, projectId: number, batches: readonly Batch[]): Promise<Set<string>> => {
  const uuids = eventsOf(batches).map(({ uuid }) => uuid);
  const { rows } = await client.query<{ uuid: string }>(
    pgSql`SELECT e.uuid FROM unnest(${bound(uuids)}::uuid[]) AS sent (uuid)
      JOIN events e ON e.project_id = ${bound(projectId)} AND e.uuid = sent.uuid`.named('events-known'),
  );
  return new Set(rows.map(({ uuid }) => uuid));
};

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
