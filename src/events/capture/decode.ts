import { isDeeperThan, isRecord } from '../normalise/json.js';
import { parseTimestamp } from '../normalise/timestamp.js';
import { MAX_EVENT_DEPTH } from '../normalise/limits.js';
import { type CaptureFailure, invalid, missing, tooLarge, unparsable } from './failure.js';
import { nestsDeeperThan } from './json-depth.js';
import { MAX_BODY_DEPTH, MAX_EVENT_BYTES, MAX_EVENTS_PER_BATCH } from './limits.js';
import { findToken } from './token.js';
import { unwrap } from './unwrap.js';

export interface CaptureRequest {
  method: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came over the wire, not inflated. */
  body: Buffer;
}

export interface DecodedCapture {
  ok: true;
  token: string;
  sentAt: Date | null;
  historicalMigration: boolean;
  rawEvents: unknown[];
}

/** From the bytes of a capture request to its token and events; says nothing yet about any single event's worth. */
export const decode = async (request: CaptureRequest): Promise<DecodedCapture | CaptureFailure> => {
  const packed = packedBody(request);
  if (packed.length === 0) return missing('no data, send events as the body or as ?data=', 'data');
  const unwrapped = await unwrap(packed);
  if (!unwrapped.ok) return explain(unwrapped, request);
  const parsed = parseJson(unwrapped.json);
  if (!parsed.ok) return parsed;

  const envelope = open(parsed.value);
  if (!envelope.ok) return envelope;
  const { rawEvents, wrapper } = envelope;
  const found = findToken([wrapper, ...rawEvents, { token: bearerToken(request) }]);
  if (!found.ok) return found;
  const refusal = tooManyOrNone(envelope) ?? oversizedEvent(envelope, unwrapped.json.length);
  if (refusal) return refusal;
  return {
    ok: true,
    token: found.token,
    sentAt:
      parseTimestamp(wrapper.sent_at) ??
      parseTimestamp(request.query.get('_')) ??
      parseTimestamp(request.headers['posthog-request-timestamp']),
    historicalMigration: wrapper.historical_migration === true,
    rawEvents,
  };
};

/** The newest form of the SDKs names the project token in the header that personal keys use elsewhere. */
const bearerToken = ({ headers }: CaptureRequest): string | null =>
  /^Bearer +(phc_\S+)$/i.exec([headers.authorization].flat()[0] ?? '')?.[1] ?? null;

const packedBody = ({ method, query, body }: CaptureRequest): Buffer =>
  method === 'GET' || body.length === 0 ? Buffer.from(query.get('data') ?? '') : body;

/** A packing we do not know is better named than called garbage. */
const explain = (refusal: CaptureFailure, { query, headers }: CaptureRequest): CaptureFailure => {
  const said = [query.get('compression'), headers['content-encoding']].flat().filter((name) => name);
  const unknown = said.find((name) => !['gzip', 'gzip-js', 'base64', 'identity'].includes(String(name).toLowerCase()));
  if (refusal.code !== 'parse_error' || !unknown) return refusal;
  return unparsable(`compression ${String(unknown).slice(0, 40)} is not supported, use gzip or base64`, 'compression');
};

const parseJson = (json: Buffer): { ok: true; value: unknown } | CaptureFailure => {
  if (nestsDeeperThan(json, MAX_BODY_DEPTH)) return unparsable(`the JSON nests deeper than ${MAX_BODY_DEPTH} levels`);
  try {
    return { ok: true, value: JSON.parse(json.toString('utf8')) };
  } catch {
    return unparsable('the body is not valid JSON');
  }
};

interface Envelope {
  ok: true;
  /** What may carry the token and sent_at for all: the batch object, or the single event itself. */
  wrapper: Record<string, unknown>;
  rawEvents: unknown[];
  /** The field that holds the events, null where the body itself does. */
  attr: 'batch' | null;
}

const open = (value: unknown): Envelope | CaptureFailure => {
  if (Array.isArray(value)) return { ok: true, wrapper: {}, rawEvents: value, attr: null };
  if (!isRecord(value)) return invalid('the body must be an event, a list of events or {"batch": […]}');
  if (!Object.hasOwn(value, 'batch')) return { ok: true, wrapper: value, rawEvents: [value], attr: null };
  if (!Array.isArray(value.batch)) return invalid('batch must be a list of events', 'batch');
  return { ok: true, wrapper: value, rawEvents: value.batch, attr: 'batch' };
};

const tooManyOrNone = ({ rawEvents, attr }: Envelope): CaptureFailure | null => {
  if (rawEvents.length === 0) return missing('no events, a batch needs at least one', attr);
  if (rawEvents.length <= MAX_EVENTS_PER_BATCH) return null;
  return tooLarge(`a batch may have at most ${MAX_EVENTS_PER_BATCH} events, this one has ${rawEvents.length}`, attr);
};

const oversizedEvent = ({ rawEvents, attr }: Envelope, bodyBytes: number): CaptureFailure | null => {
  if (bodyBytes <= MAX_EVENT_BYTES) return null;
  const index = rawEvents.findIndex((event) => jsonBytes(event) > MAX_EVENT_BYTES);
  if (index < 0) return null;
  const detail = `an event may have at most ${MAX_EVENT_BYTES} bytes of JSON, event ${index} has more`;
  return tooLarge(detail, attr && `${attr}.${index}`);
};

/** Too deep an event is refused on its own later; measuring it here would overflow the stack. */
const jsonBytes = (event: unknown): number =>
  isDeeperThan(event, MAX_EVENT_DEPTH) ? 0 : Buffer.byteLength(JSON.stringify(event));
