import { type ClientBase } from 'pg';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { cohortChanged } from '../definition/webhook-fields.js';
import { type WebhookKey } from './new-changes.js';
import { ofNotices } from './webhook-position.entity.js';

const typesIn = (events: readonly string[]): string[] => events.filter((event) => event !== cohortChanged);

/** True for positions after which there are notices that their webhook sends. `p` is the position, `w` its webhook. */
const hasMore = pgSql`EXISTS (
  SELECT FROM notices AS n WHERE n.project_id = p.project_id AND n.id > p.change_id AND n.type = ANY (w.events))`;

const ofWebhook = ({ projectId, id }: WebhookKey): PgSql => pgSql`
  project_id = ${bound(projectId)} AND webhook_id = ${bound(id)} AND cohort_id = ${bound(ofNotices)}`;

/**
 * Makes the position of a webhook in the notices that of its events. It starts after the last notice, and a type that is added
 * later starts there too, unless an earlier notice still waits: then it starts after the last one that was sent.
 */
export const followNotices = async (
  client: ClientBase,
  webhook: WebhookKey,
  events: readonly string[],
  before: readonly string[] | null,
): Promise<void> => {
  const [types, old] = [typesIn(events), typesIn(before ?? [])];
  if (types.length === 0) {
    await client.query(pgSql`DELETE FROM webhook_positions WHERE ${ofWebhook(webhook)}`);
    await client.query(
      pgSql`UPDATE webhook_deliveries SET status = 'dropped' WHERE ${ofWebhook(webhook)} AND status = 'waiting'`,
    );
    return;
  }
  if (types.every((type) => old.includes(type))) return;
  const last = await lastNoticeFor(client, webhook, old);
  await client.query(
    pgSql`INSERT INTO webhook_positions (project_id, webhook_id, cohort_id, change_id, change_offset, failures)
     VALUES (${bound(webhook.projectId)}, ${bound(webhook.id)}, ${bound(ofNotices)}, ${bound(last)}::bigint, 0, 0)
     ON CONFLICT (project_id, webhook_id, cohort_id) DO UPDATE
     SET change_id = greatest(webhook_positions.change_id, excluded.change_id)`,
  );
};

/** The id of the last notice before the first one that still waits; of the last one if none waits. */
const lastNoticeFor = async (client: Queryable, webhook: WebhookKey, types: readonly string[]): Promise<string> => {
  const project = bound(webhook.projectId);
  const { rows } = await client.query<{ last: string }>(
    pgSql`SELECT coalesce(
       (SELECT min(n.id) - 1 FROM notices AS n WHERE n.project_id = ${project} AND n.type = ANY (${bound(types)}::text[])
          AND n.id > (SELECT p.change_id FROM webhook_positions AS p WHERE ${ofWebhook(webhook)})),
       (SELECT max(id) FROM notices WHERE project_id = ${project}), 0) AS last`,
  );
  return rows[0]?.last ?? '0';
};

const withNews = pgSql`
  SELECT p.project_id AS "projectId", p.webhook_id AS id FROM webhooks AS w
  JOIN webhook_positions AS p ON p.project_id = w.project_id AND p.webhook_id = w.id AND p.cohort_id = ${bound(ofNotices)}
  WHERE w.paused_at IS NULL AND w.events <> ARRAY['cohort.changed'] AND p.next_attempt_at IS NULL AND ${hasMore}
  LIMIT 1000`.named('webhooks-with-notices');

/** Makes the webhooks due for which there are new notices. */
export const noteNewNotices = async (postgres: Postgres, now: Date): Promise<void> => {
  const { rows } = await postgres.query<WebhookKey & object>(withNews);
  for (const webhook of rows)
    await postgres.query(
      pgSql`UPDATE webhook_positions AS p SET next_attempt_at = coalesce(next_attempt_at, ${bound(now)})
       WHERE ${ofWebhook(webhook)}
         AND EXISTS (SELECT FROM webhooks AS w WHERE w.project_id = ${bound(webhook.projectId)} AND w.id = ${bound(webhook.id)}
           AND w.paused_at IS NULL)`,
    );
};
