import { type Request, type Response } from 'express';
import { onlyCookie } from '../../platform/http/cookies.js';
import { isSecret } from '../../platform/values/secret-token.js';

const name = 'kohort_sign_on';

/** The only routes that get the cookie. */
export const signOnPath = '/api/sessions/oidc';

const attributes = ({ secure }: Request) => ({ httpOnly: true, sameSite: 'lax', secure, path: signOnPath }) as const;

export const setSignOnCookie = (request: Request, response: Response, secret: string, maxAgeMs: number): void => {
  response.cookie(name, secret, { ...attributes(request), maxAge: maxAgeMs });
};

export const clearSignOnCookie = (request: Request, response: Response): void => {
  response.clearCookie(name, attributes(request));
};

/** Null where the browser has started no sign-in. */
export const signOnSecretOf = (request: Request): string | null => {
  const secret = onlyCookie(request, name);
  return secret !== null && isSecret(secret) ? secret : null;
};
