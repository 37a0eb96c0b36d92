import { describe, expect, it } from '@jest/globals';
import { Metrics } from '../../common/metrics/metrics.js';
import { LivePlaces, liveLimits } from './live-places.js';

/** The number of streams that open, one project and caller after the other. */
const opened = (places: LivePlaces, take: (nth: number) => [project: number, user: number]): number => {
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
    expect(opened(new LivePlaces(new Metrics()), (nth) => [nth, 1])).toBe(liveLimits.caller);
    expect(opened(new LivePlaces(new Metrics()), (nth) => [1, nth])).toBe(liveLimits.project);
    expect(opened(new LivePlaces(new Metrics()), (nth) => [nth, nth])).toBe(liveLimits.process);
  });

  it('are free again when they are given back, and when a stream was refused', () => {
    const places = new LivePlaces(new Metrics());
    const taken = Array.from({ length: liveLimits.caller }, () => places.take(1, 1));
    expect(() => places.take(1, 1)).toThrow('You have too many live streams open');
    taken[0]?.();
    expect(places.count).toBe(liveLimits.caller - 1);
    places.take(1, 1)();
    for (const giveBack of taken.slice(1)) giveBack();
    expect(places.count).toBe(0);
    expect(opened(places, (nth) => [nth, 1])).toBe(liveLimits.caller);
  });
});
