import { describe, expect, it } from '@jest/globals';
import { growthOf } from '../../console/src/insights/trends/growth.js';

describe('the growth of a line', () => {
  it('is each point against the one before, and none after 0, at the start and at a point that is not over', () => {
    expect(growthOf([10, 15, 0, 4, 4, 1], 5)).toEqual([null, 0.5, -1, null, 0, null]);
    expect(growthOf([-2, -1, 2], -1)).toEqual([null, 0.5, 3]);
    expect(growthOf([], -1)).toEqual([]);
  });
});
