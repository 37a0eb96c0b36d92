import { type ClientBase } from 'pg';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type WebhookKey } from './new-changes.js';

/** Each of these is part of a change of a webhook, whose row the caller has locked. */
const ofWebhook = ({ projectId, id }: WebhookKey): PgSql =>
  pgSql`project_id = ${bound(projectId)} AND webhook_id = ${bound(id)}`;

/** While the webhook is paused nothing is due. */
export const restPositions = async (client: ClientBase, webhook: WebhookKey): Promise<void> => {
  await client.query(pgSql`UPDATE webhook_positions SET next_attempt_at = NULL WHERE ${ofWebhook(webhook)}`);
};

/** All cohorts are looked at now, and what failed is tried at once. */
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

/** The webhook no longer names other cohorts than these: their messages are dropped. */
export const dropOtherCohorts = async (
  client: ClientBase,
  webhook: WebhookKey,
  cohorts: readonly number[],
): Promise<void> => {
  const isOther = pgSql`NOT cohort_id = ANY (${bound(cohorts)}::integer[])`;
  await client.query(pgSql`DELETE FROM webhook_positions WHERE ${ofWebhook(webhook)} AND ${isOther}`);
  await client.query(
    pgSql`UPDATE webhook_deliveries SET status = 'dropped' WHERE ${ofWebhook(webhook)} AND status = 'waiting' AND ${isOther}`,
  );
};
