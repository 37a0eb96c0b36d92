import { describe, expect, it } from '@jest/globals';
import { placedTiles, type StoredTile } from './tiles.js';

const stored = (id: number, x: number, y: number, width = 6, height = 5): StoredTile => ({
  ...{ id, insight_id: id, body: null, position: id, x, y, width, height },
});
const before = [stored(1, 0, 0), stored(2, 6, 0), stored(3, 0, 5, 12)];
/** The tiles as an answer has them. */
const read = () =>
  before.map(({ id, insight_id, position, x, y, width, height }) => ({
    ...{ id, insight_id, position, width, height, layouts: { sm: { x, y, w: width, h: height } } },
  }));
const places = (sent: Parameters<typeof placedTiles>[0]) =>
  placedTiles(sent, before).map(({ id, x, y, width, height }) => [id, x, y, width, height]);

describe('tiles', () => {
  it('are numbered by their positions, and by their places in the list without one', () => {
    const sent = [{ insight_id: 1, position: 9 }, { insight_id: 2 }, { id: 5, insight_id: 3, position: 0, width: 12 }];
    expect(placedTiles(sent, [])).toMatchObject([
      { id: 5, insight_id: 3, position: 0, width: 12, x: 0, y: 0 },
      { id: null, insight_id: 2, position: 1, width: 6, x: 0, y: 5 },
      { id: null, insight_id: 1, position: 2, width: 6, x: 6, y: 5 },
    ]);
  });

  it('keep their places when they are sent back, also beside a new one', () => {
    const same = [
      [1, 0, 0, 6, 5],
      [2, 6, 0, 6, 5],
      [3, 0, 5, 12, 5],
    ];
    expect(places(read())).toEqual(same);
    expect(places([...read(), { insight_id: 9 }])).toEqual([...same, [null, 0, 10, 6, 5]]);
    expect(places(read().slice(1))).toEqual([
      [2, 6, 0, 6, 5],
      [3, 0, 5, 12, 5],
    ]);
  });

  it('go where their layout says, and push others down', () => {
    const moved = read().map((tile) =>
      tile.id === 1 ? { ...tile, layouts: { sm: { x: 3, y: 0, w: 6, h: 2 } } } : tile,
    );
    expect(places(moved)).toEqual([
      [1, 3, 0, 6, 2],
      [2, 6, 2, 6, 5],
      [3, 0, 7, 12, 5],
    ]);
  });

  it('follow each other where only the order or the width has changed', () => {
    const [first, second, third] = read();
    if (!first || !second || !third) throw new Error('three tiles');
    expect(
      places([
        { ...third, position: 0 },
        { ...first, position: 1 },
        { ...second, position: 2, height: 3 },
      ]),
    ).toEqual([
      [3, 0, 0, 12, 5],
      [1, 0, 5, 6, 5],
      [2, 6, 5, 6, 3],
    ]);
    expect(places([{ ...first, width: 12 }, second, third])).toEqual([
      [1, 0, 0, 12, 5],
      [2, 0, 5, 6, 5],
      [3, 0, 10, 12, 5],
    ]);
    expect(
      places([
        { id: 2, insight_id: 2 },
        { id: 1, insight_id: 1 },
      ]),
    ).toEqual([
      [2, 0, 0, 6, 5],
      [1, 6, 0, 6, 5],
    ]);
  });
});
