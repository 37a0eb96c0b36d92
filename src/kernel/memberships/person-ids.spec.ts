import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packIds, unpackIds } from './member-chunks.js';

describe('packed ids of persons', () => {
  it('take one byte for a distance below 128, and two below 16,384', () => {
    expect([...packIds([5, 132, 16_000])]).toEqual([5, 127, 0xfc, 0x7b]);
    expect(packIds([])).toHaveLength(0);
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })), (drawn) => {
        const ids = drawn.sort((a, b) => a - b);
        expect(unpackIds(packIds(ids))).toEqual(ids);
      }),
    );
  });
});
