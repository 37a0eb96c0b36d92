import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Makes a secret in the form that Standard Webhooks defines. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** Signs a message as Standard Webhooks defines. `at` is the moment of this attempt, so that receivers can refuse old copies. */
export const signedHeaders = (secret: string, id: string, at: Date, body: string): SignedHeaders => {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};
