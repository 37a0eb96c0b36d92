import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Problem } from '../../platform/errors/problem.js';
import { originOf } from '../../platform/http/origin.js';
import { contextOf } from '../../platform/http/request-context.js';
import { newSecret } from '../../platform/values/secret-token.js';
import { type SignInAttempt, SignInLimits } from '../limits/sign-in-limits.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OidcProvider } from './oidc-provider.js';
import { problemOfRefusal, SignOnRefusal } from './refusals.js';
import { readReturnPath } from './return-path.js';
import { attemptMs, bindingOf, SignOnAttempts } from './sign-on-attempts.js';
import { clearSignOnCookie, setSignOnCookie, signOnPath, signOnSecretOf } from './sign-on-cookie.js';
import { SignOnUsers } from './sign-on-users.js';

/** Leads browsers to the provider, and signs in those that come back. */
@Injectable()
export class OidcSignIn {
  constructor(
    private readonly provider: OidcProvider,
    private readonly attempts: SignOnAttempts,
    private readonly users: SignOnUsers,
    private readonly limits: SignInLimits,
    private readonly sessions: SessionsService,
  ) {}

  start(returnTo: string | undefined, request: Request, response: Response): Promise<void> {
    this.provider.assertConfigured();
    const page = readReturnPath(returnTo);
    return lead(request, response, async () => {
      // To begin is no failure, but an address with too many failures begins nothing.
      await (await this.limits.start(request, null)).succeeded();
      const secret = newSecret();
      const address = await this.provider.address(redirectUriOf(request).href, bindingOf(secret));
      await this.attempts.start(secret, page, contextOf(request).now);
      setSignOnCookie(request, response, secret, attemptMs);
      return address.href;
    });
  }

  callback(request: Request, response: Response): Promise<void> {
    this.provider.assertConfigured();
    return lead(request, response, async () => {
      const attempt = await this.limits.start(request, null);
      return this.finish(request, response).then(
        async (page) => {
          await attempt.succeeded();
          return page;
        },
        async (error: unknown) => {
          await forgive(attempt, error);
          throw error;
        },
      );
    });
  }

  private async finish(request: Request, response: Response): Promise<string> {
    const secret = signOnSecretOf(request);
    const binding = secret === null ? null : bindingOf(secret);
    // An answer to another browser's sign-in does not use up the one of this browser.
    if (secret === null || binding === null || request.query.state !== binding.state)
      throw new SignOnRefusal('not_begun');
    clearSignOnCookie(request, response);
    const page = await this.attempts.take(secret, contextOf(request).now);
    if (page === null) throw new SignOnRefusal('not_begun');
    const answered = redirectUriOf(request);
    answered.search = request.originalUrl.slice(request.originalUrl.indexOf('?'));
    const account = await this.provider.account(answered, binding);
    const opened = await this.users.open(account, request);
    this.sessions.handOver(opened, request, response);
    return page;
  }
}

/** Where the provider sends the browser back to; the provider knows the address. */
const redirectUriOf = (request: Request): URL => new URL(`${signOnPath}/callback`, originOf(request));

/** A provider that is down must not shut out the people of an address. */
const forgive = async (attempt: SignInAttempt, error: unknown): Promise<void> => {
  if (error instanceof SignOnRefusal && error.reason === 'provider_unavailable') await attempt.succeeded();
};

/** Sends the browser to the address, or with the reason of a refusal to the sign-in page. Programs get the problem. */
const lead = async (request: Request, response: Response, work: () => Promise<string>): Promise<void> => {
  const isBrowser = request.accepts(['json', 'html']) === 'html';
  response.set('Cache-Control', 'no-store');
  response.vary('Accept');
  const location = await work().catch((error: unknown) => {
    const isThrottled = error instanceof Problem && error.status === 429;
    if (isBrowser && isThrottled) return '/sign-in?refused=too_many_attempts';
    if (!(error instanceof SignOnRefusal)) throw error;
    if (!isBrowser) throw problemOfRefusal(error);
    return `/sign-in?refused=${error.reason}`;
  });
  response.status(303).location(location).end();
};
