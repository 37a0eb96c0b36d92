import type { components } from './schema.js';

interface Signed<Type extends string, Data> {
  /** The id of the message. A message that is sent again has the same id: skip one that you have processed. */
  readonly id: string;
  readonly type: Type;
  readonly timestamp: string;
  readonly data: Data;
}

export type CohortChanged = Signed<
  'cohort.changed',
  {
    readonly project_id: number;
    readonly cohort: { readonly id: number; readonly name: string };
    readonly changes: readonly components['schemas']['CohortChangeDto'][];
    /** The feed of the cohort continues after these changes with this cursor. */
    readonly cursor: string;
  }
>;
export type WebhookTested = Signed<'webhook.test', { readonly project_id: number; readonly webhook_id: number }>;
export type WebhookMessage = CohortChanged | WebhookTested;

/** A message that the service did not sign, or that is too old. Answer it with status 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const headerOf = (headers: HeaderValues, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookError(`the header ${name} is missing`);
  return value;
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
};

/**
 * Checks the signature of a message, as Standard Webhooks defines it, and returns the message. `body` is the text of the request
 * as it came, before any parser. A message is refused when it was signed more than `toleranceSeconds` ago.
 */
export const verifyWebhook = async (
  secret: string,
  headers: HeaderValues,
  body: string | Uint8Array,
  { toleranceSeconds = 300 } = {},
): Promise<WebhookMessage> => {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  // Written so that a timestamp which is no number is refused, too.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookError('the message was signed too long ago, or by another clock');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), algorithm, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures.split(' ')) {
    if (!signature.startsWith('v1,')) continue;
    if (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed))
      return { ...(JSON.parse(text) as Omit<WebhookMessage, 'id'>), id } as WebhookMessage;
  }
  throw new WebhookError('the signature does not belong to the message');
};
