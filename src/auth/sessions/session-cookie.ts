import { type Request, type Response } from 'express';
import { onlyCookie } from '../../platform/http/cookies.js';

const name = 'kohort_session';

/** The token of the session cookie; null without a cookie, and no token when there are several. */
export const sessionTokenOf = (request: Request): string | null => onlyCookie(request, name);

const attributes = ({ secure }: Request) => ({ httpOnly: true, sameSite: 'lax', secure, path: '/' }) as const;

export const setSessionCookie = (request: Request, response: Response, token: string, maxAgeMs: number): void => {
  response.cookie(name, token, { ...attributes(request), maxAge: maxAgeMs });
};

export const clearSessionCookie = (request: Request, response: Response): void => {
  response.clearCookie(name, attributes(request));
};

export const sessionCookieName = name;
