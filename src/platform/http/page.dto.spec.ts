import { describe, expect, it } from '@jest/globals';
import { Problem } from '../errors/problem.js';
import { decodeCursor, encodeCursor } from './page.dto.js';

describe('a cursor', () => {
  it('comes back as it was', () => {
    const cursor = { direction: 'before', key: ['2026-01-01', 'ö"'] } as const;
    expect(decodeCursor(encodeCursor(cursor), () => true)).toEqual(cursor);
    expect(decodeCursor(undefined, () => true)).toBeNull();
  });

  it.each([
    '',
    'x',
    'W10',
    encodeCursor({ direction: 'after', key: ['a', 'b'] }).slice(0, -4),
    Buffer.from('["c","k"]').toString('base64url'),
  ])('that is damaged (%j) is a 400 that names it', (text) => {
    const attempt = () => decodeCursor(text, (key) => key.length === 2);
    expect(attempt).toThrow(Problem);
    expect(attempt).toThrow(/cursor is damaged/);
  });
});
