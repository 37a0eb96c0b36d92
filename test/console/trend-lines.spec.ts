import { describe, expect, it } from '@jest/globals';
import { colorAt, colorsOf } from '../../console/src/charts/palette.js';
import { pointText } from '../../console/src/charts/tooltip.js';

const point = (seriesName: string, value: unknown) => ({ axisValueLabel: '1 Mar', seriesName, marker: '* ', value });

describe('the tooltip of a picture', () => {
  it('has the twelve largest numbers, and says how many others there are', () => {
    const points = [
      point('gone', null),
      ...Array.from({ length: 52 }, (_, at) => point(`line ${at + 1}`, at + 1)),
      point('{b|x}', 100),
    ];
    const lines = pointText(points, String).split('\n');
    expect(lines.slice(0, 3)).toEqual(['1 Mar', '* (b|x)  100', '* line 52  52']);
    expect(lines.slice(12)).toEqual(['* line 42  42', 'and 41 more']);
  });

  it('shortens names', () => {
    expect(pointText([point('x'.repeat(60), 1)], String)).toBe(`1 Mar\n* ${'x'.repeat(47)}…  1`);
  });
});

describe('the colours of lines', () => {
  it('are their own, and for a further line the first that is free', () => {
    expect([...colorsOf(new Set([0, 2, 14, 25]))]).toEqual([
      [0, colorAt(0)],
      [2, colorAt(2)],
      [14, colorAt(1)],
      [25, colorAt(3)],
    ]);
  });
});
