import fc from 'fast-check';
import { changesOf, type Change } from './changes.js';
import { clockChanges, ghost, stream, type Stream, type StreamEvent, type StreamMerge } from './stream.js';

const minute = 60_000;

export const addresses = ['/', '/a', '/a/', '/b/1', '/b/2', '/b/2/', '/c?q=1', '//', '', '/é', '(x', 'a%_b'] as const;
export const screens = ['/a', 'Home', 'Home/'] as const;

const visit = fc.record({
  uuid: fc.uuid({ version: 4 }),
  gap: fc.constantFrom(1, 2, 5, 7, 10, 15, 30, 31, 90),
  distinctId: fc.constantFrom('a', 'a', 'b', 'c', 'd', ghost),
  event: fc.constantFrom('$pageview', '$pageview', '$pageview', '$screen', 'buy', 'leave'),
  address: fc.option(fc.constantFrom(...addresses), { freq: 20 }),
  screen: fc.constantFrom(...screens),
  plan: fc.constantFrom('x', 'y', null),
});

/**
 * A stream of few persons who look at pages and screens one after the other, over the time at which clocks change. No two events have
 * the same time, so that their order is certain.
 */
export const pathStream: fc.Arbitrary<Stream> = fc
  .tuple(stream({ maxEvents: 0 }), fc.array(visit, { minLength: 20, maxLength: 45, size: 'max' }))
  .map(([drawn, visits]) => {
    let time = Date.parse(clockChanges[drawn.zone]?.[drawn.weekStartDay % 2] ?? '') - 3 * 60 * minute;
    const taken = new Set<number>();
    const events = visits.map(({ uuid, gap, distinctId, event, address, screen, plan }): StreamEvent => {
      time += gap * minute;
      taken.add(time);
      const properties = { plan, $screen_name: screen, ...(address === null ? {} : { $current_url: address }) };
      return { uuid, event, distinctId, timestamp: new Date(time), properties };
    });
    const merges = drawn.merges.map((merge) => atFreeTime(merge, taken));
    return { ...drawn, before: events.slice(5), merges, after: events.slice(0, 5) };
  });

const atFreeTime = (merge: StreamMerge, taken: Set<number>): StreamMerge => {
  let at = merge.timestamp.getTime();
  while (taken.has(at)) at += 1;
  taken.add(at);
  return { ...merge, timestamp: new Date(at) };
};

/** Changes of the persons of such a stream, again at times of their own. */
export const pathChanges = (drawn: Stream): fc.Arbitrary<readonly Change[]> =>
  changesOf(drawn).map((changes) => {
    const taken = new Set(
      [...drawn.before, ...drawn.merges, ...drawn.after].map(({ timestamp }) => timestamp.getTime()),
    );
    return changes.map((change) =>
      change.kind === 'merge' ? { ...change, merge: atFreeTime(change.merge, taken) } : change,
    );
  });
