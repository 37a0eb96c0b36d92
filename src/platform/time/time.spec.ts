import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DateTime, Info } from 'luxon';
import { readDate } from './dates.js';
import { intervals, offsetOf, pointLabel, startOf, startOfNext, type Calendar, type Interval } from './intervals.js';
import { bucketsOf, readRange } from './range.js';

const utc: Calendar = { timezone: 'UTC', weekStartDay: 0 };
const zone = (timezone: string, weekStartDay = 0): Calendar => ({ timezone, weekStartDay });
const now = new Date('2024-03-13T10:20:30.400Z');
const iso = (date: Date | null) => date?.toISOString() ?? null;

describe('a range', () => {
  it.each([
    [{}, 'day', '2024-03-06T00:00:00.000Z', '2024-03-13T23:59:59.999Z'],
    [{ date_from: 'all' }, 'day', null, '2024-03-13T23:59:59.999Z'],
    [{ date_from: '-24h' }, 'day', '2024-03-12T10:20:30.400Z', '2024-03-13T23:59:59.999Z'],
    [{ date_from: '-1d' }, 'hour', '2024-03-12T10:00:00.000Z', '2024-03-13T10:59:59.999Z'],
    [{ date_from: '-48h' }, 'hour', '2024-03-11T10:00:00.000Z', '2024-03-13T10:59:59.999Z'],
    [{ date_from: 'dStart' }, 'hour', '2024-03-13T00:00:00.000Z', '2024-03-13T10:59:59.999Z'],
    [{ date_from: 'mStart' }, 'day', '2024-03-01T00:00:00.000Z', '2024-03-13T23:59:59.999Z'],
    [{ date_from: '-1mStart', date_to: '-1mEnd' }, 'day', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    [{ date_from: '2024-3-1', date_to: '2024-03-02' }, 'day', '2024-03-01T00:00:00.000Z', '2024-03-02T23:59:59.999Z'],
    [
      { date_from: '2024-03-01 10:00:00', date_to: '2024-03-02T00:00:00+02:00' },
      'day',
      '2024-03-01T10:00:00.000Z',
      '2024-03-01T22:00:00.000Z',
    ],
    [{ date_from: '-1d', date_to: '-1d' }, 'day', '2024-03-12T00:00:00.000Z', '2024-03-12T23:59:59.999Z'],
  ] as const)('of %j by the %s is %s to %s', (text, interval, from, to) => {
    const range = readRange(text, interval, now, utc);
    expect([iso(range.from), iso(range.to)]).toEqual([from, to]);
  });

  it('is read by the clocks of the project', () => {
    const range = readRange({ date_from: '2024-03-10', date_to: '2024-03-10' }, 'day', now, zone('America/New_York'));
    expect([iso(range.from), iso(range.to)]).toEqual(['2024-03-10T05:00:00.000Z', '2024-03-11T03:59:59.999Z']);
  });

  it.each(['yesterday', '2024-13-01', '-7x', '', '0001-01-01', '1d;drop'])('cannot begin at %j', (text) => {
    expect(readDate(text, now, utc)).toBeNull();
  });
});

describe('what a range is besides its ends', () => {
  const read = (date_from: string, interval: (typeof intervals)[number] = 'day', date_to?: string) =>
    readRange({ date_from, ...(date_to === undefined ? {} : { date_to }) }, interval, now, utc);

  it.each([
    ['-7d', true],
    ['7d', true],
    ['-30d', true],
    [' -2w ', true],
    ['-1q', true],
    ['-24h', false],
    ['-7dStart', false],
    ['dStart', false],
    ['2024-03-01', false],
    ['all', false],
  ])('from %j is counted back in days: %s', (date_from, isCounted) => {
    expect(read(date_from).isCounted).toBe(isCounted);
  });

  it.each([
    ['-24h', 'day', undefined, 86_400_000],
    [' 90M ', 'day', '', 5_400_000],
    ['-90s', 'day', 'now', 90_000],
    ['-90s', 'minute', undefined, 120_000],
    ['-90M', 'hour', undefined, 7_200_000],
    ['-2h', 'hour', undefined, 7_200_000],
    ['-24h', 'day', '2024-03-13', null],
    ['-7d', 'day', undefined, null],
    ['-1hStart', 'day', undefined, null],
  ] as const)('from %j by the %s to %j has a length in hours or less: %s', (date_from, interval, date_to, ms) => {
    expect(read(date_from, interval, date_to).shortMs).toBe(ms);
  });

  it('begins at midnight in whole days, whatever the interval', () => {
    const inDays = readRange({ date_from: '-2d' }, 'hour', now, utc, { wholeDays: true });
    expect(iso(inDays.from)).toBe('2024-03-11T00:00:00.000Z');
    expect(readRange({ date_from: '-2h' }, 'hour', now, utc, { wholeDays: true }).shortMs).toBe(7_200_000);
    expect(iso(read(' -2d ', 'hour').from)).toBe('2024-03-11T10:00:00.000Z');
    expect(iso(read('-2d', 'minute').from)).toBe('2024-03-11T10:20:00.000Z');
  });

  it('ends with the day, or with the interval where that is shorter', () => {
    expect(intervals.map((interval) => iso(read('-7d', interval).to))).toEqual([
      '2024-03-13T10:20:59.999Z',
      '2024-03-13T10:59:59.999Z',
      ...['day', 'week', 'month'].map(() => '2024-03-13T23:59:59.999Z'),
    ]);
  });

  it('is not rounded if it is explicit', () => {
    const range = (date_from: string, date_to?: string) =>
      readRange({ date_from, date_to, isExplicit: true }, 'day', now, utc);
    expect(range('2024-03-01', '2024-03-02')).toMatchObject({
      from: new Date('2024-03-01T00:00:00Z'),
      to: new Date('2024-03-02T00:00:00Z'),
    });
    expect(range('-7d')).toEqual({
      from: new Date(now.getTime() - 7 * 86_400_000),
      to: now,
      isCounted: false,
      shortMs: null,
    });
    expect(() => range('2024-03-02', '2024-03-01')).toThrow(expect.objectContaining({ attr: 'date_from' }));
  });

  it('has only whole intervals that are over if it leaves out the others', () => {
    const complete = (interval: Interval, date_from: string, date_to?: string) => {
      const { from, to } = readRange({ date_from, date_to, onlyComplete: true }, interval, now, utc);
      return [from && iso(from), iso(to)];
    };
    expect(complete('day', '-7d')).toEqual(['2024-03-06T00:00:00.000Z', '2024-03-12T23:59:59.999Z']);
    expect(complete('month', '2024-01-15')).toEqual(['2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z']);
    expect(complete('day', '2024-03-01', '2024-03-02')).toEqual([
      '2024-03-01T00:00:00.000Z',
      '2024-03-02T23:59:59.999Z',
    ]);
    expect(complete('day', '2024-03-01T10:00:00Z', '2024-03-04T10:00:00Z')).toEqual([
      '2024-03-02T00:00:00.000Z',
      '2024-03-03T23:59:59.999Z',
    ]);
    expect(complete('hour', 'all')).toEqual([null, '2024-03-13T09:59:59.999Z']);
    expect(() => complete('day', 'dStart')).toThrow(expect.objectContaining({ attr: 'exclude_incomplete_periods' }));
  });

  it('may be one moment, and is refused where it would end before it begins', () => {
    const at = '2024-03-01T10:00:00Z';
    expect(read(at, 'day', at)).toMatchObject({ from: new Date(at), to: new Date(at) });
    expect(() => read(' 2024-03-02 ', 'day', '2024-03-01')).toThrow(
      expect.objectContaining({ attr: 'date_from', message: expect.stringContaining('(here 2024-03-02)') }),
    );
  });

  it('has bounds that can be stored', () => {
    expect(iso(read('-900y').from)).toBe('1900-01-01T00:00:00.000Z');
    expect(() => read('soon')).toThrow(expect.objectContaining({ attr: 'date_from' }));
    expect(() => read('-7d', 'day', 'soon')).toThrow(expect.objectContaining({ attr: 'date_to' }));
  });

  it('has at most 10,000 points', () => {
    const minutes = (count: number) => {
      const to = new Date(now.getTime() + count * 60_000);
      return bucketsOf({ from: now, to }, 'minute', utc);
    };
    expect(minutes(9_999).starts).toHaveLength(10_000);
    expect(iso(minutes(9_999).end)).toBe('2024-03-20T09:00:00.000Z');
    expect(() => minutes(10_000)).toThrow(expect.objectContaining({ attr: 'interval' }));
  });
});

describe('the points of a range', () => {
  const zones = [
    'UTC',
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'Asia/Kolkata',
    'America/Havana',
    'Atlantic/Azores',
  ];

  it('are days of 23 and 25 hours where clocks change', () => {
    const range = { from: new Date('2024-10-26T22:00:00Z'), to: new Date('2024-10-28T22:00:00Z') };
    const { labels, starts } = bucketsOf(range, 'day', zone('Europe/Berlin'));
    expect(labels).toEqual(['2024-10-27', '2024-10-28']);
    expect(starts.map(iso)).toEqual(['2024-10-26T22:00:00.000Z', '2024-10-27T23:00:00.000Z']);
  });

  it.each([
    ['Atlantic/Azores', '2024-10-26', '2024-10-27', ['2024-10-26T00:00', '2024-10-27T00:00'], '2024-10-28T00:59'],
    ['America/Havana', '2024-11-02', '2024-11-03', ['2024-11-02T04:00', '2024-11-03T04:00'], '2024-11-04T04:59'],
  ])('begin at the first of two midnights in %s', (timezone, date_from, date_to, begins, end) => {
    const range = readRange({ date_from, date_to }, 'day', now, zone(timezone));
    const { labels, starts } = bucketsOf({ from: range.from ?? now, to: range.to }, 'day', zone(timezone));
    expect(labels).toEqual([date_from, date_to]);
    expect(starts.map(iso)).toEqual(begins.map((time) => `${time}:00.000Z`));
    expect(iso(range.to)).toBe(`${end}:59.999Z`);
    expect(iso(readRange({ date_to: date_from }, 'day', now, zone(timezone)).to)).toBe(
      iso(new Date(Date.parse(`${begins[1]}Z`) - 1)),
    );
  });

  it.each([
    ['America/Havana', '2024-11-03T17:00:00Z', '2024-11-03T04:00:00.000Z'],
    ['Atlantic/Azores', '2024-10-27T13:00:00Z', '2024-10-27T00:00:00.000Z'],
  ])('begin at the first of two midnights in %s for a moment after both', (timezone, at, begin) => {
    expect(iso(startOf('day', new Date(at), zone(timezone)))).toBe(begin);
  });

  it('are hours of half their length where clocks change by 30 minutes', () => {
    const range = { from: new Date('2024-04-06T14:00:00Z'), to: new Date('2024-04-06T15:59:59Z') };
    const { labels, starts } = bucketsOf(range, 'hour', zone('Australia/Lord_Howe'));
    expect(labels).toEqual(['2024-04-07 01:00:00+11:00', '2024-04-07 01:30:00+10:30', '2024-04-07 02:00:00']);
    expect(starts.map(iso)).toEqual([
      '2024-04-06T14:00:00.000Z',
      '2024-04-06T15:00:00.000Z',
      '2024-04-06T15:30:00.000Z',
    ]);
  });

  it('are none where the range ends before it begins, also within one of them', () => {
    const range = { from: new Date('2024-03-06T12:00:00Z'), to: new Date('2024-03-06T11:00:00Z') };
    expect(intervals.map((interval) => bucketsOf(range, interval, utc).starts)).toEqual([[], [], [], [], []]);
  });

  it('end with a change of clocks at the end of an hour', () => {
    const berlin = zone('Europe/Berlin');
    const hour = (at: string) => [startOf, startOfNext].map((edge) => iso(edge('hour', new Date(at), berlin)));
    expect(hour('2024-03-31T00:30:00Z')).toEqual(['2024-03-31T00:00:00.000Z', '2024-03-31T01:00:00.000Z']);
    expect(hour('2024-03-31T01:00:00Z')).toEqual(['2024-03-31T01:00:00.000Z', '2024-03-31T02:00:00.000Z']);
  });

  it('begin and end with a change of clocks inside an hour', () => {
    const howe = zone('Australia/Lord_Howe');
    const hour = (at: string) => [startOf, startOfNext].map((edge) => iso(edge('hour', new Date(at), howe)));
    // At 15:00 UTC clocks go back from 02:00 to 01:30.
    expect(hour('2024-04-06T14:50:00Z')).toEqual(['2024-04-06T14:00:00.000Z', '2024-04-06T15:00:00.000Z']);
    expect(hour('2024-04-06T15:10:00Z')).toEqual(['2024-04-06T15:00:00.000Z', '2024-04-06T15:30:00.000Z']);
    // At 15:30 UTC they go forward from 02:00 to 02:30.
    expect(hour('2024-10-05T14:50:00Z')).toEqual(['2024-10-05T14:30:00.000Z', '2024-10-05T15:30:00.000Z']);
    expect(hour('2024-10-05T15:45:00Z')).toEqual(['2024-10-05T15:30:00.000Z', '2024-10-05T16:00:00.000Z']);
  });

  it('change their day at midnight', () => {
    const range = { from: new Date('2024-03-13T22:30:00Z'), to: new Date('2024-03-14T01:30:00Z') };
    expect(bucketsOf(range, 'hour', utc).labels).toEqual([
      '2024-03-13 22:00:00',
      '2024-03-13 23:00:00',
      '2024-03-14 00:00:00',
      '2024-03-14 01:00:00',
    ]);
  });

  it('begin with the day of a range that is counted in days, however long they are', () => {
    const begins = intervals.map((interval) => iso(readRange({ date_from: '-7d' }, interval, now, utc).from));
    expect(begins).toEqual([
      '2024-03-06T10:20:00.000Z',
      '2024-03-06T10:00:00.000Z',
      ...['day', 'week', 'month'].map(() => '2024-03-06T00:00:00.000Z'),
    ]);
  });

  it('are named by their minute, hour or day', () => {
    const at = new Date('2024-03-13T10:20:30.400Z');
    const labels = intervals.map((interval) => pointLabel(interval, startOf(interval, at, utc), utc));
    expect(labels).toEqual(['2024-03-13 10:20:00', '2024-03-13 10:00:00', '2024-03-13', '2024-03-10', '2024-03-01']);
    const kolkata = zone('Asia/Kolkata');
    expect(pointLabel('minute', startOf('minute', at, kolkata), kolkata)).toBe('2024-03-13 15:50:00');
    expect(pointLabel('hour', startOf('hour', at, kolkata), kolkata)).toBe('2024-03-13 15:00:00');
  });

  it('have the offset of their clocks where clocks are put back and show their time twice', () => {
    const hours = (name: string, from: string, to: string) =>
      bucketsOf({ from: new Date(from), to: new Date(to) }, 'hour', zone(name)).labels;
    expect(hours('Europe/Berlin', '2026-10-24T23:00:00Z', '2026-10-25T02:00:00Z')).toEqual([
      '2026-10-25 01:00:00',
      '2026-10-25 02:00:00+02:00',
      '2026-10-25 02:00:00+01:00',
      '2026-10-25 03:00:00',
    ]);
    // Half an hour: the second 01:30 begins a point of its own, that of the hour of 01:00.
    expect(hours('Australia/Lord_Howe', '2024-04-06T13:00:00Z', '2024-04-06T15:30:00Z')).toEqual([
      '2024-04-07 00:00:00',
      '2024-04-07 01:00:00+11:00',
      '2024-04-07 01:30:00+10:30',
      '2024-04-07 02:00:00',
    ]);
    // Two hours, and the hour before midnight.
    expect(hours('Antarctica/Troll', '2024-10-26T23:00:00Z', '2024-10-27T03:00:00Z')).toEqual([
      '2024-10-27 01:00:00+02:00',
      '2024-10-27 02:00:00+02:00',
      '2024-10-27 01:00:00+00:00',
      '2024-10-27 02:00:00+00:00',
      '2024-10-27 03:00:00',
    ]);
    expect(hours('Asia/Beirut', '2024-10-26T20:00:00Z', '2024-10-26T21:00:00Z')).toEqual([
      '2024-10-26 23:00:00+03:00',
      '2024-10-26 23:00:00+02:00',
    ]);
    // Clocks put forward show no time twice.
    expect(hours('Australia/Lord_Howe', '2024-10-05T14:00:00Z', '2024-10-05T15:59:00Z')).toEqual([
      '2024-10-06 00:00:00',
      '2024-10-06 01:00:00',
      '2024-10-06 02:00:00',
    ]);
    const minutes = bucketsOf(
      { from: new Date('2026-10-25T00:59:00Z'), to: new Date('2026-10-25T01:00:00Z') },
      'minute',
      zone('Europe/Berlin'),
    );
    expect(minutes.labels).toEqual(['2026-10-25 02:59:00+02:00', '2026-10-25 02:00:00+01:00']);
  });

  it('have labels that are dates in each of them', () => {
    for (const [name, change] of [
      ['Europe/Berlin', '2026-10-25T01:00:00Z'],
      ['Australia/Lord_Howe', '2024-04-06T15:00:00Z'],
      ['Antarctica/Troll', '2024-10-27T01:00:00Z'],
      ['America/Havana', '2024-11-03T05:00:00Z'],
      ['Asia/Beirut', '2024-10-26T21:00:00Z'],
      ['Pacific/Chatham', '2024-04-06T14:00:00Z'],
    ] as const) {
      const [from, to] = [-12, 12].map((hours) => new Date(Date.parse(change) + hours * 3_600_000)) as [Date, Date];
      for (const interval of ['hour', 'minute'] as const) {
        const { starts, labels } = bucketsOf({ from, to }, interval, zone(name));
        expect(new Set(labels).size).toBe(labels.length);
        const places = labels.map((label) => {
          const at = readDate(label, now, zone(name))?.at.toJSDate() ?? new Date(NaN);
          return starts.findLastIndex((start) => start <= at);
        });
        expect([name, interval, places]).toEqual([name, interval, labels.map((_, at) => at)]);
      }
    }
  });

  it('are one where the range is one moment', () => {
    expect(bucketsOf({ from: now, to: now }, 'day', utc).labels).toEqual(['2024-03-13']);
  });

  it('are weeks from the project’s first day', () => {
    const range = { from: new Date('2024-03-06T00:00:00Z'), to: new Date('2024-03-13T00:00:00Z') };
    expect(bucketsOf(range, 'week', utc).labels).toEqual(['2024-03-03', '2024-03-10']);
    expect(bucketsOf(range, 'week', zone('UTC', 1)).labels).toEqual(['2024-03-04', '2024-03-11']);
  });

  it('begin each where the one before ends, and every moment lies in the one that `startOf` names', () => {
    const moment = fc.date({ min: new Date('2023-01-01'), max: new Date('2025-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(
        moment,
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 6 }),
        fc.constantFrom(...intervals),
        (at, timezone, weekStartDay, interval) => {
          const calendar = { timezone, weekStartDay };
          const start = startOf(interval, at, calendar);
          const next = startOfNext(interval, at, calendar);
          expect(start <= at && at < next).toBe(true);
          expect(startOf(interval, next, calendar)).toEqual(next);
          expect(startOfNext(interval, start, calendar)).toEqual(next);
          expect(startOfNext(interval, next, calendar) > next).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are the days, weeks and months of the calendar', () => {
    const moment = fc.date({ min: new Date('1900-01-01'), max: new Date('2299-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(
        moment,
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 6 }),
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        (at, timezone, weekStartDay, interval) => {
          const calendar = { timezone, weekStartDay };
          const noon = DateTime.fromJSDate(at, { zone: timezone }).set({ hour: 12 });
          const back = { day: 0, week: (noon.weekday - weekStartDay + 7) % 7, month: noon.day - 1 }[interval];
          const first = noon.minus({ days: back });
          const following = first.plus({ [`${interval}s`]: 1 });
          const [start, next] = [startOf(interval, at, calendar), startOfNext(interval, at, calendar)];
          expect(pointLabel(interval, start, calendar)).toBe(first.toISODate());
          expect(pointLabel(interval, next, calendar)).toBe(following.toISODate());
          for (const begin of [start, next]) {
            const dayOf = (moment: number) => DateTime.fromMillis(moment, { zone: timezone }).toISODate();
            expect(dayOf(begin.getTime() - 1)).not.toBe(dayOf(begin.getTime()));
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('the remembered offset of a zone', () => {
  it.each(['America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Pacific/Apia', 'Europe/Amsterdam', 'UTC'])(
    'is that of the zone around every change of clocks: %s',
    (name) => {
      const zone = Info.normalizeZone(name);
      const hour = 3_600_000;
      for (const year of [1920, 1937, 2011, 2024]) {
        for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 11 * hour + 1_234_567) {
          expect([at, offsetOf(at, zone)]).toEqual([at, zone.offset(at)]);
        }
      }
    },
  );
});
