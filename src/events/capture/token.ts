import { isRecord } from '../normalise/json.js';
import { badToken, type CaptureFailure, unauthenticated } from './failure.js';
import { isKey } from '../normalise/key-text.js';

const PRINTABLE = /^[\x21-\x7e]{1,64}$/;

/**
 * The one project token of a request. `carriers` are the body and its events; each may name it, all that do must agree.
 * Inside `properties` a `token` may also be the sender's own data: there it counts as ours when it looks like a key, or
 * when nothing else names one.
 */
export const findToken = (carriers: readonly unknown[]): { ok: true; token: string } | CaptureFailure => {
  const named = new Set<unknown>();
  const inProperties = new Set<unknown>();
  for (const carrier of carriers) {
    if (!isRecord(carrier)) continue;
    collect(named, [carrier.api_key, carrier.token, carrier.$token]);
    if (isRecord(carrier.properties)) collect(inProperties, [carrier.properties.token, carrier.properties.api_key]);
  }
  const keysInProperties = [...inProperties].filter(isKey);
  const certain = new Set([...named, ...keysInProperties]);
  return agree([...(certain.size > 0 ? certain : inProperties)]);
};

const collect = (into: Set<unknown>, values: unknown[]): void => {
  for (const value of values) if (value !== undefined && value !== null && value !== '') into.add(value);
};

const agree = (tokens: unknown[]): { ok: true; token: string } | CaptureFailure => {
  const [token] = tokens;
  if (token === undefined) {
    return unauthenticated('no project token, send it as api_key in the body', 'api_key');
  }
  if (tokens.some((each) => typeof each === 'string' && each.startsWith('phx_'))) {
    return badToken('a personal API key cannot capture events, send the project token (phc_…)', 'api_key');
  }
  if (tokens.some((each) => typeof each !== 'string' || !PRINTABLE.test(each))) {
    return badToken('malformed project token, it is 1 to 64 printable ASCII characters', 'api_key');
  }
  if (tokens.length > 1) {
    return badToken('inconsistent token, all events of a request must carry the same one', 'api_key');
  }
  return { ok: true, token: token as string };
};
