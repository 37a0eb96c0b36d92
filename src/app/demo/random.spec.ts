import { describe, expect, it } from '@jest/globals';
import { hex, longTail, mixed, odds, Random } from './random.js';

describe('Random', () => {
  it('says the same for the same seed, today and tomorrow', () => {
    const random = new Random(7);
    expect([random.bits(), random.bits(), random.bits()]).toEqual([1071229915, 1218197195, 260040046]);
  });

  it('spreads evenly', () => {
    const random = new Random(1);
    const tens = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 100_000; draw += 1) tens[random.between(0, 9)]! += 1;
    for (const count of tens) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it('keeps to the odds', () => {
    const random = new Random(2);
    const coin = odds([
      ['rare', 1],
      ['never', 0],
      ['often', 9],
    ]);
    const drawn = Array.from({ length: 10_000 }, () => random.of(coin));
    expect(drawn.filter((side) => side === 'rare').length).toBeGreaterThan(900);
    expect(drawn.filter((side) => side === 'rare').length).toBeLessThan(1100);
    expect(drawn).not.toContain('never');
    expect(longTail(['a', 'b', 'c', 'd']).upTo.at(-1)).toBeCloseTo(1 + 1 / 2 + 1 / 3 + 1 / 4);
  });
});

it('mixed tells the order of its numbers, and hex has always eight digits', () => {
  expect(mixed(1, 2)).not.toBe(mixed(2, 1));
  expect([hex(0), hex(255), hex(2 ** 32 - 1)]).toEqual(['00000000', '000000ff', 'ffffffff']);
});
