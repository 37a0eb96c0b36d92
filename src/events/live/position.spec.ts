import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodePosition, encodePosition, isOfOtherDatabase, positionAt, type Position } from './position.js';

const xids = fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 2, maxLength: 20 });

/** As PostgreSQL writes it: the oldest running transaction, the next one to begin, and the running ones. */
const snapshot = xids.map((all) => {
  const sorted = [...all].sort((a, b) => a - b);
  const [xmin, xmax] = [sorted[0] ?? 1, sorted.at(-1) ?? 1];
  return `${xmin}:${xmax}:${sorted.slice(0, -1).join(',')}`;
});

const arrival = fc.record({ xid: fc.constant('77'), id: fc.constant('12'), at: fc.integer({ min: 1, max: 20_000 }) });

const position: fc.Arbitrary<Position> = fc.record({
  from: snapshot,
  to: snapshot,
  last: fc.option(arrival),
  takenAt: fc.integer({ min: 0, max: 2_000_000_000_000 }),
});

describe('the position of a live stream', () => {
  it('is the same after it was sent as text', () => {
    fc.assert(fc.property(position, (sent) => expect(decodePosition(encodePosition(sent), 'cursor')).toEqual(sent)));
  });

  it.each([
    ['an empty text', ''],
    ['something else', 'nonsense'],
    ['a cursor of a list', Buffer.from('["a","1","2"]').toString('base64url')],
    ['ids in a wrong order', Buffer.from('1:9:5,3   1').toString('base64url')],
    ['an id beyond the snapshot', Buffer.from('1:9:9   1').toString('base64url')],
    ['a snapshot that ends before it begins', Buffer.from('9:1:   1').toString('base64url')],
    ['transaction 0', Buffer.from('0:1:   1').toString('base64url')],
    ['SQL', Buffer.from("1:1:'   1").toString('base64url')],
    ['a place without an id', Buffer.from('1:1:  7.1 1').toString('base64url')],
    [
      'a long text',
      encodePosition(positionAt(`1:99999999:${Array.from({ length: 4000 }, (_, n) => n + 1).join()}`, 1)),
    ],
  ])('is refused when it is %s', (_, text) => {
    expect(() => decodePosition(text, 'cursor')).toThrow(
      'cursor is damaged: take it unchanged from the id of a message',
    );
  });

  it('belongs to another database when transactions have not come as far', () => {
    expect(isOfOtherDatabase('5:9:5', '7:9:')).toBe(false);
    expect(isOfOtherDatabase('5:9:5', '3:8:')).toBe(true);
  });
});
