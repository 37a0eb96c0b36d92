import { type CaptureFailure, missing, tooLargeCapture, unparsable } from './failure.js';
import { gunzip, isGzip } from './gunzip.js';
import { Outline, isSpace, syntaxRefusal, withPosition } from './outline.js';
import {
  freelyUnpackedBytes,
  maxBatchBytes,
  maxTextPackedBytes,
  maxUnpackedRatio,
} from '../../kernel/event-log/normalise/limits.js';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Dialect, posthogDialect } from './dialect.js';
import { BodyEvents } from './body-events.js';
import { carrierIn, carrierOf, propertiesIn } from './token.js';

/** Waits for permission to unpack a body beyond the common size. */
export type MemoryReservation = () => Promise<void>;

type Unwrapped = { ok: true; json: Buffer } | CaptureFailure;

/** The deepest known packing is gzip in base64 in a form; a proxy may add one more gzip. */
const maxLayers = 5;

/**
 * Unpacks gzip, forms and base64 until JSON appears. Only the bytes decide: SDKs label gzip as text/plain, and proxies unpack
 * bodies without correcting the headers.
 */
export const unwrap = async (body: Buffer, admission: MemoryReservation): Promise<Unwrapped> => {
  let bytes = body;
  for (let layer = 0; layer <= maxLayers; layer++) {
    if (bytes.length > maxBatchBytes) {
      return tooLargeCapture(`a batch may have at most ${maxBatchBytes} bytes, send it in smaller batches`);
    }
    const trimmed = withoutLeadingSpace(bytes);
    if (trimmed === null) return unparsable('the body begins with too much white space');
    bytes = trimmed;
    if (looksLikeJson(bytes)) return { ok: true, json: bytes };
    const inner = isGzip(bytes) ? await inflate(bytes, body.length, admission) : fromText(bytes);
    if (!inner.ok) return inner;
    bytes = inner.bytes;
  }
  return unparsable('the body is packed too many times');
};

/**
 * Unpacks gzip. The limit depends on `sent`, the number of bytes received, so that nested gzip cannot multiply the size again.
 */
const inflate = async (bytes: Buffer, sent: number, admission: MemoryReservation): ReturnType<typeof gunzip> => {
  const allowed = Math.min(maxBatchBytes, Math.max(freelyUnpackedBytes, maxUnpackedRatio * sent));
  const small = await gunzip(bytes, freelyUnpackedBytes);
  if (small.ok || small.code !== 'too_large') return small;
  if (allowed > freelyUnpackedBytes) {
    await admission();
    const large = await gunzip(bytes, allowed);
    if (large.ok || large.code !== 'too_large' || allowed === maxBatchBytes) return large;
  }
  return tooLargeCapture(
    `the batch unpacks to more than ${freelyUnpackedBytes} bytes and ${maxUnpackedRatio} times its size, send it unpacked`,
  );
};

const fromText = (bytes: Buffer): { ok: true; bytes: Buffer } | CaptureFailure => {
  const start = dataFieldStart(bytes);
  return start === null ? fromBase64(bytes) : fromForm(bytes, start);
};

/** Finds the start of the field `data` without parsing the form: a body of a million `&` would become a million pairs. */
const dataFieldStart = (bytes: Buffer): number | null => {
  if (bytes.subarray(0, 5).toString('latin1') === 'data=') return 5;
  const later = bytes.indexOf('&data=');
  return later < 0 ? null : later + 6;
};

const fromForm = (bytes: Buffer, start: number): { ok: true; bytes: Buffer } | CaptureFailure => {
  const end = bytes.indexOf('&', start);
  const field = bytes.subarray(start, end < 0 ? bytes.length : end);
  if (field.length > maxTextPackedBytes) return tooMuchText('form');
  const value = replaced(field, plus, space).toString();
  try {
    return { ok: true, bytes: Buffer.from(decodeURIComponent(value)) };
  } catch {
    return unparsable('the form field data is not properly URL-encoded', 'data');
  }
};

const base64Start = /^[A-Za-z0-9+/_\- \r\n]{2,}(={1,2}[\r\n ]*)?$/;

const fromBase64 = (bytes: Buffer): { ok: true; bytes: Buffer } | CaptureFailure => {
  if (bytes[0] === 0x22) return unparsable('the body is JSON text: encode the object once, not twice');
  if (!base64Start.test(bytes.toString('latin1', 0, 64))) {
    return unparsable(
      'the body is neither JSON nor gzip, base64 or form data of it: send {"api_key": …, "batch": […]}',
    );
  }
  if (bytes.length > maxTextPackedBytes) return tooMuchText('base64');
  let end = bytes.length;
  while (isSpace(bytes[end - 1])) end -= 1;
  // An unescaped + of base64 arrives as a space when it was sent in a URL or a form.
  const text = replaced(bytes.subarray(0, end), space, plus).toString('latin1');
  const decoded = Buffer.from(text, 'base64');
  if (!isGzip(decoded) && !looksLikeJson(withoutLeadingSpace(decoded) ?? decoded)) {
    return unparsable('the base64 data contains neither JSON nor gzip');
  }
  return { ok: true, bytes: decoded };
};

const looksLikeJson = (bytes: Buffer): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b;

const plus = 0x2b;
const space = 0x20;

/** Works on bytes, because a million replacements in a string take half a second. */
const replaced = (bytes: Buffer, from: number, to: number): Buffer => {
  const copy = Buffer.from(bytes);
  for (let at = 0; at < copy.length; at += 1) if (copy[at] === from) copy[at] = to;
  return copy;
};

const tooMuchText = (packing: string): CaptureFailure =>
  tooLargeCapture(`${packing} data may have at most ${maxTextPackedBytes} bytes, send larger batches as JSON or gzip`);

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const mostLeadingSpace = 64 * 1024;

/** Returns the bytes without leading white space; null when there is more of it than any client sends. */
const withoutLeadingSpace = (bytes: Buffer): Buffer | null => {
  const first = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  let start = first;
  while (isSpace(bytes[start])) if (++start - first > mostLeadingSpace) return null;
  return bytes.subarray(start);
};

export interface CaptureRequest {
  method: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as received, still packed. */
  body: Buffer;
}

/** Finds the token and the positions of the events in the bytes of a capture request. No event is parsed yet. */
export const open = async (
  request: CaptureRequest,
  admission: MemoryReservation,
  dialect: Dialect = posthogDialect,
): Promise<BodyEvents | CaptureFailure> => {
  const packed = packedBody(request);
  if (packed.length === 0) return missing('no data, send events as the body or as ?data=', 'data');
  const unwrapped = await unwrap(packed, admission);
  if (!unwrapped.ok) return explain(unwrapped, packed, request);
  const outlined = await Outline.of(unwrapped.json);
  if (!outlined.ok) return withPosition(outlined, unwrapped.json);
  const { outline } = outlined;
  const outside = dialect.headerToken([request.headers.authorization].flat()[0] ?? '');
  const search = await findToken(outline, outside, dialect);
  // Without a token in the body, the body may not be JSON at all, and then this is the fault to report.
  if (!search.ok)
    return search.code === 'not_authenticated' ? ((await syntaxRefusal(unwrapped.json)) ?? search) : search;
  if (outline.events.length === 0) return missing('no events, a batch needs at least one', outline.attr);
  return new BodyEvents(outline, search.token, dialect, {
    token: outside,
    sent: [request.query.get('_'), sentHeader(request)],
  });
};

const sentHeader = ({ headers }: CaptureRequest): unknown => headers['posthog-request-timestamp'];

const packedBody = ({ method, query, body }: CaptureRequest): Buffer =>
  method === 'GET' || body.length === 0 ? Buffer.from(query.get('data') ?? '') : body;

/** Names an unknown or wrong compression, which helps more than the error that the data cannot be parsed. */
const explain = (refusal: CaptureFailure, packed: Buffer, { query, headers }: CaptureRequest): CaptureFailure => {
  if (refusal.code !== 'parse_error') return refusal;
  const names = [query.get('compression'), headers['content-encoding']]
    .flat()
    .flatMap((name) => (name ? [name.toLowerCase()] : []));
  const unknown = names.find((name) => !['gzip', 'gzip-js', 'base64', 'identity'].includes(name));
  if (unknown !== undefined) {
    return unparsable(`compression ${unknown.slice(0, 40)} is not supported, use gzip or base64`, 'compression');
  }
  const gzip = names.find((name) => name.startsWith('gzip'));
  if (gzip === undefined || isGzip(packed)) return refusal;
  const says = query.get('compression')?.toLowerCase() === gzip ? '?compression=' : 'Content-Encoding: ';
  return unparsable(`the body is not gzip although ${says}${gzip} says so, and it is not JSON either`, 'compression');
};

/** This many bytes are scanned in about a millisecond. */
const bytesAtOnce = 256 * 1024;

/**
 * Finds the token. Stops at the first event that decides it: most bodies have the token outside of the events or in the first
 * event.
 */
const findToken = async (
  outline: Outline,
  outside: string | null,
  dialect: Dialect,
): Promise<{ ok: true; token: string } | CaptureFailure> => {
  const search = dialect.tokenSearch();
  search.addOutside(outside);
  search.add(carrierIn(outline.json, outline.members));
  // A body without events is parsed nowhere else, so all of it is searched here.
  if (!search.isCertain || outline.events.length === 0) {
    search.add(await propertiesIn(outline.json, outline.members));
  }
  let read = 0;
  for (const span of outline.list === null ? [] : outline.events) {
    if (search.isCertain) break;
    search.add(await carrierOf(outline.json, span));
    read += span.end - span.start;
    if (read < bytesAtOnce) continue;
    read = 0;
    await yieldToEventLoop();
  }
  return search.verdict();
};
