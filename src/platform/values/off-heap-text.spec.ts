import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OffHeapText } from './off-heap-text.js';

const copyOf = (text: OffHeapText): string => {
  const target = Buffer.alloc(text.bytes + 10, '-');
  expect(text.copyTo(target, 5)).toBe(text.bytes);
  expect(target.toString('latin1', 0, 5) + target.toString('latin1', text.bytes + 5)).toBe('----------');
  return target.toString('utf8', 5, text.bytes + 5);
};

describe('a text off the heap', () => {
  it('stays what it was, whatever is stored after it, across pages', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.nat(100_000).map((length) => '"é€😀\\'.repeat(length / 5)),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        const copies = texts.map((each) => OffHeapText.of(each));
        expect(copies.map(String)).toEqual(texts);
        expect(copies.map(copyOf)).toEqual(texts);
        expect(OffHeapText.together(copies).map(String)).toEqual(texts);
        expect(copies.map(({ bytes }) => bytes)).toEqual(texts.map((each) => Buffer.byteLength(each)));
      }),
    );
  });
});
