import { type ClientBase } from 'pg';
import { ItemLog } from '../kernel/activity/item-log.js';
import { type ActivityAuthor, type ActivityChange } from '../kernel/activity/record-activity.js';

/** Only the origin is logged: more users read the log than read webhooks, and the rest of an address may contain a secret. */
export const originOfUrl = (url: string): string => new URL(url).origin;

export const webhookLog = new ItemLog('Webhook');

interface WebhookEntry {
  readonly id: number;
  readonly url: string;
  readonly activity: string;
  readonly changes: readonly ActivityChange[];
}

export const recordWebhook = (
  client: ClientBase,
  project: { readonly id: number },
  { id, url, activity, changes }: WebhookEntry,
  author: ActivityAuthor,
): Promise<void> => webhookLog.record(client, project, { id, activity, name: originOfUrl(url), changes }, author);
