import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nearestName } from './nearest-name.js';

/** By the definition: each letter is kept, inserted, removed or replaced, or two neighbours are swapped. */
const distanceOf = (from: string, to: string): number => {
  if (from === '' || to === '') return from.length + to.length;
  const isSame = from.at(-1) === to.at(-1);
  const areSwapped = from.length > 1 && to.length > 1 && from.at(-1) === to.at(-2) && from.at(-2) === to.at(-1);
  return Math.min(
    distanceOf(from.slice(0, -1), to.slice(0, -1)) + (isSame ? 0 : 1),
    distanceOf(from.slice(0, -1), to) + 1,
    distanceOf(from, to.slice(0, -1)) + 1,
    areSwapped ? distanceOf(from.slice(0, -2), to.slice(0, -2)) + 1 : Infinity,
  );
};

describe('the nearest name', () => {
  it.each([
    ['viewd', ['paid', 'viewed'], 'viewed'],
    ['Viewed', ['viewed'], 'viewed'],
    ['ivewed', ['viewed'], 'viewed'],
    ['refunded', ['paid', 'viewed'], null],
    ['a'.repeat(61), ['a'.repeat(60)], null],
  ])('to %s among %j is %s', (name, known, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });

  it('differs by at most a third of its letters, or by one', () => {
    // A smiley is two letters here, as in the length of a text.
    const word = fc
      .string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 6 })
      .filter((text) => text.length < 7);
    let near = 0;
    fc.assert(
      fc.property(word, word, (name, known) => {
        const isNear = distanceOf(name, known) <= Math.max(1, Math.floor(known.length / 3));
        near += isNear ? 1 : 0;
        expect(nearestName(name, [known])).toBe(isNear ? known : null);
      }),
      { numRuns: 1000 },
    );
    expect(near).toBeGreaterThan(20);
  });
});
