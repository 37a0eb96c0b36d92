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
  await client.query(pgSql`DELETE FROM webhook_positions WHERE ${ofWebhook({ projectId: project.id, id })}`);
};

/** Drops the messages of cohorts that the webhook no longer names. */
export const dropOtherCohorts = async (
  client: ClientBase,
  webhook: WebhookKey,
  cohorts: readonly number[],
): Promise<void> => {
  const isOther = pgSql`NOT cohort_id = ANY (${bound([...cohorts, ofNotices])}::integer[])`;
  await client.query(pgSql`DELETE FROM webhook_positions WHERE ${ofWebhook(webhook)} AND ${isOther}`);
  await client.query(
    pgSql`UPDATE webhook_deliveries SET status = 'dropped' WHERE ${ofWebhook(webhook)} AND status = 'waiting' AND ${isOther}`,
  );
};
