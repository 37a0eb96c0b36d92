import { describe, expect, it } from '@jest/globals';
import { earliestStorable, isStorable, latestStorable, readDate, requireDate, storable } from './dates.js';
import { type Calendar } from './intervals.js';
import { timeBound } from '../fields/time-bound.js';

const utc: Calendar = { timezone: 'UTC', weekStartDay: 0 };
const berlin: Calendar = { timezone: 'Europe/Berlin', weekStartDay: 1 };
/** A Wednesday. */
const now = new Date('2024-03-13T10:20:30.400Z');

const read = (text: string, calendar = utc) => {
  const date = readDate(text, now, calendar);
  return date && [date.at.toUTC().toISO(), date.precision, date.isShort];
};

describe('a date', () => {
  it.each([
    ['now', '2024-03-13T10:20:30.400Z', 'instant', false],
    ['-30s', '2024-03-13T10:20:00.400Z', 'instant', true],
    ['-15M', '2024-03-13T10:05:30.400Z', 'instant', true],
    ['-2h', '2024-03-13T08:20:30.400Z', 'instant', true],
    ['-1d', '2024-03-12T10:20:30.400Z', 'day', false],
    ['1d', '2024-03-12T10:20:30.400Z', 'day', false],
    ['d', '2024-03-13T10:20:30.400Z', 'day', false],
    ['-2w', '2024-02-28T10:20:30.400Z', 'day', false],
    ['-1m', '2024-02-13T10:20:30.400Z', 'day', false],
    ['-1q', '2023-12-13T10:20:30.400Z', 'day', false],
    ['-1y', '2023-03-13T10:20:30.400Z', 'day', false],
    [' -1d ', '2024-03-12T10:20:30.400Z', 'day', false],
    ['sStart', '2024-03-13T10:20:30.000Z', 'instant', true],
    ['MStart', '2024-03-13T10:20:00.000Z', 'instant', true],
    ['-1hStart', '2024-03-13T09:00:00.000Z', 'instant', true],
    ['-1hEnd', '2024-03-13T09:59:59.999Z', 'instant', true],
    ['dStart', '2024-03-13T00:00:00.000Z', 'day', false],
    ['dEnd', '2024-03-13T23:59:59.999Z', 'instant', false],
    ['wStart', '2024-03-10T00:00:00.000Z', 'day', false],
    ['-1wEnd', '2024-03-09T23:59:59.999Z', 'instant', false],
    ['mStart', '2024-03-01T00:00:00.000Z', 'day', false],
    ['qStart', '2024-01-01T00:00:00.000Z', 'day', false],
    ['yEnd', '2024-12-31T23:59:59.999Z', 'instant', false],
    ['2024-3-1', '2024-03-01T00:00:00.000Z', 'day', false],
    ['2024-03-01 10:00', '2024-03-01T10:00:00.000Z', 'instant', false],
    ['2024-03-01T10:00:00+02:00', '2024-03-01T08:00:00.000Z', 'instant', false],
    ['+002024-03-01', '2024-03-01T00:00:00.000Z', 'instant', false],
    ['2299-12-31', '2299-12-31T00:00:00.000Z', 'day', false],
    ['1900-01-01', '1900-01-01T00:00:00.000Z', 'day', false],
  ])('written %j is %s, to the %s, and relative in hours or less: %s', (text, at, precision, isShort) => {
    expect(read(text)).toEqual([at, precision, isShort]);
  });

  it('follows the clocks and the weeks of the project', () => {
    expect(read('wStart', berlin)).toEqual(['2024-03-10T23:00:00.000Z', 'day', false]);
    expect(read('wEnd', berlin)).toEqual(['2024-03-17T22:59:59.999Z', 'instant', false]);
    expect(read('2024-03-01', berlin)).toEqual(['2024-02-29T23:00:00.000Z', 'day', false]);
    expect(read('2024-07-01T10:00', berlin)).toEqual(['2024-07-01T08:00:00.000Z', 'instant', false]);
  });

  it.each([
    '10:00',
    'T10:00',
    '2024-02-30',
    '2300-01-01',
    '1899-12-31',
    'x2024-01-01',
    '-7dx',
    'x-7d',
    '-12345d',
    '-7 d',
  ])('is not %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it('that a request must have is refused with its field and with examples', () => {
    expect(requireDate('dStart', 'date_from', now, utc).at.toUTC().toISO()).toBe('2024-03-13T00:00:00.000Z');
    expect(() => requireDate('soon', 'date_from', now, utc)).toThrow(
      expect.objectContaining({ attr: 'date_from', message: expect.stringMatching(/^date_from must be an ISO date/) }),
    );
  });
});

describe('a bound of a list', () => {
  it('is none where nothing was sent, and otherwise a date', () => {
    expect(timeBound(undefined, 'after', now, utc)).toBeNull();
    expect(timeBound('-1d', 'after', now, utc)).toEqual(new Date('2024-03-12T10:20:30.400Z'));
    expect(timeBound('2024-03-01', 'before', now, berlin)).toEqual(new Date('2024-02-29T23:00:00Z'));
    expect(() => timeBound('soon', 'before', now, utc)).toThrow(expect.objectContaining({ attr: 'before' }));
  });

  it('in a year that no event can have is the nearest moment that one can', () => {
    expect(timeBound('0001-01-01', 'after', now, utc)).toEqual(earliestStorable);
    expect(timeBound('9999-12-31', 'before', now, utc)).toEqual(latestStorable);
  });
});

describe('a moment that can be stored', () => {
  it('lies in the years 1900 to 2299', () => {
    const [first, last] = [Date.parse('1900-01-01T00:00:00.000Z'), Date.parse('2299-12-31T23:59:59.999Z')];
    expect([first - 1, first, last, last + 1, NaN].map(isStorable)).toEqual([false, true, true, false, false]);
    expect([first - 1, first, last, last + 1].map((ms) => storable(new Date(ms)).getTime())).toEqual([
      ...[first, first],
      ...[last, last],
    ]);
  });
});
