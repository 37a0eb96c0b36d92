import { Problem, invalidInput } from '../../platform/errors/problem.js';
import { type Request, type Response } from 'express';
import { onlyCookie } from '../../platform/http/cookies.js';
import { isSecret, newSecret } from '../../platform/values/secret-token.js';
import { Injectable } from '@nestjs/common';
import { originOf } from '../../platform/http/origin.js';
import { contextOf } from '../../platform/http/request-context.js';
import { type SignInAttempt, SignInLimits } from '../limits/sign-in-limits.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OidcProvider } from './oidc-provider.js';
import { SignOnRefusal, problemOfRefusal } from './refusals.js';
import { SignOnAttempts, attemptMs, bindingOf } from './sign-on-attempts.js';
import { SignOnUsers } from './sign-on-users.js';

const own = 'http://own.invalid';
const pages = /^\/(?:$|p\/|invitation$)/;
export const maxReturnPathLength = 2000;

/**
 * Returns the path of a page of the console, as the browser will understand the text: `/p/..//evil.test` and `/\evil.test` look
 * like paths and lead elsewhere.
 */
export const readReturnPath = (text: string | undefined): string => {
  if (text === undefined) return '/';
  const url = text.startsWith('/') && URL.canParse(text, own) ? new URL(text, own) : null;
  if (url?.origin === own && pages.test(url.pathname)) {
    const path = url.pathname + url.search + url.hash;
    if (path.length <= maxReturnPathLength) return path;
  }
  throw invalidInput(
    `return_to must be the path of a page of this service with at most ${maxReturnPathLength} characters, such as /p/1/live`,
    'return_to',
  );
};

const name = 'kohort_sign_on';

/** The browser sends the cookie to these routes only. */
const signOnPath = '/api/sessions/oidc';

const attributes = ({ secure }: Request) => ({ httpOnly: true, sameSite: 'lax', secure, path: signOnPath }) as const;

const setSignOnCookie = (request: Request, response: Response, secret: string, maxAgeMs: number): void => {
  response.cookie(name, secret, { ...attributes(request), maxAge: maxAgeMs });
};

const clearSignOnCookie = (request: Request, response: Response): void => {
  response.clearCookie(name, attributes(request));
};

/** Returns null when the browser has started no sign-in. */
const signOnSecretOf = (request: Request): string | null => {
  const secret = onlyCookie(request, name);
  return secret !== null && isSecret(secret) ? secret : null;
};

/** Sends browsers to the provider, and signs in those that come back. */
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
      // Starting is no failure, but an address with too many failures may not start another sign-in.
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
    // The state is compared first, so that an answer to another browser's sign-in does not use up the sign-in of this browser.
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

/** Returns the address to which the provider sends the browser back. It must be registered at the provider. */
const redirectUriOf = (request: Request): URL => new URL(`${signOnPath}/callback`, originOf(request));

/** Uncounts an attempt that failed because the provider is unavailable, which must not shut out the users of an address. */
const forgive = async (attempt: SignInAttempt, error: unknown): Promise<void> => {
  if (error instanceof SignOnRefusal && error.reason === 'provider_unavailable') await attempt.succeeded();
};

/**
 * Redirects the browser to the address or, if it is refused, to the sign-in page with the reason. Programs get the problem
 * instead.
 */
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
