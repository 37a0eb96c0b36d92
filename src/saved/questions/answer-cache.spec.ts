import { describe, expect, it } from '@jest/globals';
import { AnswerCache } from './answer-cache.js';

const at = (second: number) => new Date(1_700_000_000_000 + second * 1000);
const answer = (bytes: number, second = 0) => ({ asOf: at(second), json: Buffer.alloc(bytes) });
const limits = { maxAgeMs: 10_000, answerBytes: 5, projectBytes: 8, totalBytes: 12 };

describe('kept answers', () => {
  it('are given back until they are too old, and not for a moment before theirs', () => {
    const cache = new AnswerCache(limits);
    cache.set('a', 1, answer(1));
    expect(cache.get('a', at(0))?.asOf).toEqual(at(0));
    expect(cache.get('a', at(9.999))).not.toBeNull();
    expect(cache.get('a', at(10))).toBeNull();
    expect(cache.get('a', at(-1))).toBeNull();
    expect(cache.get('b', at(0))).toBeNull();
  });

  it('are not kept when they are too large, and the one before is forgotten', () => {
    const cache = new AnswerCache(limits);
    cache.set('a', 1, answer(5));
    cache.set('a', 1, answer(6));
    expect(cache.get('a', at(0))).toBeNull();
  });

  it('of one project make room for each other, and of all projects too', () => {
    const cache = new AnswerCache(limits);
    const kept = () => ['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key, at(0)) !== null).join('');
    cache.set('a', 1, answer(4));
    cache.set('b', 2, answer(4));
    cache.set('c', 1, answer(4));
    expect(kept()).toBe('abc');
    // Eight bytes of project 1: its oldest goes.
    cache.set('d', 1, answer(1));
    expect(kept()).toBe('bcd');
    // Twelve bytes in all: the oldest of any project goes.
    cache.set('e', 3, answer(5));
    expect(kept()).toBe('cde');
    // An answer in place of another takes only its own bytes.
    cache.set('e', 3, answer(5));
    cache.set('e', 3, answer(5));
    expect(kept()).toBe('cde');
  });
});
