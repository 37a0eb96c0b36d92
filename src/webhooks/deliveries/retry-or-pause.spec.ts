import { describe, expect, it } from '@jest/globals';
import { nextAttemptAt, pauseReason } from './retry-or-pause.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const seconds = (failures: number, random: number) =>
  (nextAttemptAt(failures, now, { random: () => random }).getTime() - now.getTime()) / 1000;

describe('the next attempt', () => {
  it('comes later after each failure, up to six hours', () => {
    expect([1, 2, 3, 4, 12, 13, 14, 200].map((failures) => seconds(failures, 1))).toEqual([
      5, 10, 20, 40, 10_240, 20_480, 21_600, 21_600,
    ]);
    expect(seconds(1, 0)).toBe(4.5);
  });

  it('is made at least twenty times in three days', () => {
    let [at, attempts] = [now, 0];
    for (; at.getTime() < now.getTime() + 3 * 86_400_000; attempts += 1)
      at = nextAttemptAt(attempts + 1, at, { random: () => 1 });
    expect(attempts).toBeGreaterThan(20);
  });
});

describe('a receiver that names a time', () => {
  it('is called then, within a second and six hours', () => {
    const after = (retryAfterMs: number) => nextAttemptAt(9, now, { retryAfterMs }).getTime() - now.getTime();
    expect([0, 90_000, 86_400_000].map(after)).toEqual([1000, 90_000, 21_600_000]);
  });
});

describe('a webhook', () => {
  const failed = { cohortId: 7, failingSince: now, status: 500, error: 'The receiver answered 500' };
  const after = (hours: number, more: object = {}) =>
    pauseReason({ ...failed, ...more }, new Date(now.getTime() + hours * 3_600_000));

  it('is paused when a message has failed for three days, or when the receiver is gone', () => {
    expect(after(71.9)).toBeNull();
    expect(after(72)).toBe('A message about cohort 7 failed for 3 days. The receiver answered 500');
    expect(after(0, { status: 410 })).toBe('The receiver answered 410: it no longer takes messages');
  });

  it('with a format of a receiver is paused at once when a person has to correct something', () => {
    const paused = [400, 401, 403, 404, 413, 422];
    const waits = [408, 425, 429, 500, 503, null];
    const isPaused = (status: number | null) => after(0, { status, isToDestination: true }) !== null;
    expect([paused.every(isPaused), waits.some(isPaused)]).toEqual([true, false]);
    expect(paused.map((status) => after(0, { status }))).toEqual(paused.map(() => null));
    expect(after(0, { status: 401, error: 'The receiver answered 401', isToDestination: true })).toBe(
      'The receiver answered 401 to a message about cohort 7: correct the webhook or the receiver, and resume',
    );
  });
});
