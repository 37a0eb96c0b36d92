import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isKeyText, newKeyText } from './key-text.js';

describe('the text of a key', () => {
  it('is well formed and never the same', () => {
    const made = Array.from({ length: 1000 }, newKeyText);
    expect(made.every(isKeyText)).toBe(true);
    expect(new Set(made).size).toBe(1000);
  });

  it('does not survive a typing error: every single changed character is noticed', () => {
    const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
    fc.assert(
      fc.property(
        fc.constant(newKeyText()),
        fc.integer({ min: 4, max: 52 }),
        fc.constantFrom(...alphabet),
        (key, at, character) => {
          fc.pre(key[at] !== character);
          return !isKeyText(key.slice(0, at) + character + key.slice(at + 1));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is nothing else', () => {
    fc.assert(fc.property(fc.string(), (text) => !isKeyText(text)));
    expect(isKeyText(newKeyText().replace('phx_', 'phc_'))).toBe(false);
  });
});
