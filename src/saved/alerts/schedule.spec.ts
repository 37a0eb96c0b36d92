import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startOf, startOfNext } from '../../platform/time/intervals.js';
import { decidedIntervals, nextMoment, type Schedule, startsOfPast } from './schedule.js';

const berlin = { timezone: 'Europe/Berlin', weekStartDay: 1 };
const at = (text: string): Date => new Date(text);
const days: Schedule = { calculation: 'daily', interval: 'day', skipWeekend: false, calendar: berlin };

/** The starts, and the moments at which they are decided. */
const decidedIn = (from: string, to: string, schedule: Schedule) =>
  decidedIntervals({ from: at(from), to: at(to) }, schedule).map(({ start, moment }) => [
    start.toISOString(),
    moment.toISOString(),
  ]);

describe('a schedule', () => {
  it('decides each day when it has ended, the first one before its start', () => {
    expect(decidedIn('2026-01-05T12:00:00Z', '2026-01-06T23:30:00Z', days)).toEqual([
      ['2026-01-03T23:00:00.000Z', '2026-01-04T23:00:00.000Z'],
      ['2026-01-04T23:00:00.000Z', '2026-01-05T23:00:00.000Z'],
      ['2026-01-05T23:00:00.000Z', '2026-01-06T23:00:00.000Z'],
    ]);
  });

  it('decides the last hour of each day, checked daily by the hour', () => {
    expect(decidedIn('2026-01-05T12:00:00Z', '2026-01-05T23:30:00Z', { ...days, interval: 'hour' })).toEqual([
      ['2026-01-04T22:00:00.000Z', '2026-01-04T23:00:00.000Z'],
      ['2026-01-05T22:00:00.000Z', '2026-01-05T23:00:00.000Z'],
    ]);
  });

  it('decides a day once, however often it is checked', () => {
    const hourly = decidedIn('2026-01-05T12:00:00Z', '2026-01-06T12:00:00Z', { ...days, calculation: 'hourly' });
    expect(hourly.map(([start]) => start)).toEqual(['2026-01-03T23:00:00.000Z', '2026-01-04T23:00:00.000Z']);
  });

  it('leaves out Saturday and Sunday on request', () => {
    // 2026-01-03 is a Saturday.
    const skipping = decidedIn('2026-01-02T12:00:00Z', '2026-01-07T12:00:00Z', { ...days, skipWeekend: true });
    expect(skipping.map(([start]) => start)).toEqual([
      '2025-12-31T23:00:00.000Z',
      '2026-01-01T23:00:00.000Z',
      '2026-01-04T23:00:00.000Z',
      '2026-01-05T23:00:00.000Z',
    ]);
  });

  it('compares an hour with the same hour of the weeks before, also where clocks change', () => {
    const schedule: Schedule = { ...days, interval: 'hour', calculation: 'hourly' };
    // Clocks go forward on 2026-03-29: nine o'clock is 07:00 UTC after it, and 08:00 UTC before it.
    const decided = {
      start: at('2026-03-31T07:00:00Z'),
      end: at('2026-03-31T08:00:00Z'),
      moment: at('2026-03-31T08:00:00Z'),
    };
    expect(startsOfPast(decided, { count: 2, step: 'week' }, schedule).map((start) => start.toISOString())).toEqual([
      '2026-03-24T08:00:00.000Z',
      '2026-03-17T08:00:00.000Z',
    ]);
  });

  it('decides the same intervals in one piece as in any pieces, and all of them', () => {
    const schedules = fc.record({
      calculation: fc.constantFrom('hourly' as const, 'daily' as const),
      interval: fc.constantFrom('hour' as const, 'day' as const),
      skipWeekend: fc.boolean(),
    });
    const hours = fc.integer({ min: 1, max: 24 * 30 });
    fc.assert(
      fc.property(schedules, hours, fc.array(hours, { maxLength: 8 }), (drawn, length, cuts) => {
        const schedule: Schedule = { ...drawn, calendar: berlin };
        const from = at('2026-03-14T22:30:00Z');
        const hour = (count: number) => new Date(from.getTime() + count * 3_600_000);
        const to = hour(length);
        const whole = decidedIntervals({ from, to }, schedule).map(({ start }) => start.getTime());
        let next = from;
        const pieces = new Set<number>();
        for (const cut of [...cuts.filter((count) => count < length).sort((a, b) => a - b), length]) {
          for (const { start } of decidedIntervals({ from: next, to: hour(cut) }, schedule))
            pieces.add(start.getTime());
          next = nextMoment(hour(cut), schedule);
        }
        expect([...pieces]).toEqual(whole);
        if (drawn.calculation === 'hourly' && !drawn.skipWeekend) {
          const all: number[] = [];
          const first = startOf(drawn.interval, new Date(startOf(drawn.interval, from, berlin).getTime() - 1), berlin);
          for (
            let one = first;
            startOfNext(drawn.interval, one, berlin) <= to;
            one = startOfNext(drawn.interval, one, berlin)
          )
            all.push(one.getTime());
          expect(whole).toEqual(all);
        }
      }),
      { numRuns: 30 },
    );
  });
});
