import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { idOfShortId, shortIdOf } from './short-id.js';

const largest = 2 ** 31 - 1;

describe('the short id of an insight', () => {
  it('has eight letters and digits, and leads back to the id', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: largest }), (id) => {
        const text = shortIdOf(id);
        expect(text).toMatch(/^[a-zA-Z][a-zA-Z0-9]{7}$/);
        expect(idOfShortId(text)).toBe(id);
      }),
    );
    expect([1, largest].map((id) => idOfShortId(shortIdOf(id)))).toEqual([1, largest]);
  });

  it.each(['', 'trend', '12345678', 'abcdefg-', 'aaaaaaaa', 'abcdefghi'])('is not %j', (text) => {
    expect(idOfShortId(text)).toBeNull();
  });
});
