import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunkLengths, inChunks } from './loader.js';

const limits = { keys: 5, bytes: 100 };

describe('chunks', () => {
  it.each([
    [[], []],
    [[1], [1]],
    [
      [100, 1],
      [1, 1],
    ],
    [
      [50, 50, 1],
      [2, 1],
    ],
    [
      [1000, 1000],
      [1, 1],
    ],
    [
      [0, 0, 0, 0, 0, 0],
      [5, 1],
    ],
    [
      [99, 2, 98, 1],
      [1, 2, 1],
    ],
  ])('of %j take %j keys', (sizes, lengths) => {
    expect(chunkLengths(sizes, limits)).toEqual(lengths);
  });

  it('hold every key once, in order, and exceed the limits only for one key alone', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(150)), (sizes) => {
        const chunks = inChunks(sizes, chunkLengths(sizes, limits));
        expect(chunks.flat()).toEqual(sizes);
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(limits.keys);
          if (chunk.length > 1) expect(chunk.reduce((a, b) => a + b)).toBeLessThanOrEqual(limits.bytes);
        }
      }),
    );
  });
});
