import { type ClientBase } from 'pg';
import { type Paused, pausedIn } from '../../platform/postgres/backlog.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type WebhookKey } from './new-changes.js';
import { recordWebhook, webhookLog } from '../webhook-activity.js';

export const pausedWebhooks = (postgres: Queryable): Promise<Paused> => pausedIn(postgres, pgSql`webhooks`);

/** Pauses a webhook that the caller has locked. The activity entry has no user, because the service itself pauses. */
export const pauseWebhook = async (
  client: ClientBase,
  { projectId, id }: WebhookKey,
  url: string,
  reason: string,
  now: Date,
): Promise<void> => {
  await client.query(
    pgSql`UPDATE webhooks SET paused_at = ${bound(now)}, paused_reason = ${bound(reason)}
     WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
  await client.query(
    pgSql`UPDATE webhook_positions SET next_attempt_at = NULL WHERE project_id = ${bound(projectId)} AND webhook_id = ${bound(id)}`,
  );
  const changes = [webhookLog.changed('paused', false, true), webhookLog.changed('paused_reason', null, reason)];
  const author = { userId: null, requestId: null, now };
  await recordWebhook(client, { id: projectId }, { id, url, activity: 'paused', changes }, author);
};
