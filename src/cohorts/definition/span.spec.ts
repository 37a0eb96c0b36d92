import { describe, expect, it } from '@jest/globals';
import { startOfSpan, periodsBack, secondsOf, spanUnits, type SpanUnit } from './span.js';

const berlin = { timezone: 'Europe/Berlin', weekStartDay: 1 };
/** Half past ten in Berlin, two days after its clocks went forward. */
const now = new Date('2024-04-02T08:30:00Z');
const iso = (date: Date) => date.toISOString();
const clocks = (text: string) => iso(new Date(text));

describe('a span that ends now', () => {
  it.each([
    [90, 'minute', '2024-04-02T09:00+02:00'],
    [3, 'hour', '2024-04-02T07:30+02:00'],
    [1, 'day', '2024-04-01T00:00+02:00'],
    [3, 'day', '2024-03-30T00:00+01:00'],
    [1, 'week', '2024-03-26T00:00+01:00'],
    [1, 'month', '2024-03-02T00:00+01:00'],
    [2, 'year', '2022-04-02T00:00+02:00'],
  ] as const)('of %d %ss begins at a midnight or, if it is short, at that moment', (count, unit, at) => {
    expect(iso(startOfSpan({ count, unit }, now, berlin))).toBe(clocks(at));
  });

  it('has periods before it that follow the calendar, or are of one length', () => {
    const ends = (count: number, unit: SpanUnit) => periodsBack({ count, unit }, 2, now, berlin).map(iso);
    const times = ['2024-03-29T10:30+01:00', '2024-03-31T10:30+02:00', '2024-04-02T10:30+02:00'];
    expect(ends(2, 'day')).toEqual(times.map(clocks));
    expect(ends(36, 'hour')).toEqual(['2024-03-30T08:30Z', '2024-03-31T20:30Z', '2024-04-02T08:30Z'].map(clocks));
    expect(ends(15, 'minute')).toEqual(['2024-04-02T08:00Z', '2024-04-02T08:15Z', '2024-04-02T08:30Z'].map(clocks));
  });

  it('is so many seconds long as a time between two events', () => {
    const days = { minute: 1 / 1440, hour: 1 / 24, day: 1, week: 7, month: 30, year: 365 };
    expect(spanUnits.map((unit) => secondsOf({ count: 2, unit }))).toEqual(
      spanUnits.map((unit) => Math.round(2 * days[unit] * 86_400)),
    );
  });
});
