import { invalidInput } from '../../platform/errors/problem.js';

const own = 'http://own.invalid';
const pages = /^\/(?:$|p\/|invitation$)/;
export const maxReturnPathLength = 2000;

/**
 * A page of the console, as the browser will understand the text: `/p/..//evil.test` and `/\evil.test` begin like a path and
 * lead elsewhere.
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
