import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { binBounds, binLabels } from './bins.js';

describe('bins', () => {
  it.each([
    [10, 40, 4, ['[10.0,17.5]', '[17.5,25.0]', '[25.0,32.5]', '[32.5,40.01]']],
    [-1, 1, 2, ['[-1.0,0.0]', '[0.0,1.01]']],
    [5, 5, 3, ['[5.0,5.01]']],
    [0, 0.01, 2, ['[0.0,0.005]', '[0.005,0.01001]']],
    [1e300, 1e300, 2, ['[1e+300,1e+300]']],
    [-1.7e308, 1.7e308, 1, ['[-1.7e+308,1.7e+308]']],
  ])('from %d to %d, %i of them', (lowest, highest, count, labels) => {
    expect(binLabels(binBounds(lowest, highest, count))).toEqual(labels);
  });

  it('begin with the lowest number, end after the highest one and ascend', () => {
    const number = fc.double({ noNaN: true, min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 100 }), (a, b, count) => {
        const [lowest, highest] = [Math.min(a, b), Math.max(a, b)];
        const bounds = binBounds(lowest, highest, count);
        expect(bounds.every((bound, at) => at === 0 || bound > (bounds[at - 1] ?? Infinity))).toBe(true);
        expect(bounds[0]).toBeLessThanOrEqual(lowest + Math.abs(lowest) * 1e-15);
        expect(bounds.at(-1)).toBeGreaterThanOrEqual(highest);
        expect(bounds.length).toBeLessThanOrEqual(count + 1);
      }),
    );
  });
});
