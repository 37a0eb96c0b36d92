import { describe, expect, it } from '@jest/globals';
import { Metrics } from '../metrics/metrics.js';
import { StreamPlaces, streamLimits } from './stream-places.js';

/** The number of streams that open, one project and caller after the other. */
const opened = (places: StreamPlaces, take: (nth: number) => [project: number, user: number]): number => {
  for (let nth = 0; ; nth += 1) {
    try {
      places.take(...take(nth));
    } catch (error) {
      expect(error).toMatchObject({ status: 503, code: 'unavailable', headers: { 'Retry-After': '10' } });
      return nth;
    }
  }
};

describe('the places of live streams', () => {
  it('are limited for a caller, a project and the process', () => {
    expect(opened(new StreamPlaces(new Metrics()), (nth) => [nth, 1])).toBe(streamLimits.caller);
    expect(opened(new StreamPlaces(new Metrics()), (nth) => [1, nth])).toBe(streamLimits.project);
    expect(opened(new StreamPlaces(new Metrics()), (nth) => [nth, nth])).toBe(streamLimits.process);
  });

  it('are free again when they are given back, and when a stream was refused', () => {
    const places = new StreamPlaces(new Metrics());
    const taken = Array.from({ length: streamLimits.caller }, () => places.take(1, 1));
    expect(() => places.take(1, 1)).toThrow('You have too many live streams open');
    taken[0]?.();
    expect(places.count).toBe(streamLimits.caller - 1);
    places.take(1, 1)();
    for (const giveBack of taken.slice(1)) giveBack();
    expect(places.count).toBe(0);
    expect(opened(places, (nth) => [nth, 1])).toBe(streamLimits.caller);
  });
});
