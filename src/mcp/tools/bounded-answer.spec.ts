import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bounded } from './bounded-answer.js';

const most = 2000;

describe('a bounded answer', () => {
  it('is the answer itself if it is short enough', () => {
    const answer = { count: 2, results: [{ id: 1 }, { id: 2 }] };
    expect(bounded(answer, most)).toEqual({ value: answer, leftOut: [] });
  });

  it('has as many records as fit, however many there are', () => {
    for (const count of [50, 500, 50_000]) {
      const { value, leftOut } = bounded({ count, results: Array.from({ length: count }, (_, id) => ({ id })) }, most);
      const { results } = value as { results: { id: number }[] };
      expect(leftOut).toEqual([{ at: 'results', shown: results.length, of: count }].slice(count > 50 ? 0 : 1));
      expect(results.at(-1)).toEqual({ id: results.length - 1 });
      if (count > 50) expect(JSON.stringify(value).length).toBeGreaterThan(0.7 * most);
    }
  });

  it('shortens a long text, and an object that is a table of names', () => {
    const { value, leftOut } = bounded({ text: 'x'.repeat(5000) }, 10_000);
    expect((value as { text: string }).text).toHaveLength(2001);
    expect(leftOut).toEqual([{ at: 'text', shown: 2000, of: 5000 }]);
    const names = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`name ${at}`, at]));
    const table = bounded({ properties: names }, most);
    expect(table.leftOut).toEqual([{ at: 'properties', shown: expect.any(Number), of: 900 }]);
  });

  it('is never too long, and says so whenever something is missing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 100, max: 3000 }), (answer, limit) => {
        const { value, leftOut } = bounded(answer, limit);
        // A cut text is in quotes of its own.
        expect(JSON.stringify(value).length).toBeLessThanOrEqual(limit * 2);
        expect(leftOut.length > 0 || JSON.stringify(value) === JSON.stringify(answer)).toBe(true);
      }),
    );
  });
});
