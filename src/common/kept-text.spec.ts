import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeptText } from './kept-text.js';

const copyOf = (kept: KeptText): string => {
  const target = Buffer.alloc(kept.bytes + 10, '-');
  expect(kept.copyTo(target, 5)).toBe(kept.bytes);
  expect(target.toString('latin1', 0, 5) + target.toString('latin1', kept.bytes + 5)).toBe('----------');
  return target.toString('utf8', 5, kept.bytes + 5);
};

describe('a kept text', () => {
  it('stays what it was, whatever is kept after it, across pages', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.nat(100_000).map((length) => '"é€😀\\'.repeat(length / 5)),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        const kept = texts.map((each) => KeptText.of(each));
        expect(kept.map(String)).toEqual(texts);
        expect(kept.map(copyOf)).toEqual(texts);
        expect(KeptText.together(kept).map(String)).toEqual(texts);
        expect(kept.map(({ bytes }) => bytes)).toEqual(texts.map((each) => Buffer.byteLength(each)));
      }),
    );
  });
});
