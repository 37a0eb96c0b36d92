import { type ClientBase } from 'pg';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type WebhookKey } from './new-changes.js';
import { ofNotices } from './webhook-position.entity.js';

/** Every function below is part of a change of a webhook, whose row the caller has locked. */
const ofWebhook = ({ projectId, id }: WebhookKey): PgSql =>
  pgSql`project_id = ${bound(projectId)} AND webhook_id = ${bound(id)}`;

/** Makes nothing due, because the webhook is paused. */
export const restPositions = async (client: ClientBase, webhook: WebhookKey): Promise<void> => {
  await client.query(pgSql`UPDATE webhook_positions SET next_attempt_at = NULL WHERE ${ofWebhook(webhook)}`);
};

/** Makes all cohorts due now, and forgets their failures. */
export const restartAttempts = async (client: ClientBase, webhook: WebhookKey, now: Date): Promise<void> => {
  await client.query(
    pgSql`UPDATE webhook_positions SET next_attempt_at = ${bound(now)}, failures = 0, failing_since = NULL WHERE ${ofWebhook(webhook)}`,
  );
};

/** Makes the message that waits for its next attempt due now. */
export const attemptNow = async (
  client: ClientBase,
  webhook: WebhookKey,
  deliveryId: string,
  now: Date,
): Promise<void> => {
  await client.query(
    pgSql`UPDATE webhook_positions SET next_attempt_at = ${bound(now)} WHERE ${ofWebhook(webhook)} AND delivery_id = ${bound(deliveryId)}`,
  );
};

export const removePositions = async (client: ClientBase, project: ProjectContext, id: number): Promise<void> => {
  const these = ofWebhook({ projectId: project.id, id });
  await client.query(pgSql`DELETE FROM webhook_positions WHERE ${these}`);
  await client.query(pgSql`DELETE FROM webhook_members WHERE ${these}`);
};

/** The cohorts of a destination that the webhook names, and that are not deleted. Without `only`, all of them. */
const positionsOf = ({ projectId, id }: WebhookKey, only: number | null, now: Date): PgSql => pgSql`
  INSERT INTO webhook_positions AS p (project_id, webhook_id, cohort_id, change_id, change_offset, failures, page_after, next_attempt_at)
  SELECT w.project_id, w.id, c.id, w.seen_change, 0, 0, 0, CASE WHEN w.paused_at IS NULL THEN ${bound(now)}::timestamptz END
  FROM webhooks AS w JOIN cohorts AS c ON c.project_id = w.project_id
  WHERE w.project_id = ${bound(projectId)} AND w.id = ${bound(id)} AND w.format <> 'standard' AND NOT c.deleted
    AND c.group_type_index IS NULL
    AND (w.cohorts IS NULL OR c.id = ANY (w.cohorts)) AND (${bound(only)}::integer IS NULL OR c.id = ${bound(only)}::integer)`;

/** Begins with the members of the cohorts of a destination that have no position yet. */
export const beginMembers = async (client: ClientBase, webhook: WebhookKey, now: Date): Promise<void> => {
  await client.query(
    pgSql`${positionsOf(webhook, null, now)} ON CONFLICT (project_id, webhook_id, cohort_id) DO NOTHING`,
  );
};

interface BeginAgain {
  /** Null for all cohorts. */
  readonly cohort: number | null;
  /** The receiver is another one, which does not know the ids that the former one gave the cohorts. */
  readonly isOtherReceiver: boolean;
  readonly now: Date;
}

/**
 * Begins again with the members of the cohorts of a destination, and returns the cohorts. Messages that wait are dropped: what
 * they were to tell is read again.
 */
export const beginMembersAgain = async (
  client: ClientBase,
  webhook: WebhookKey,
  { cohort, isOtherReceiver, now }: BeginAgain,
): Promise<number[]> => {
  const these = pgSql`${ofWebhook(webhook)} AND (${bound(cohort)}::integer IS NULL OR cohort_id = ${bound(cohort)}::integer)`;
  await client.query(
    pgSql`UPDATE webhook_deliveries SET status = 'dropped', body = NULL WHERE ${these} AND status = 'waiting'`,
  );
  await client.query(pgSql`UPDATE webhook_members SET leaving = NULL WHERE ${these} AND leaving IS NOT NULL`);
  const { rows } = await client.query<{ cohort_id: number }>(
    pgSql`${positionsOf(webhook, cohort, now)}
     ON CONFLICT (project_id, webhook_id, cohort_id) DO UPDATE SET change_offset = 0, generation = p.generation + 1, page_after = 0,
       page_number = 0, batch_limit = NULL, delivery_id = NULL, failures = 0, failing_since = NULL,
       receiver_cohort = CASE WHEN NOT ${bound(isOtherReceiver)} THEN p.receiver_cohort END, next_attempt_at = excluded.next_attempt_at
     RETURNING p.cohort_id`,
  );
  return rows.map((row) => row.cohort_id).sort((a, b) => a - b);
};

/** Drops the messages of cohorts that the webhook no longer names. */
export const dropOtherCohorts = async (
  client: ClientBase,
  webhook: WebhookKey,
  cohorts: readonly number[],
): Promise<void> => {
  const isOther = pgSql`NOT cohort_id = ANY (${bound([...cohorts, ofNotices])}::integer[])`;
  await client.query(pgSql`DELETE FROM webhook_positions WHERE ${ofWebhook(webhook)} AND ${isOther}`);
  await client.query(pgSql`DELETE FROM webhook_members WHERE ${ofWebhook(webhook)} AND ${isOther}`);
  await client.query(
    pgSql`UPDATE webhook_deliveries SET status = 'dropped', body = NULL WHERE ${ofWebhook(webhook)} AND status = 'waiting' AND ${isOther}`,
  );
};
