import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Dialect, posthogDialect } from './dialect.js';
import { type CaptureFailure, missing, unparsable } from './failure.js';
import { isGzip } from './gunzip.js';
import { BodyEvents } from './body-events.js';
import { syntaxRefusal, Outline, withPosition } from './outline.js';
import { carrierIn, carrierOf, propertiesIn } from './token-carrier.js';
import { type MemoryReservation, unwrap } from './unwrap.js';

export interface CaptureRequest {
  method: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as received, not inflated. */
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
  // A token cannot be found in what is not JSON.
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

/** An error that names the compression at fault helps more than one that says the data cannot be parsed. */
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

/** The scan of this many bytes takes about a millisecond. */
const bytesAtOnce = 256 * 1024;

/** Stops at the first event that decides the token: most bodies name it beside their events or in the first one. */
const findToken = async (
  outline: Outline,
  outside: string | null,
  dialect: Dialect,
): Promise<{ ok: true; token: string } | CaptureFailure> => {
  const search = dialect.tokenSearch();
  search.addOutside(outside);
  search.add(carrierIn(outline.json, outline.members));
  // When no event is parsed later, the whole body is searched only here.
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
