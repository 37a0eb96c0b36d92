import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { type HistoryPosition } from '../../kernel/memberships/change-position.js';
import { type Lease } from '../../platform/postgres/lease.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Judged } from '../destinations/format-messages.js';
import { noteAccepted } from './sent-members.js';
import { type Sent } from '../sending/send.js';
import { pauseWebhook } from './webhook-pause.js';
import { nextAttemptAt, pauseReason } from './retry-or-pause.js';
import { type StartedMessage, type DuePosition, type WrittenMessage } from './positions.js';
import { ofNotices } from './webhook-position.entity.js';

/** The context in which the worker records a result for a position: the lease must still be held. */
export interface Recording {
  readonly postgres: Postgres;
  readonly lease: Lease;
  readonly due: DuePosition;
  readonly now: Date;
}

export const ofPosition = ({ webhook, cohort }: DuePosition): PgSql => pgSql`
  project_id = ${bound(webhook.projectId)} AND webhook_id = ${bound(webhook.id)} AND cohort_id = ${bound(cohort.id)}`;

const ofWebhook = ({ webhook }: DuePosition): PgSql => pgSql`
  project_id = ${bound(webhook.projectId)} AND id = ${bound(webhook.id)}`;

export const ofDelivery = ({ webhook }: DuePosition, id: string): PgSql => pgSql`
  project_id = ${bound(webhook.projectId)} AND webhook_id = ${bound(webhook.id)} AND id = ${bound(id)}`;

/**
 * Does `work` unless the webhook or the position is gone. Locks the webhook first and then the position, as changes of webhooks
 * do, so that the statements of `work` see every change that made the position due.
 */
export const recordAt = (
  { postgres, lease, due }: Recording,
  work: (client: ClientBase, isPaused: boolean) => Promise<void>,
): Promise<void> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const { rows } = await client.query<{ isPaused: boolean }>(
      pgSql`SELECT paused_at IS NOT NULL AS "isPaused" FROM webhooks WHERE ${ofWebhook(due)} FOR NO KEY UPDATE`,
    );
    const { rowCount } = await client.query(
      pgSql`SELECT FROM webhook_positions WHERE ${ofPosition(due)} AND change_id = ${bound(due.from.id)}
         AND change_offset = ${bound(due.from.offset)} AND generation = ${bound(due.generation)} FOR UPDATE`,
    );
    if (rows[0] && rowCount !== 0) await work(client, rows[0].isPaused);
  });

/** True for changes or notices after `to`. */
const hasMoreAfter = ({ webhook, cohort, events }: DuePosition, to: HistoryPosition): PgSql =>
  cohort.id === ofNotices
    ? pgSql`EXISTS (SELECT FROM notices AS n WHERE n.project_id = ${bound(webhook.projectId)} AND n.id > ${bound(to.id)}
        AND n.type = ANY (${bound(events)}::text[]))`
    : pgSql`EXISTS (SELECT FROM cohort_changes AS c WHERE c.project_id = ${bound(webhook.projectId)}
        AND c.cohort_id = ${bound(cohort.id)} AND c.id > ${bound(to.id)})`;

/** Moves a position forward. It is due again at once when there are more pages, or changes or notices after it. */
export const advance = (
  due: DuePosition,
  to: HistoryPosition,
  isPaused: boolean,
  now: Date,
  page: WrittenMessage['page'] = null,
): PgSql => pgSql`
  UPDATE webhook_positions SET change_id = ${bound(to.id)}, change_offset = ${bound(to.offset)}, delivery_id = NULL, failures = 0,
    failing_since = NULL, page_after = ${bound(page?.end ?? null)}::bigint, page_number = ${bound(page?.number ?? 0)}::integer,
    next_attempt_at = CASE WHEN NOT ${bound(isPaused)} AND (${bound(page?.end ?? null)}::bigint IS NOT NULL OR ${hasMoreAfter(due, to)})
      THEN ${bound(now)}::timestamptz END
  WHERE ${ofPosition(due)}`;

/** Records that nothing up to `to` had to be sent. */
export const recordNothing = (recording: Recording, to: HistoryPosition): Promise<void> =>
  recordAt(recording, async (client, isPaused) => {
    await client.query(advance(recording.due, to, isPaused, recording.now));
  });

/** Makes a position wait until a moment, or, with null, until the next change of its cohort. */
export const recordRest = (recording: Recording, until: Date | null): Promise<void> =>
  recordAt(recording, async (client) => {
    await client.query(
      pgSql`UPDATE webhook_positions SET next_attempt_at = ${bound(until)} WHERE ${ofPosition(recording.due)}`,
    );
  });

/** Records a message before it is sent. Returns null when the webhook is gone or paused. */
export const recordStarted = async (
  recording: Recording,
  message: Omit<StartedMessage, 'id' | 'createdAt' | 'written'>,
): Promise<StartedMessage | null> => {
  const { due, now } = recording;
  const { webhook, cohort, from } = due;
  const { to, limit, entered, changes, noticeType } = message;
  const id = uuidv7();
  let isBegun = false;
  await recordAt(recording, async (client, isPaused) => {
    if (isPaused) return;
    await client.query(
      pgSql`INSERT INTO webhook_deliveries (project_id, webhook_id, id, cohort_id, from_change, from_offset, to_change, to_offset,
         read_limit, read_entered, changes, notice_type, status, attempts, created_at)
       VALUES (${bound(webhook.projectId)}, ${bound(webhook.id)}, ${bound(id)}, ${bound(cohort.id)}, ${bound(from.id)},
         ${bound(from.offset)}, ${bound(to.id)}, ${bound(to.offset)}, ${bound(limit)}, ${bound(entered)}, ${bound(changes)}, ${bound(noticeType)}, 'waiting', 0,
         ${bound(now)})`,
    );
    await client.query(pgSql`UPDATE webhook_positions SET delivery_id = ${bound(id)} WHERE ${ofPosition(due)}`);
    isBegun = true;
  });
  return isBegun ? { ...message, id, createdAt: now, written: null } : null;
};

/** Records that the content of a started message is no longer kept: the webhook continues after it. */
export const recordDropped = (recording: Recording, { id, to }: StartedMessage): Promise<void> =>
  recordAt(recording, async (client, isPaused) => {
    const { due, now } = recording;
    await client.query(pgSql`UPDATE webhook_deliveries SET status = 'dropped' WHERE ${ofDelivery(due, id)}`);
    await client.query(advance(due, to, isPaused, now));
  });

/** Records that the receiver has accepted the message. */
export const recordAccepted = (
  recording: Recording,
  { id, to, written }: StartedMessage,
  { status, receiverCohort }: Judged,
): Promise<void> =>
  recordAt(recording, async (client, isPaused) => {
    const { due, now } = recording;
    await client.query(
      pgSql`UPDATE webhook_deliveries SET status = 'delivered', attempts = attempts + 1, response_status = ${bound(status)}, error = NULL,
         body = NULL, last_attempt_at = ${bound(now)} WHERE ${ofDelivery(due, id)}`,
    );
    await client.query(advance(due, to, isPaused, now, written?.page));
    if (written) await noteAccepted(client, due, id, receiverCohort);
  });

/** Records a failed attempt: the message is tried again later, or its webhook is paused, and the reason is returned. */
export const recordFailed = async (
  recording: Recording,
  { id }: StartedMessage,
  { status, error, retryAfterMs }: Sent,
): Promise<string | null> => {
  let paused: string | null = null;
  await recordAt(recording, async (client, isPaused) => {
    const { due, now } = recording;
    const failures = due.failures + 1;
    const failingSince = due.failingSince ?? now;
    await client.query(
      pgSql`UPDATE webhook_deliveries SET attempts = attempts + 1, response_status = ${bound(status)}, error = ${bound(error)},
         last_attempt_at = ${bound(now)} WHERE ${ofDelivery(due, id)}`,
    );
    await client.query(
      pgSql`UPDATE webhook_positions SET failures = ${bound(failures)}, failing_since = ${bound(failingSince)},
         next_attempt_at = CASE WHEN NOT ${bound(isPaused)} THEN ${bound(nextAttemptAt(failures, now, { retryAfterMs }))}::timestamptz END
       WHERE ${ofPosition(due)}`,
    );
    const isToDestination = due.destination !== null;
    const failed = { cohortId: due.cohort.id, failingSince, status, error: error ?? '', isToDestination };
    const reason = pauseReason(failed, now);
    if (reason === null || isPaused) return;
    await pauseWebhook(client, due.webhook, due.url, reason, now);
    paused = reason;
  });
  return paused;
};

/**
 * Records that changes were removed before they could be sent. The webhook is paused, and continues after them when a user
 * resumes it. Returns the reason, or null if it was paused before.
 */
export const recordGap = async (recording: Recording): Promise<string | null> => {
  let paused: string | null = null;
  await recordAt(recording, async (client, isPaused) => {
    const { due, now } = recording;
    const { webhook, cohort, forgottenChange, started } = due;
    if (started)
      await client.query(pgSql`UPDATE webhook_deliveries SET status = 'dropped' WHERE ${ofDelivery(due, started.id)}`);
    await client.query(advance(due, { id: forgottenChange, offset: 0 }, isPaused, now));
    const reason = `Changes of cohort ${cohort.id} were removed after 90 days, before they were sent: read its members again, and resume`;
    if (isPaused) return;
    await pauseWebhook(client, webhook, due.url, reason, now);
    paused = reason;
  });
  return paused;
};
