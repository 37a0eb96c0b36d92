import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { type ProjectContext } from '../../src/kernel/access/project-context.js';
import { startOfDay } from '../../src/platform/time/intervals.js';
import { readRange, type TimeRange } from '../../src/platform/time/range.js';
import { previousRange } from '../../src/analytics/shared/comparison.js';

const project = (timezone: string) => ({ timezone, weekStartDay: 0 }) as ProjectContext;
const now = new Date('2024-11-03T12:00:00Z');

describe('the previous range', () => {
  it.each([
    ['UTC', '2024-10-01', '2024-10-03', '2024-09-28T00:00', '2024-09-30T23:59'],
    ['UTC', '-7d', '2024-11-03', '2024-10-20T00:00', '2024-10-27T23:59'],
    ['Europe/Berlin', '2024-03-31', '2024-03-31', '2024-03-29T23:00', '2024-03-30T22:59'],
    // A day that begins at 01:00, and ranges that are moved to that day or away from it.
    ['Africa/Cairo', '2024-04-26', '2024-04-27', '2024-04-23T22:00', '2024-04-25T21:59'],
    ['Africa/Cairo', '2024-04-27', '2024-04-27', '2024-04-25T22:00', '2024-04-26T20:59'],
    // A day whose last hour is repeated.
    ['Africa/Cairo', '2024-11-01', '2024-11-01', '2024-10-30T21:00', '2024-10-31T21:59'],
    // A day whose first hour is repeated.
    ['Atlantic/Azores', '2024-10-28', '2024-10-28', '2024-10-27T00:00', '2024-10-28T00:59'],
    ['Atlantic/Azores', '2024-10-27', '2024-10-27', '2024-10-26T00:00', '2024-10-26T23:59'],
  ])('has whole days for a range of whole days in %s: %s to %s', (timezone, date_from, date_to, from, to) => {
    const range = readRange({ date_from, date_to }, 'day', now, project(timezone));
    const before = previousRange({ from: range.from ?? now, to: range.to }, project(timezone), range);
    expect([before.from.toISOString(), before.to.toISOString()]).toEqual([`${from}:00.000Z`, `${to}:59.999Z`]);
  });

  it.each([
    ['dStart', undefined, '2020-01-02T20:17:00Z', '2020-01-01T00:00:00.000Z', '2020-01-01T20:59:59.999Z'],
    ['dStart', undefined, '2020-01-02T21:17:00Z', '2020-01-01T00:00:00.000Z', '2020-01-01T21:59:59.999Z'],
    ['-24h', undefined, '2020-01-02T20:17:00Z', '2019-12-31T20:00:00.000Z', '2020-01-01T20:59:59.999Z'],
    ['-1d', undefined, '2020-01-02T20:17:00Z', '2019-12-31T20:00:00.000Z', '2020-01-01T20:59:59.999Z'],
    [
      '2020-01-01',
      '2020-01-02T12:00:00Z',
      '2020-01-02T20:17:00Z',
      '2019-12-30T00:00:00.000Z',
      '2019-12-31T12:00:00.000Z',
    ],
    // 36 hours that begin at noon.
    [
      '2020-01-01T12:00:00Z',
      '2020-01-02T23:59:59.999Z',
      '2020-01-03T00:00:00Z',
      '2019-12-31T00:00:00.000Z',
      '2020-01-01T11:59:59.999Z',
    ],
  ])('by the hour: %s to %s, at %s', (date_from, date_to, at, from, to) => {
    const range = readRange({ date_from, date_to }, 'hour', new Date(at), project('UTC'));
    const before = previousRange({ from: range.from ?? now, to: range.to }, project('UTC'), range);
    expect([before.from.toISOString(), before.to.toISOString()]).toEqual([from, to]);
  });

  it('ends in the same hour where midnight is repeated', () => {
    // The first of two hours from midnight to one.
    const at = new Date('2024-10-27T00:30:00Z');
    const range = readRange({ date_from: 'dStart' }, 'hour', at, project('Atlantic/Azores'));
    const before = previousRange({ from: range.from ?? now, to: range.to }, project('Atlantic/Azores'), range);
    expect([before.from.toISOString(), before.to.toISOString()]).toEqual([
      '2024-10-26T00:00:00.000Z',
      '2024-10-26T00:59:59.999Z',
    ]);
  });

  it('ends with the day before where the hour of its end is skipped', () => {
    // On 31 March the day begins at one o'clock.
    const at = new Date('2019-04-08T00:00:00Z');
    const range = readRange({ date_from: 'mStart' }, 'hour', at, project('Atlantic/Azores'));
    const before = previousRange({ from: range.from ?? now, to: range.to }, project('Atlantic/Azores'), range);
    expect([before.from.toISOString(), before.to.toISOString()]).toEqual([
      '2019-03-24T01:00:00.000Z',
      '2019-03-31T00:59:59.999Z',
    ]);
  });

  it('has the same length for a range of a few hours', () => {
    const range = { from: new Date('2024-03-31T00:00:00Z'), to: new Date('2024-03-31T02:59:59.999Z') };
    const before = previousRange(range, project('Europe/Berlin'), { ...range, isCounted: false, shortMs: null });
    expect([before.from.toISOString(), before.to.toISOString()]).toEqual([
      '2024-03-30T21:00:00.000Z',
      '2024-03-30T23:59:59.999Z',
    ]);
  });

  it('has the same length by the clocks or in time, and leaves no gap, at any moment in any zone', () => {
    fc.assert(
      fc.property(moments, zones, intervalsOfAxis, rangeTexts, (at, timezone, interval, [date_from, date_to]) => {
        const calendar = project(timezone);
        const { from, to, ...more } = readRange({ date_from, date_to }, interval, at, calendar);
        if (from === null || from > to) return;
        const range = { from, to };
        const before = previousRange(range, calendar, { ...range, ...more });
        const end = new Date(to.getTime() + 1);
        const endBefore = new Date(before.to.getTime() + 1);
        const isPartOfDays = more.shortMs === null && isMidnight(from, calendar) && !isMidnight(end, calendar);
        if (isPartOfDays) {
          // The same part of other days: the rest of the last day lies between the two.
          expect(isMidnight(before.from, calendar)).toBe(true);
          // An hour that the last day skips is no part of it.
          const isSkipped = isMidnight(endBefore, calendar) && clocksChange(endBefore, calendar);
          expect(daysIn(before, calendar)).toBe(daysIn(range, calendar) - (isSkipped ? 1 : 0));
          // Where an hour is repeated, its end is shown as its beginning: the last moments are compared.
          if (!clocksChange(endBefore, calendar)) expect(clockOf(before.to, calendar)).toBe(clockOf(to, calendar));
          return;
        }
        expect(before.to.getTime() + 1).toBeGreaterThanOrEqual(from.getTime());
        // A day may begin at one o'clock, and a moment of the clocks may not exist.
        if ([from, end, before.from, endBefore].some((at) => clocksChange(at, calendar))) return;
        const [now, then] = [range, before].map((each) => [timeOf(each), clocksOf(each, calendar)] as const);
        expect(now?.[0] === then?.[0] || now?.[1] === then?.[1]).toBe(true);
      }),
      { numRuns: Number(process.env.PERIODS ?? 2_000) },
    );
  });
});

const moments = fc.date({ min: new Date('2015-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Africa/Cairo',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
);
const intervalsOfAxis = fc.constantFrom('minute', 'hour', 'day', 'week', 'month');
const rangeTexts = fc.oneof(
  fc.constantFrom<readonly [string, string?]>(
    ['dStart'],
    ['-1dStart', '-1dEnd'],
    ['mStart'],
    ['-1mStart', '-1mEnd'],
    ['wStart'],
    ['yStart'],
  ),
  fc
    .tuple(fc.integer({ min: 1, max: 90 }), fc.constantFrom('M', 'h', 'd', 'w', 'm'))
    .map(([count, unit]) => [`-${count}${unit}`] as const),
  fc
    .tuple(moments, fc.integer({ min: 1, max: 10_000 }))
    .map(
      ([from, minutes]) => [from.toISOString(), new Date(from.getTime() + minutes * 60_000 - 1).toISOString()] as const,
    ),
);

const timeOf = ({ from, to }: TimeRange): number => to.getTime() - from.getTime();
const localOf = (at: Date, { timezone }: ProjectContext): DateTime => DateTime.fromJSDate(at, { zone: timezone });
const clocksOf = ({ from, to }: TimeRange, calendar: ProjectContext): number => {
  const [start, end] = [from, new Date(to.getTime() + 1)].map((at) =>
    localOf(at, calendar).setZone('UTC', { keepLocalTime: true }),
  );
  return Number(end) - Number(start);
};
const isMidnight = (at: Date, calendar: ProjectContext): boolean => {
  const local = localOf(at, calendar);
  return +local === +startOfDay(local);
};
const clockOf = (at: Date, calendar: ProjectContext): string => localOf(at, calendar).toFormat('HH:mm:ss.SSS');
const daysIn = ({ from, to }: TimeRange, calendar: ProjectContext): number =>
  Math.round(localOf(to, calendar).startOf('day').diff(localOf(from, calendar).startOf('day'), 'days').days);
const clocksChange = (at: Date, calendar: ProjectContext): boolean =>
  localOf(at, calendar).minus({ hours: 3 }).offset !== localOf(at, calendar).plus({ hours: 3 }).offset;
