import { describe, expect, it } from '@jest/globals';
import { placedTiles } from './tiles.js';

describe('tiles', () => {
  it('are numbered by their positions, and by their places in the list without one', () => {
    const sent = [{ insight_id: 1, position: 9 }, { insight_id: 2 }, { id: 5, insight_id: 3, position: 0, width: 12 }];
    expect(placedTiles(sent)).toEqual([
      { id: 5, insight_id: 3, position: 0, width: 12 },
      { id: null, insight_id: 2, position: 1, width: 6 },
      { id: null, insight_id: 1, position: 2, width: 6 },
    ]);
  });
});
