import { open } from '../../../../src/events/capture/decode.js';
import { posthogDialect } from '../../../../src/events/capture/dialect.js';
import { parseTimestamp } from '../../../../src/kernel/event-log/normalise/timestamp.js';
import { decodeByParsing } from '../../../support/decode-by-parsing.js';
import { demand, assertEqual, type ParserTarget } from '../target.js';

const now = new Date('2026-03-01T12:00:00Z');

/** A body; a first line that begins with a question mark is the query of the request instead, `?GET&…` also its method. */
const requestOf = (input: Buffer) => {
  const end = input[0] === 0x3f ? input.indexOf('\n') : -1;
  const query = new URLSearchParams(end < 0 ? '' : input.toString('utf8', 1, end));
  const encoding = query.get('content-encoding');
  return {
    method: query.has('GET') ? 'GET' : 'POST',
    query,
    headers: {
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
      ...(query.has('authorization') ? { authorization: query.get('authorization') ?? '' } : {}),
    },
    body: input.subarray(end + 1),
  };
};

/** A capture body is taken or refused as a whole, by what it says when it is parsed at once. */
const target: ParserTarget = {
  maxBytes: 4096,
  words: [
    ...[
      '"api_key"',
      '"token"',
      '"$token"',
      '"batch"',
      '"event"',
      '"properties"',
      '"distinct_id"',
      '"uuid"',
      '"sent_at"',
    ],
    ...['"historical_migration"', '"phc_a"', '"phx_a"', 'data=', '&data=', '\\u0061', '?GET&data=', '?compression='],
    ...['\x1f\x8b\x08', 'eyJ', '[[[[', '{"', '":', '},{', 'true', 'null', '?authorization=Bearer phc_a\n'],
  ],
  run: async (input) => {
    const request = requestOf(input);
    const opened = await open(request, () => Promise.resolve());
    if (!opened.ok) {
      demand([400, 401, 413].includes(opened.status) && opened.detail !== '', 'a refusal has a status and a reason');
      return compare(request, { ok: false, status: opened.status, code: opened.code, detail: opened.detail });
    }
    const rawEvents: unknown[] = [];
    let events = 0;
    let sentAt: Date | null = null;
    const failure = await opened.read((chunk, context) => {
      ({ sentAt } = context);
      events += 'rejection' in chunk ? 1 : chunk.rawEvents.length;
      if ('rawEvents' in chunk) rawEvents.push(...chunk.rawEvents);
    });
    if (failure) {
      demand([400, 401, 413].includes(failure.status), 'a refusal has a status');
      return compare(request, { ok: false, status: failure.status, code: failure.code, detail: failure.detail });
    }
    assertEqual(events, opened.events, 'each event is taken or rejected');
    for (const [index, raw] of rawEvents.entries())
      posthogDialect.normalise(raw, { now, sentAt, index, engage: false });
    compare(request, { ok: true, token: opened.token, sentAt, rawEvents }, events > rawEvents.length);
  },
};

interface Verdict {
  readonly ok: boolean;
  readonly status?: number;
  readonly code?: string;
  readonly detail?: string;
  readonly token?: string;
  readonly sentAt?: Date | null;
  readonly rawEvents?: unknown[];
}

/** Bodies of plain JSON have a naive reader, which is slow and takes no other packing. */
const compare = (
  { body, query, headers }: ReturnType<typeof requestOf>,
  verdict: Verdict,
  hasRejected = false,
): void => {
  if ((body[0] !== 0x7b && body[0] !== 0x5b) || query.size > 0 || Object.keys(headers).length > 0) return;
  const json = body.toString('utf8');
  // What the naive reader does not know: lists of events that are named twice, and limits of size.
  if (verdict.detail?.startsWith('the body contains batch') || verdict.status === 413 || body.length > 4000) return;
  const expected = decodeByParsing(json);
  // What is not JSON may be refused for what it says before the place at which it ends.
  if (!expected.ok && expected.code === 'parse_error') demand(!verdict.ok, 'what is not JSON is refused');
  else if (!expected.ok) assertEqual([verdict.status, verdict.code], [expected.status, expected.code], 'refused alike');
  else {
    const { token, sentAt } = expected;
    // The naive reader sees only the last of equal keys, so an event that is too deep in another one is not too deep for it.
    const taken = (verdict.rawEvents ?? []).map((event) => JSON.stringify(event));
    const rawEvents = hasRejected
      ? expected.rawEvents.filter((event) => taken.includes(JSON.stringify(event)))
      : expected.rawEvents;
    assertEqual(verdict, { ok: true, token, sentAt, rawEvents }, 'read alike');
    demand(sentAt === null || parseTimestamp(sentAt.toISOString()) !== null, 'a time of sending is a time');
  }
};

export default target;
