import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { Workers } from '../../platform/work/workers.js';
import { digestOfSecret, isSecret, newSecret } from '../../platform/values/secret-token.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type LinkPurpose } from './one-time-link.entity.js';

/**
 * The lifetimes of links. A link that signs in without a password is short-lived, because it is used where it was printed: in a
 * terminal.
 */
const lifetimes: Readonly<Record<LinkPurpose, number>> = { sign_in: 10 * 60_000, set_password: 7 * 86_400_000 };

export interface MadeLink {
  readonly token: string;
  readonly expiresAt: Date;
}

@Injectable()
export class OneTimeLinks {
  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
  ) {
    workers.every(3_600_000, {
      name: 'one-time links',
      warning: 'expired links could not be removed and are removed later',
      run: () => postgres.query(pgSql`DELETE FROM one_time_links WHERE expires_at <= ${bound(new Date())}`),
    });
  }

  make(userId: number, purpose: LinkPurpose, now: Date): Promise<MadeLink> {
    return this.postgres.transaction((client) => this.makeIn(client, userId, purpose, { now, keyId: null }));
  }

  /** Makes a link. A new link to set a password invalidates all earlier links of the user. */
  async makeIn(
    client: ClientBase,
    userId: number,
    purpose: LinkPurpose,
    { now, keyId }: { readonly now: Date; readonly keyId: string | null },
  ): Promise<MadeLink> {
    if (purpose === 'set_password') await this.dropIn(client, userId);
    const token = newSecret();
    const expiresAt = new Date(now.getTime() + lifetimes[purpose]);
    await client.query(pgSql`
      INSERT INTO one_time_links (id, user_id, purpose, digest, created_at, expires_at, made_by_key)
      VALUES (${bound(uuidv7())}, ${bound(userId)}, ${bound(purpose)}, ${bound(digestOfSecret(token))}, ${bound(now)},
        ${bound(expiresAt)}, ${bound(keyId)})`);
    return { token, expiresAt };
  }

  /**
   * Uses up a link and returns its user; null when the link is not valid. Of two requests with the same link, the second waits
   * for the first and finds nothing, unless the first rolls back.
   */
  async takeIn(client: ClientBase, token: string, purpose: LinkPurpose, now: Date): Promise<number | null> {
    if (!isSecret(token)) return null;
    const { rows } = await client.query<{ user_id: number }>(pgSql`
      DELETE FROM one_time_links
      WHERE digest = ${bound(digestOfSecret(token))} AND purpose = ${bound(purpose)} AND expires_at > ${bound(now)}
      RETURNING user_id`);
    return rows[0]?.user_id ?? null;
  }

  /** Returns the user of a valid link, without using it up. */
  async userOf(digest: Buffer, purpose: LinkPurpose, now: Date): Promise<{ readonly email: string } | null> {
    const { rows } = await this.postgres.query<{ email: string }>(pgSql`
      SELECT u.email FROM one_time_links l JOIN users u ON u.id = l.user_id
      WHERE l.digest = ${bound(digest)} AND l.purpose = ${bound(purpose)} AND l.expires_at > ${bound(now)}`);
    return rows[0] ?? null;
  }

  /** Deletes the links of a user. A new password does this too. */
  async dropIn(client: ClientBase, userId: number): Promise<void> {
    await client.query(pgSql`DELETE FROM one_time_links WHERE user_id = ${bound(userId)}`);
  }
}

/** The token is in the fragment of the URL, which is never sent to a server, so that no log of a proxy contains it. */
export const linkOf = (origin: string, name: 'signin' | 'invitation', token: string): string =>
  `${origin}/#${name}=${token}`;
