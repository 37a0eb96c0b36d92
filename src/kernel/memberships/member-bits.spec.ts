import { describe, expect, it } from '@jest/globals';
import { type Chunks, chunkOf, exclude, has, idsIn, include } from './member-chunks.js';

const idsOf = (chunks: Chunks): number[] => [...chunks].flatMap(([chunk, bits]) => idsIn(chunk, bits));

describe('a set of persons in chunks of bits', () => {
  it('tells who was new and who was in it', () => {
    const chunks: Chunks = new Map();
    expect([include(chunks, 1), include(chunks, 1), include(chunks, 1023), include(chunks, 1024)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(idsOf(chunks)).toEqual([1, 1023, 1024]);
    expect([exclude(chunks, 1), exclude(chunks, 1), exclude(chunks, 5000)]).toEqual([true, false, false]);
    expect(idsOf(chunks)).toEqual([1023, 1024]);
    expect([has(chunks, 1023), has(chunks, 1), has(chunks, 2 ** 52)]).toEqual([true, false, false]);
  });

  it('has a chunk for ids beyond 32 bits', () => {
    const chunks: Chunks = new Map();
    const id = 2 ** 52 + 77;
    include(chunks, id);
    expect([...chunks.keys()]).toEqual([chunkOf(id)]);
    expect(idsOf(chunks)).toEqual([id]);
  });

  it('lists the ids of one set that are not in another', () => {
    const one: Chunks = new Map();
    const other: Chunks = new Map();
    for (const id of [1, 8, 9, 700]) include(one, id);
    for (const id of [8, 700, 701]) include(other, id);
    expect(idsIn(0, one.get(0) as Uint8Array, other.get(0))).toEqual([1, 9]);
  });
});
