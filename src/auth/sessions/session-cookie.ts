import { type Request, type Response } from 'express';

const name = 'kohort_session';

/**
 * The token of the session cookie; null without a cookie. Several cookies of the name give an empty text, which is no token:
 * a neighbouring host may have set one of them, so that the user would act in the session of an attacker.
 */
export const sessionTokenOf = (request: Request): string | null => {
  const values = (request.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  if (values.length === 0) return null;
  return values.length === 1 ? (values[0] ?? '') : '';
};

const attributes = ({ secure }: Request) => ({ httpOnly: true, sameSite: 'lax', secure, path: '/' }) as const;

export const setSessionCookie = (request: Request, response: Response, token: string, maxAgeMs: number): void => {
  response.cookie(name, token, { ...attributes(request), maxAge: maxAgeMs });
};

export const clearSessionCookie = (request: Request, response: Response): void => {
  response.clearCookie(name, attributes(request));
};

export const sessionCookieName = name;
