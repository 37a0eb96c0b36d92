import { describe, expect, it } from '@jest/globals';
import { markLine, marksInWords, marksOf } from '../../console/src/charts/marks.js';

const march = {
  days: ['2024-03-01', '2024-03-02', '2024-03-03'],
  date_to: '2024-03-03T22:59:59.999Z',
  timezone: 'Europe/Berlin',
};
const at = (date_marker: string, content: string) => ({ date_marker, content });

describe('the marks of annotations', () => {
  it('are at the point that contains their moment, in the zone of the project', () => {
    const annotations = [
      at('2024-03-02T23:30:00.000Z', 'Sale'),
      at('2024-03-02T10:00:00.000Z', 'Outage'),
      // The first minute of the second of March in Berlin.
      at('2024-03-01T23:00:30.000Z', 'Release 2.0'),
    ];
    expect(marksOf(annotations, march)).toEqual([
      { at: 1, text: 'Release 2.0; Outage' },
      { at: 2, text: 'Sale' },
    ]);
  });

  it('are none before and after the range', () => {
    const outside = [at('2024-02-29T22:59:00.000Z', 'before'), at('2024-03-03T23:00:00.000Z', 'after')];
    expect(marksOf(outside, march)).toEqual([]);
    expect(marksInWords([], String)).toBe('');
  });

  it('are of weeks by their first day, and of an hour that comes twice by its offset', () => {
    const weeks = { ...march, days: ['2024-02-25', '2024-03-03'] };
    expect(marksOf([at('2024-03-02T10:00:00.000Z', 'Outage')], weeks)).toEqual([{ at: 0, text: 'Outage' }]);
    const hours = { ...march, days: ['2024-10-27 02:00:00+02:00', '2024-10-27 02:00:00+01:00'], date_to: '2024-10-28' };
    expect(marksOf([at('2024-10-27T00:30:00.000Z', 'first')], hours)).toEqual([{ at: 0, text: 'first' }]);
    expect(marksOf([at('2024-10-27T01:30:00.000Z', 'second')], hours)).toEqual([{ at: 1, text: 'second' }]);
  });

  it('are dashed lines, and words for screen readers', () => {
    const marks = [{ at: 1, text: 'Outage' }];
    expect(markLine(marks)).toMatchObject({
      lineStyle: { type: 'dashed' },
      label: { show: false },
      emphasis: { label: { show: true, formatter: '{b}' } },
      data: [{ xAxis: 1, name: 'Outage' }],
    });
    expect(marksInWords(marks, (index) => `point ${index}`)).toBe(' Annotations: point 1: Outage.');
  });
});
