import { type Request, type Response } from 'express';
import { onlyCookie } from '../../platform/http/cookies.js';

const name = 'kohort_session';

/** Returns the token of the session cookie; null when there is no such cookie, or more than one. */
export const sessionTokenOf = (request: Request): string | null => onlyCookie(request, name);

const attributes = ({ secure }: Request) => ({ httpOnly: true, sameSite: 'lax', secure, path: '/' }) as const;

export const setSessionCookie = (request: Request, response: Response, token: string, maxAgeMs: number): void => {
  response.cookie(name, token, { ...attributes(request), maxAge: maxAgeMs });
};

export const clearSessionCookie = (request: Request, response: Response): void => {
  response.clearCookie(name, attributes(request));
};

export const sessionCookieName = name;
