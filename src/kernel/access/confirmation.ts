import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

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

/** The preview of which a token was made. */
export interface Preview {
  readonly at: Date;
  /** The number of records that it counted, where the change depends on it. */
  readonly count: number;
}

/** The key or the session as it was sent: a token holds for no other. */
export const credentialOf = ({ headers }: IncomingMessage): string =>
  JSON.stringify([headers.authorization, headers.cookie]);

/**
 * A token that confirms one change of one caller for ten minutes. Its signature is made with the caller's own key, which each
 * process sees in each request, so that processes share neither a secret nor a table. A caller who knows the key could sign, too,
 * and gains nothing: the key alone opens the same route without a preview, or with one.
 */
export const confirmationToken = (change: Confirmed, { at, count }: Preview): string => {
  const seen = `${at.getTime().toString(36)}.${count.toString(36)}`;
  return `${seen}.${signatureOf(change, seen)}`;
};

/** Returns what the token was made of, if it was made for this change, by any process, within the last ten minutes. */
export const confirmedBy = (token: string, change: Confirmed, now: Date): Preview | null => {
  const [at = '', count = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf(change, `${at}.${count}`));
  const sent = Buffer.from(signature);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
  const madeAt = parseInt(at, 36);
  if (madeAt + confirmationMinutes * 60_000 <= now.getTime()) return null;
  return { at: new Date(madeAt), count: parseInt(count, 36) };
};

const signatureOf = ({ credential, method, path, body = '' }: Confirmed, seen: string): string => {
  const key = createHash('sha256').update('confirmation of a tool call\n').update(credential).digest();
  return createHmac('sha256', key)
    .update(JSON.stringify([seen, method, path, body]))
    .digest('base64url');
};
