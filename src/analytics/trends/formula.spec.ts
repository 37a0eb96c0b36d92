import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../../platform/errors/problem.js';
import { parseFormula } from './formula.js';

const numbers = [6, 4, 0];
const result = (text: string) => parseFormula(text, numbers.length).at(numbers);

describe('a formula', () => {
  it.each([
    ['A', 6],
    ['a+b', 10],
    ['A - B * 2', -2],
    ['(A - B) * 2', 4],
    ['A / B', 1.5],
    ['A / C', 0],
    ['A / 0', 0],
    ['1 / 3', 0.33],
    ['-A + +B', -2],
    ['2 * -(A)', -12],
    ['A - B - 1', 1],
    ['12 / A / 2', 1],
    ['.5 * A + 1.', 4],
    [' ( ( A ) ) ', 6],
    ['A / 3600', 0],
    ['-C', 0],
  ])('%s of 6, 4 and 0 is %d', (text, expected) => expect(result(text)).toBe(expected));

  it('names the series that it uses', () => {
    expect(parseFormula('C + A + A', 3).uses).toEqual([0, 2]);
    expect(parseFormula('1', 3).uses).toEqual([]);
  });

  it.each([
    ['', 'position 1'],
    ['A +', 'position 4'],
    ['A B', 'position 3'],
    ['(A', 'position 3'],
    ['A)', 'position 2'],
    ['AB', 'position 1'],
    ['A ** B', 'position 4'],
    ['A; DROP TABLE events', 'position 2'],
    ['1e5', 'position 2'],
    ['A ^ 2', 'position 3'],
    ['🙂', 'position 1'],
    ['D', 'the series D'],
    ['('.repeat(60) + 'A' + ')'.repeat(60), 'nested'],
    ['-'.repeat(60) + 'A', 'nested'],
    ['A'.padEnd(401), '400 characters'],
  ])('%j is refused', (text, message) => {
    const read = () => parseFormula(text, 3);
    expect(read).toThrow(message);
    expect(read).toThrow(Problem);
  });

  interface Written {
    readonly text: string;
    readonly value: number;
  }

  const { written } = fc.letrec<{ written: Written }>((tie) => ({
    written: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...numbers.map((value, at): Written => ({ text: 'ABC'[at] ?? '', value }))),
      fc.nat(99).map((value): Written => ({ text: String(value), value })),
      fc.tuple(tie('written'), fc.constantFrom('+', '-', '*', '/'), tie('written')).map(([a, sign, b]): Written => ({
        text: `(${a.text} ${sign} ${b.text})`,
        value: applied(a.value, sign, b.value),
      })),
    ),
  }));

  it('equals the same operations, applied one by one', () => {
    fc.assert(
      fc.property(written, ({ text, value }) => {
        fc.pre(text.length <= 400);
        const computed = result(text);
        expect(Math.abs(computed - value)).toBeLessThanOrEqual(0.005 + Math.abs(value) * 1e-9);
      }),
      { numRuns: 500 },
    );
  });
});

const applied = (a: number, sign: string, b: number): number => {
  if (sign === '+') return a + b;
  if (sign === '-') return a - b;
  if (sign === '*') return a * b;
  return b === 0 ? 0 : a / b;
};
