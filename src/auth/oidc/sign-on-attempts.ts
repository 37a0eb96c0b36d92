import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { Workers } from '../../platform/work/workers.js';
import { digestOfSecret } from '../../platform/values/secret-token.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

export const attemptMs = 10 * 60_000;

/** Binds an answer of the provider to the browser that started the sign-in: all of it follows from the secret of its cookie. */
export interface SignOnBinding {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** None of the three reveals the secret or another one, so that the state in an address is of no use without the cookie. */
export const bindingOf = (secret: string): SignOnBinding => {
  const derived = (use: string) => createHmac('sha256', secret).update(use).digest('base64url');
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') };
};

/** The sign-ins that browsers have started. A row is used once, by whichever process gets the answer of the provider. */
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
      // Processes that work in the background may have no console.
      isEverywhere: true,
    });
  }

  /** `secret` is that of the browser's cookie. */
  async start(secret: string, returnTo: string, now: Date): Promise<void> {
    await this.postgres.query(pgSql`
      INSERT INTO sign_on_attempts (digest, return_to, expires_at)
      VALUES (${bound(digestOfSecret(secret))}, ${bound(returnTo)}, ${bound(new Date(now.getTime() + attemptMs))})`);
  }

  /** Uses an attempt up and returns where it leads; null when it was used, has expired or was never started. */
  async take(secret: string, now: Date): Promise<string | null> {
    const { rows } = await this.postgres.query<{ return_to: string }>(pgSql`
      DELETE FROM sign_on_attempts
      WHERE digest = ${bound(digestOfSecret(secret))} AND expires_at > ${bound(now)}
      RETURNING return_to`);
    return rows[0]?.return_to ?? null;
  }
}
