import { describe, expect, it } from '@jest/globals';
import { axisOf, rangeOfPoints, ownSpans, piecesOf, bucketAt, reachSpans } from './trends.axis.js';
import { type TimeRange } from '../../platform/time/range.js';

const utc = { timezone: 'UTC', weekStartDay: 0 };
const span = (from: string, to: string): TimeRange => ({ from: new Date(from), to: new Date(to) });
const textOf = ({ from, to }: TimeRange) => `${from.toISOString()} ${to.toISOString()}`;

describe('the points of a chart', () => {
  it('begin at the exact start of the range by day, and include whole weeks by week', () => {
    const range = span('2024-03-05T06:00:00Z', '2024-03-11T23:59:59.999Z');
    expect(ownSpans(axisOf(range, 'day', 'points', utc)).map(textOf)[0]).toBe(
      '2024-03-05T06:00:00.000Z 2024-03-05T23:59:59.999Z',
    );
    expect(ownSpans(axisOf(range, 'week', 'points', utc)).map(textOf)).toEqual([
      '2024-03-03T00:00:00.000Z 2024-03-09T23:59:59.999Z',
      '2024-03-10T00:00:00.000Z 2024-03-11T23:59:59.999Z',
    ]);
  });

  it('are one point with the exact range for a total, and no point for a reversed range', () => {
    const range = span('2024-03-05T06:00:00Z', '2024-03-11T23:59:59.999Z');
    expect(ownSpans(axisOf(range, 'month', 'total', utc))).toEqual([range]);
    expect(ownSpans(axisOf({ from: range.to, to: range.from }, 'day', 'total', utc))).toEqual([]);
    expect(ownSpans(axisOf({ from: range.to, to: range.from }, 'day', 'points', utc))).toEqual([]);
  });

  it.each(['day', 'week', 'hour'] as const)('count together from the first to the last, by %s', (interval) => {
    const axis = axisOf(span('2024-03-05T06:30:00Z', '2024-03-12T10:00:00Z'), interval, 'points', utc);
    const spans = ownSpans(axis);
    for (const [first, begin] of spans.entries()) {
      for (const [last, end] of spans.entries()) {
        if (last < first) continue;
        expect(rangeOfPoints(axis, first, last)).toEqual({ from: begin.from, to: end.to });
      }
    }
    expect(spans.length).toBeGreaterThan(1);
    const reversed = span('2024-03-12T10:00:00Z', '2024-03-05T06:30:00Z');
    expect(rangeOfPoints(axisOf(reversed, interval, 'points', utc), 0, -1)).toBeNull();
  });

  it('tell the point of a moment', () => {
    const axis = axisOf(span('2024-03-05T00:00:00Z', '2024-03-06T23:59:59.999Z'), 'day', 'points', utc);
    const moments = [
      '2024-03-04T23:59:59.999Z',
      '2024-03-05T00:00:00Z',
      '2024-03-06T12:00:00Z',
      '2024-03-07T00:00:00Z',
    ];
    expect(moments.map((at) => bucketAt(new Date(at), axis))).toEqual([-1, 0, 1, -1]);
  });
});

describe('active lately', () => {
  it('reaches back by days of the calendar, through a change of clocks', () => {
    const berlin = { timezone: 'Europe/Berlin', weekStartDay: 1 };
    const axis = axisOf(span('2024-03-31T23:00:00Z', '2024-04-01T21:59:59.999Z'), 'day', 'points', berlin);
    expect(reachSpans(axis, 7, berlin).map(textOf)).toEqual(['2024-03-25T23:00:00.000Z 2024-04-01T21:59:59.999Z']);
  });

  it('begins with the day even if the day begins at 01:00', () => {
    const cairo = { timezone: 'Africa/Cairo', weekStartDay: 0 };
    const axis = axisOf(span('2024-04-25T22:00:00Z', '2024-04-26T20:59:59.999Z'), 'day', 'points', cairo);
    expect(reachSpans(axis, 2, cairo).map(textOf)).toEqual(['2024-04-24T22:00:00.000Z 2024-04-26T20:59:59.999Z']);
  });

  it('by week covers the days up to the first day of the point', () => {
    const range = span('2024-02-28T00:00:00Z', '2024-03-05T23:59:59.999Z');
    expect(reachSpans(axisOf(range, 'week', 'points', utc), 30, utc).map(textOf)).toEqual([
      '2024-01-27T00:00:00.000Z 2024-02-25T23:59:59.999Z',
      '2024-02-03T00:00:00.000Z 2024-03-03T23:59:59.999Z',
    ]);
  });

  it('as a total covers the days up to the end of the range', () => {
    const range = span('2024-03-19T00:00:00Z', '2024-03-20T23:59:59.999Z');
    expect(reachSpans(axisOf(range, 'day', 'total', utc), 7, utc).map(textOf)).toEqual([
      '2024-03-14T00:00:00.000Z 2024-03-20T23:59:59.999Z',
    ]);
  });
});

describe('pieces of overlapping spans', () => {
  it('know the spans that contain them', () => {
    const spans = [
      span('2024-03-01T00:00:00Z', '2024-03-03T23:59:59.999Z'),
      span('2024-03-03T00:00:00Z', '2024-03-04T23:59:59.999Z'),
    ];
    expect(piecesOf(spans, 'day')).toMatchObject({ first: [0, 0, 1], last: [0, 1, 1] });
    expect(piecesOf([], 'day')).toBeNull();
  });
});
