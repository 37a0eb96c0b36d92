import { messageTypes } from '../../../../src/events/segment/message.js';
import { segmentDialect } from '../../../../src/events/segment/segment.controller.js';
import { assertSameIdentity, assertStorable, parsedOrNull } from './events.js';
import { demand, type ParserTarget } from '../target.js';

const now = new Date('2026-03-01T12:00:00Z');
const dialects = [null, ...messageTypes].map(segmentDialect);

/** A message of Segment's SDKs is rejected with a reason, or becomes an event that both stores can hold. */
const target: ParserTarget = {
  maxBytes: 2048,
  words: [
    ...['"type"', '"track"', '"identify"', '"page"', '"screen"', '"group"', '"alias"', '"userId"', '"anonymousId"'],
    ...['"messageId"', '"context"', '"traits"', '"properties"', '"previousId"', '"groupId"', '"event"', '"timestamp"'],
    ...[
      '"originalTimestamp"',
      '"sentAt"',
      '"campaign"',
      '"page"',
      '"url"',
      '"referrer"',
      '"__proto__"',
      'Basic cGhjX2E6',
    ],
    ...['"library"', '"network"', '"location"', '"device"', '"name"', '"category"', '"https://a.b/c"'],
  ],
  run: (input) => {
    for (const { headerToken } of dialects) {
      const token = headerToken(input.toString('latin1'));
      demand(token === null || token !== '', 'a token of a header is not empty');
    }
    const message = parsedOrNull(input);
    if (message === undefined) return;
    for (const { normalise } of dialects) {
      const result = normalise(message, { now, sentAt: null, index: 0, engage: false });
      assertStorable(result);
      assertSameIdentity(result);
    }
  },
};

export default target;
