import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arranged, columns, type Unplaced } from './grid.js';

const tile = (position: number, width: number, height: number, x: number | null = null, y: number | null = null) => ({
  ...{ position, x, y, width, height },
});
const places = (tiles: readonly Unplaced[]) => arranged(tiles).map(({ x, y, width }) => [x, y, width]);

describe('the grid of a dashboard', () => {
  it('has tiles without a place in their order, one row after the other', () => {
    expect(places([tile(0, 6, 5), tile(1, 6, 5), tile(2, 12, 5), tile(3, 4, 5)])).toEqual([
      [0, 0, 6],
      [6, 0, 6],
      [0, 5, 12],
      [0, 10, 4],
    ]);
    expect(places([tile(0, 6, 8), tile(1, 6, 3), tile(2, 6, 5)])).toEqual([
      [0, 0, 6],
      [6, 0, 6],
      [6, 3, 6],
    ]);
  });

  it('has no empty rows, and a tile that came later follows the last one', () => {
    expect(places([tile(9, 4, 5), tile(0, 6, 5, 0, 7), tile(1, 6, 2, 9, 20)])).toEqual([
      [0, 0, 6],
      [6, 0, 6],
      [6, 2, 4],
    ]);
  });

  it('has each tile once and no two at the same place, and keeps a grid that is in order', () => {
    const position = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null });
    const any = fc.record({
      ...{ position: fc.nat(50), x: position, y: position },
      ...{ width: fc.integer({ min: 1, max: columns }), height: fc.integer({ min: 1, max: 9 }) },
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (tiles) => {
        const found = arranged(tiles);
        const cells = found.flatMap(({ x, y, width, height }) =>
          Array.from({ length: width * height }, (_, at) => `${x + (at % width)} ${y + Math.floor(at / width)}`),
        );
        expect(new Set(cells).size).toBe(cells.length);
        expect(found.every(({ x, width }) => x >= 0 && x + width <= columns)).toBe(true);
        expect(found.map(({ width, height }) => width * height).sort()).toEqual(
          tiles.map(({ width, height }) => width * height).sort(),
        );
        expect(found.map(({ position: at }) => at)).toEqual(found.map((_, at) => at));
        expect(arranged(found)).toEqual(found);
      }),
    );
  });
});
