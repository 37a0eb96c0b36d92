import { describe, expect, it } from '@jest/globals';
import { latestDue, nextDue, type Weekday } from './due-times.js';

const berlin = { timezone: 'Europe/Berlin', weekStartDay: 1 };
const next = (after: string, weekday: Weekday | null, hour: number, calendar = berlin) =>
  nextDue(new Date(after), { weekday, hour }, calendar).toISOString();

describe('the due times of a schedule', () => {
  it.each([
    ['later on the same day', '2026-03-02T05:00:00Z', null, 9, '2026-03-02T08:00:00.000Z'],
    ['never the moment itself', '2026-03-02T08:00:00Z', null, 9, '2026-03-03T08:00:00.000Z'],
    ['on a day of the week', '2026-03-02T08:00:00Z', 'monday', 9, '2026-03-09T08:00:00.000Z'],
    ['on a day of the week that comes', '2026-03-02T08:00:00Z', 'sunday', 0, '2026-03-07T23:00:00.000Z'],
    ['where clocks leave the hour out', '2026-03-28T12:00:00Z', null, 2, '2026-03-29T01:00:00.000Z'],
    ['once where the hour comes twice', '2026-10-25T01:00:00Z', null, 2, '2026-10-26T01:00:00.000Z'],
    ['by summer time afterwards', '2026-03-29T12:00:00Z', null, 9, '2026-03-30T07:00:00.000Z'],
  ] as const)('come %s', (_, after, weekday, hour, expected) => {
    expect(next(after, weekday, hour)).toBe(expected);
  });

  it('come where a whole day is left out', () => {
    const apia = { timezone: 'Pacific/Apia', weekStartDay: 1 };
    // There was no 30 December 2011.
    expect(next('2011-12-29T20:00:00Z', null, 9, apia)).toBe('2011-12-30T19:00:00.000Z');
  });

  it('are missed but the last', () => {
    const times = { weekday: null, hour: 9 } as const;
    const due = new Date('2026-03-02T08:00:00Z');
    const latest = (now: string) => latestDue(due, new Date(now), times, berlin).toISOString();
    expect(latest('2026-03-02T08:00:00Z')).toBe('2026-03-02T08:00:00.000Z');
    expect(latest('2026-03-05T07:59:59Z')).toBe('2026-03-04T08:00:00.000Z');
  });
});
