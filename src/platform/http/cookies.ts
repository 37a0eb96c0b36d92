import { type Request } from 'express';

/**
 * The value of a cookie; null without one. Several cookies with the name give an empty text, which is no valid secret: a
 * neighbouring host may have set one of them, to let the user act in the session of an attacker.
 */
export const onlyCookie = (request: Request, name: string): string | null => {
  const values = (request.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  if (values.length === 0) return null;
  return values.length === 1 ? (values[0] ?? '') : '';
};
