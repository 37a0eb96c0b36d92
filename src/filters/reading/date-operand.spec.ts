import { describe, expect, it } from '@jest/globals';
import { absoluteDate, isRelativeDate, relativeDate, relativePeriod, type DateSpan } from './date-operand.js';

const now = new Date('2024-03-13T10:20:30.400Z');
const written = (span: DateSpan | null) => span && [span.from.toISOString(), span.until.toISOString()];

describe('a date in a filter', () => {
  it.each([
    ['2024-01-15', '2024-01-15T00:00:00.000Z', '2024-01-16T00:00:00.000Z'],
    ['2024-01-15T10:00', '2024-01-15T10:00:00.000Z', '2024-01-15T10:01:00.000Z'],
    ['2024-01-15 10:00:05', '2024-01-15T10:00:05.000Z', '2024-01-15T10:00:06.000Z'],
    ['2024-01-15T10:00:05.2', '2024-01-15T10:00:05.200Z', '2024-01-15T10:00:05.300Z'],
    ['2024-01-15T10:00:05.25', '2024-01-15T10:00:05.250Z', '2024-01-15T10:00:05.260Z'],
    ['2024-01-15T10:00:05.256Z', '2024-01-15T10:00:05.256Z', '2024-01-15T10:00:05.257Z'],
    ['2024-01-15T10:00:05.256789Z', '2024-01-15T10:00:05.256Z', '2024-01-15T10:00:05.257Z'],
    ['2024-01-15T10:00+02:00', '2024-01-15T08:00:00.000Z', '2024-01-15T08:01:00.000Z'],
    ['2024-01-15 10:00:05 -0530', '2024-01-15T15:30:05.000Z', '2024-01-15T15:30:06.000Z'],
  ])('%j is from %s until %s', (text, from, until) => {
    expect(written(absoluteDate(text))).toEqual([from, until]);
  });

  it.each([
    ...['2024-02-30', '2024-1-15', 'x2024-01-15', '2024-01-15x', '2024-01-15T24:00', '2024-01-15T25:00', '10:00'],
    ...['2024-01-15T10', '2024-01-15Z', '2024-01-15T10:00:05.', '2024-01-15T10:00  Z', '-7d', ''],
  ])('is not %j', (text) => {
    expect(absoluteDate(text)).toBeNull();
  });

  it('may be relative to now', () => {
    const texts = ['-7d', '7d', '1234h', '-2w', '3m', '1y', '12345d', '7', 'd', '-7q', 'x7d', '7dx', '--7d'];
    expect(texts.filter(isRelativeDate)).toEqual(['-7d', '7d', '1234h', '-2w', '3m', '1y']);
    expect(relativeDate('soon', now)).toBeNull();
    expect(relativePeriod('soon', now)).toBeNull();
  });

  it.each([
    ['-7d', '2024-03-06T10:20:30.400Z', '2024-03-06'],
    ['7d', '2024-03-06T10:20:30.400Z', '2024-03-06'],
    ['2w', '2024-02-28T10:20:30.400Z', '2024-02-28'],
    ['-1m', '2024-02-13T10:20:30.400Z', '2024-02-13'],
    ['1y', '2023-03-13T10:20:30.400Z', '2023-03-13'],
  ])('%j is the instant %s, and as a period the day %s', (text, instant, day) => {
    expect(written(relativeDate(text, now))).toEqual([instant, instant]);
    expect(relativePeriod(text, now)).toEqual(absoluteDate(day));
  });

  it('in hours is an hour as a period', () => {
    expect(written(relativeDate('-3h', now))).toEqual(['2024-03-13T07:20:30.400Z', '2024-03-13T07:20:30.400Z']);
    expect(written(relativePeriod('-3h', now))).toEqual(['2024-03-13T07:00:00.000Z', '2024-03-13T08:00:00.000Z']);
  });
});
