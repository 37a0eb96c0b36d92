import { describe, expect, it } from '@jest/globals';
import { linearize, type Operation, type SequentialModel } from '../support/linearizable/linearize.js';

type Input = { readonly write: number } | 'read';

/** A value that can be written and read. */
const register: SequentialModel<number, Input, number | 'written'> = {
  initial: 0,
  apply: (value, input, result) => {
    if (input !== 'read') return input.write;
    return result === undefined || result === value ? value : null;
  },
  keyOf: String,
};

const write = (began: number, ended: number, value: number): Operation<Input, number | 'written'> => ({
  input: { write: value },
  began,
  ended,
  result: 'written',
});
const lost = (began: number, value: number): Operation<Input, number | 'written'> => ({
  input: { write: value },
  began,
  ended: Infinity,
  result: undefined,
});
const read = (began: number, ended: number, value: number): Operation<Input, number | 'written'> => ({
  input: 'read',
  began,
  ended,
  result: value,
});

describe('a history of a register', () => {
  it.each([
    ['one after the other', [write(0, 1, 1), read(2, 3, 1)], true],
    ['a read of an old value', [write(0, 1, 1), read(2, 3, 0)], false],
    ['a read beside a write sees either value', [write(0, 9, 1), read(1, 2, 0), read(3, 4, 1)], true],
    ['a value that was seen does not go away again', [write(0, 9, 1), read(1, 2, 1), read(3, 4, 0)], false],
    ['two writes beside each other have an order', [write(0, 5, 1), write(0, 5, 2), read(6, 7, 1)], true],
    [
      'and it is the same for all',
      [write(0, 5, 1), write(0, 5, 2), read(6, 9, 1), read(6, 7, 2), read(8, 9, 2)],
      false,
    ],
    ['a write without an answer has happened', [lost(0, 1), read(5, 6, 1)], true],
    ['or has not', [lost(0, 1), read(5, 6, 0)], true],
    ['or happens later', [lost(0, 1), read(5, 6, 0), read(7, 8, 1)], true],
    ['but not before it began', [read(0, 1, 1), lost(2, 1)], false],
    ['and not twice', [lost(0, 1), write(2, 3, 2), read(4, 5, 1), write(6, 7, 2), read(8, 9, 1)], false],
  ])('%s', (_what, history, isPossible) => {
    expect(linearize(history, register) !== null).toBe(isPossible);
  });

  it('is given an order that explains it', () => {
    const [first, second, seen] = [write(0, 5, 1), write(0, 5, 2), read(6, 7, 1)];
    expect(linearize([first, second, seen], register)).toEqual([second, first, seen]);
  });
});
