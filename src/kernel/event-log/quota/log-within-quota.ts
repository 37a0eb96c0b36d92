import { type ClientBase } from 'pg';
import { isNearlyUsed, warnedPercent } from '../../projects/quotas.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { type LoggableEvent, type LoggedEvents, logEvents, writeWarnings } from '../event-log.js';
import { readEventQuota } from '../../projects/projects.repository.js';
import { dayOf, lockEventDay } from './event-days.js';

/** Events that are accepted together, or refused together. */
export interface Batch {
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
