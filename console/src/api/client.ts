import createClient from 'openapi-fetch';
import { ProblemError } from './problem-error';
import { type paths } from './schema';

/** The interface of the service, typed by its own OpenAPI document. The browser adds the session's cookie. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a successful answer; everything else is thrown as a ProblemError. */
export const bodyOf = async <T>(call: Promise<Answered<T>>): Promise<T> => {
  const { data, error, response } = await call;
  if (!response.ok) throw ProblemError.of(error, response.status);
  return data as T;
};

/** For addresses that the service itself wrote into an answer, such as `next` of a list. */
export const getJson = async <T>(address: string, signal?: AbortSignal): Promise<T> => {
  const { pathname, search } = new URL(address, window.location.origin);
  const response = await fetch(pathname + search, { credentials: 'same-origin', signal: signal ?? null });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw ProblemError.of(body, response.status);
  return body as T;
};

/** For routes whose types the OpenAPI document does not give. */
export const sendJson = async <T>(
  method: string,
  address: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> => {
  const response = await fetch(address, {
    method,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: signal ?? null,
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw ProblemError.of(answer, response.status);
  return answer as T;
};
