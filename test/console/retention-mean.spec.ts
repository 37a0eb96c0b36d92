import { describe, expect, it } from '@jest/globals';
import { meanOfFinished } from '../../console/src/pages/insights/retention/mean.js';

/** Two persons, none, one and four began; one cell of each row is of the last interval. */
const matrix = [[2, 1, 2, 0], [0, 0, 0], [4, 1], [4]];

describe('the mean of the rows', () => {
  it.each([
    // Day 1: 1/2 and 1/4, or 2 of 6.
    ['of intervals that are all over', -1, false, [1, 0.375, 1, 0]],
    ['by persons', -1, true, [1, 2 / 6, 1, 0]],
    ['without the last interval', 3, false, [1, 0.5, 1, null]],
    ['without it, by persons', 3, true, [1, 0.5, 1, null]],
    ['without two of them, when the range ends in the future', 2, false, [1, 0.5, null, null]],
    ['of nothing', 0, false, [null, null, null, null]],
  ])('%s', (_, unfinished, isWeighted, mean) => {
    expect(meanOfFinished(matrix, unfinished, isWeighted)).toEqual(mean);
  });
});
