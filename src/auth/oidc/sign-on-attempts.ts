import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { Workers } from '../../platform/work/workers.js';
import { digestOfSecret } from '../../platform/values/secret-token.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

export const attemptMs = 10 * 60_000;

/**
 * The values that bind an answer of the provider to the browser that started the sign-in. All are derived from the secret in its
 * cookie.
 */
export interface SignOnBinding {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * Derives the values. None of them reveals the secret or another value, so that the state in a URL is useless without the cookie.
 */
export const bindingOf = (secret: string): SignOnBinding => {
  const derived = (use: string) => createHmac('sha256', secret).update(use).digest('base64url');
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') };
};

/** Stores the sign-ins that browsers have started. A row is used once, by the process that gets the provider's answer. */
@Injectable()
export class SignOnAttempts {
  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
  ) {
    workers.every(attemptMs, {
      name: 'sign-on attempts',
      warning: 'expired sign-ins could not be removed and are removed later',
      run: () => postgres.query(pgSql`DELETE FROM sign_on_attempts WHERE expires_at <= ${bound(new Date())}`),
      // Every process removes expired rows, because processes that work in the background may have no console.
      isEverywhere: true,
    });
  }

  /** Stores a started sign-in. `secret` is in the cookie of the browser. */
  async start(secret: string, returnTo: string, now: Date): Promise<void> {
    await this.postgres.query(pgSql`
      INSERT INTO sign_on_attempts (digest, return_to, expires_at)
      VALUES (${bound(digestOfSecret(secret))}, ${bound(returnTo)}, ${bound(new Date(now.getTime() + attemptMs))})`);
  }

  /** Uses up a started sign-in and returns the page to open; null when it was used, has expired or was never started. */
  async take(secret: string, now: Date): Promise<string | null> {
    const { rows } = await this.postgres.query<{ return_to: string }>(pgSql`
      DELETE FROM sign_on_attempts
      WHERE digest = ${bound(digestOfSecret(secret))} AND expires_at > ${bound(now)}
      RETURNING return_to`);
    return rows[0]?.return_to ?? null;
  }
}
