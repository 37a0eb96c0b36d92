import { expect, it } from '@jest/globals';
import { streamLimits, streamPermits } from './stream-permits.js';

it.each([
  ['caller', 'You have too many live streams open: close one, or try again later', (nth: number) => [nth, 1]],
  [
    'project',
    'Too many live streams of this project are open: close one, or try again later',
    (nth: number) => [1, nth],
  ],
  ['all', 'Too many live streams are open: close one, or try again later', (nth: number) => [nth, nth]],
] as const)('live streams are limited: %s', (limit, message, namesOf) => {
  const take = (nth: number) => {
    const [project = 0, caller = 0] = namesOf(nth);
    return streamPermits.take({ project, caller });
  };
  const taken = Array.from({ length: streamLimits[limit] }, (_, nth) => take(nth));
  const refusal = { status: 503, code: 'unavailable', message, headers: { 'Retry-After': '10' } };
  expect(() => take(taken.length)).toThrow(expect.objectContaining(refusal));
  for (const release of taken) release();
  expect(streamPermits.count).toBe(0);
});
