import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A preview is good for so long. */
export const confirmationMinutes = 10;

/** The change that a token confirms. */
export interface Confirmed {
  /** The key or session of the caller, as it was sent. */
  readonly credential: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/**
 * A token that confirms one change of one caller for ten minutes. Its signature is made with the caller's own key, which each
 * process sees in each request, so that processes share neither a secret nor a table. A caller who knows the key could sign, too,
 * and gains nothing: the key alone opens the same route without a preview.
 */
export const confirmationToken = (change: Confirmed, now: Date): string => {
  const until = Math.floor(now.getTime() / 1000 + confirmationMinutes * 60).toString(36);
  return `${until}.${signatureOf(change, until)}`;
};

/** True if the token was made for this change, by any process, within the last ten minutes. */
export const confirms = (token: string, change: Confirmed, now: Date): boolean => {
  const [until = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf(change, until));
  const sent = Buffer.from(signature);
  const isSame = sent.length === expected.length && timingSafeEqual(sent, expected);
  return isSame && parseInt(until, 36) * 1000 > now.getTime();
};

const signatureOf = ({ credential, method, path, body = '' }: Confirmed, until: string): string => {
  const key = createHash('sha256').update('confirmation of a tool call\n').update(credential).digest();
  return createHmac('sha256', key)
    .update(JSON.stringify([until, method, path, body]))
    .digest('base64url');
};
