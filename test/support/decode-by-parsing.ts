import { isDeeperThan, isRecord } from '../../src/kernel/event-log/normalise/json.js';
import { isKey } from '../../src/kernel/event-log/normalise/checked.js';
import { maxEventDepth } from '../../src/kernel/event-log/normalise/limits.js';
import { parseTimestamp } from '../../src/kernel/event-log/normalise/timestamp.js';

type Reading =
  | { ok: true; token: string; sentAt: Date | null; historicalMigration: boolean; rawEvents: unknown[] }
  | { ok: false; status: number; code: string };

const refused = (status: number, code: string): Reading => ({ ok: false, status, code });

/** What a capture body of plain JSON says, found the simple way: by parsing all of it first. For small bodies. */
export const decodeByParsing = (json: string): Reading => {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return refused(400, 'parse_error');
  }
  if (!Array.isArray(value) && !isRecord(value)) return refused(400, 'parse_error');
  const wrapper = Array.isArray(value) ? {} : value;
  const rawEvents = Array.isArray(value) ? value : Object.hasOwn(value, 'batch') ? value.batch : [value];
  if (!Array.isArray(rawEvents)) return refused(400, 'invalid_input');
  const token = tokenOf([wrapper, ...(rawEvents as unknown[])]);
  if (typeof token !== 'string') return token;
  if (rawEvents.length === 0) return refused(400, 'required');
  if (rawEvents[0] === value && misnamesItsBatch(value)) return refused(400, 'required');
  const readable = rawEvents.filter((event) => !isDeeperThan(event, maxEventDepth)) as unknown[];
  // A body that is itself an event too deep to be parsed says nothing about its events, of which there are none.
  const header = rawEvents[0] === value && readable.length === 0 ? {} : wrapper;
  return {
    ok: true,
    token,
    sentAt: parseTimestamp(header.sent_at),
    historicalMigration: header.historical_migration === true,
    rawEvents: readable,
  };
};

/** Nothing of an event, but a list of objects: its events, under another name than `batch`. */
const misnamesItsBatch = (value: object): boolean => {
  const ofEvents = /^(event|type|\$?distinct_id|userId|anonymousId|properties)$/;
  if (isDeeperThan(value, maxEventDepth) || Object.keys(value).some((key) => ofEvents.test(key))) return false;
  return Object.values(value).some((member) => Array.isArray(member) && isRecord(member[0]));
};

const tokenOf = (carriers: readonly unknown[]): string | Reading => {
  const records = carriers.filter(isRecord);
  const named = records.flatMap(({ api_key, token, $token }) => [api_key, token, $token]).filter(isThere);
  const inProperties = records
    .flatMap(({ properties }) => (isRecord(properties) ? [properties.token, properties.api_key] : []))
    .filter(isThere);
  const certain = [...named, ...inProperties.filter(isKey)];
  const tokens = [...new Set(certain.length > 0 ? certain : inProperties)];
  const [token] = tokens;
  if (token === undefined) return refused(401, 'not_authenticated');
  const isToken = typeof token === 'string' && /^[\x21-\x7e]{1,64}$/.test(token) && !token.startsWith('phx_');
  return isToken && tokens.length === 1 ? token : refused(401, 'authentication_failed');
};

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
