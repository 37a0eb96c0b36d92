import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { createHmac } from 'node:crypto';
import { contextOf } from '../../platform/http/request-context.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { digestOfSecret } from '../../platform/values/secret-token.js';
import { SessionLookup } from '../access/session-lookup.js';
import { RequestLimits } from '../limits/request-limits.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { lockAccount } from '../users/users.repository.js';
import { OidcProvider } from './oidc-provider.js';
import { connectedUser } from './provider-accounts.repository.js';

/** The form of a signed JWT; keys of this service have no dots. */
const tokenForm = /^Bearer +([\w-]{1,8000}\.[\w-]{1,8000}\.[\w-]{1,2000})$/i;

/**
 * Gives a user a session for an access token of the provider, which ends with the token. Only users who have signed in by the
 * provider before are known by its subject.
 */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly config: Config,
    private readonly provider: OidcProvider,
    private readonly postgres: Postgres,
    private readonly lookup: SessionLookup,
    private readonly sessions: SessionsService,
    private readonly limits: RequestLimits,
  ) {}

  /** Returns the secret of the session; null if the request has no valid token for this audience. */
  async sessionOf(request: Request, audience: string): Promise<string | null> {
    const [, token] = tokenForm.exec(request.get('authorization') ?? '') ?? [];
    if (token === undefined) return null;
    const { now } = contextOf(request);
    const secret = this.secretOf(token);
    const known = await this.lookup.find(digestOfSecret(secret), null);
    if (known && expiryOf(token) > now) return secret;
    this.limits.refuseUsedUp(request);
    const account = await this.provider.accountOf(token, audience, now);
    if (account === null || known) return null;
    return this.postgres.transaction(async (client) => {
      const userId = await connectedUser(client, account);
      if (userId === null) return null;
      await lockAccount(client, userId);
      await this.sessions.openIn(client, userId, request, { token: secret, expiresAt: expiryOf(token) });
      return secret;
    });
  }

  /**
   * Each process derives the same secret from a token, but no holder of a token can: a session opens more routes than the
   * audience of the token.
   */
  private secretOf(token: string): string {
    return createHmac('sha256', this.config.oidc?.clientSecret ?? '')
      .update('session of an access token\n')
      .update(token)
      .digest('base64url');
  }
}

/** The expiry that the token names. It is trusted only once the signature was checked. */
const expiryOf = (token: string): Date => {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
      exp?: unknown;
    };
    return new Date(typeof claims.exp === 'number' ? claims.exp * 1000 : 0);
  } catch {
    return new Date(0);
  }
};
