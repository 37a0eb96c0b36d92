import { describe, expect, it } from '@jest/globals';
import { latestOccurrence, nextOccurrence } from './schedule.js';

describe('a schedule, in UTC', () => {
  it.each([
    ['0 5 * * 0', '2026-11-21T09:31:00.123Z', '2026-11-15T05:00:00.000Z', '2026-11-22T05:00:00.000Z'],
    ['0 5 * * 0', '2026-11-22T05:00:00.000Z', '2026-11-22T05:00:00.000Z', '2026-11-29T05:00:00.000Z'],
    ['0 5 * * 0', '2026-11-22T04:59:59.999Z', '2026-11-15T05:00:00.000Z', '2026-11-22T05:00:00.000Z'],
    ['*/5 * * * *', '2026-11-21T09:31:00.000Z', '2026-11-21T09:30:00.000Z', '2026-11-21T09:35:00.000Z'],
    ['* * * * *', '2026-11-21T09:31:00.000Z', '2026-11-21T09:31:00.000Z', '2026-11-21T09:32:00.000Z'],
    ['0 0 1 1 *', '2026-11-21T09:31:00.000Z', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['0 5 29 2 *', '2026-11-21T09:31:00.000Z', '2024-02-29T05:00:00.000Z', '2028-02-29T05:00:00.000Z'],
    // Clocks are put forward in Berlin and New York, which must not affect UTC.
    ['30 2 * * *', '2026-03-29T12:00:00.000Z', '2026-03-29T02:30:00.000Z', '2026-03-30T02:30:00.000Z'],
  ])('%s at %s: before that %s, after it %s', (schedule, now, latest, next) => {
    expect(latestOccurrence(schedule, new Date(now))?.toISOString()).toBe(latest);
    expect(nextOccurrence(schedule, new Date(now)).toISOString()).toBe(next);
  });
});
