// Without imports, so that test/console can run it.

/**
 * For each number of intervals after the beginning, the share of persons who came back, over the rows that persons began: the mean of
 * the rates, or `isWeighted` by the persons. The interval that is not over, at `unfinished` or -1, would press each mean down, so it
 * does not count; null where no other is left.
 */
export const meanOfFinished = (
  matrix: readonly (readonly number[])[],
  unfinished: number,
  isWeighted: boolean,
): (number | null)[] =>
  matrix.map((_, later) => {
    const cells = matrix.flatMap((row, at) => {
      const [began = 0, count] = [row[0], row[later]];
      const isOver = unfinished < 0 || at + later < unfinished;
      return count === undefined || began === 0 || !isOver ? [] : [{ began, count }];
    });
    if (cells.length === 0) return null;
    if (isWeighted) return sum(cells.map(({ count }) => count)) / sum(cells.map(({ began }) => began));
    return sum(cells.map(({ count, began }) => count / began)) / cells.length;
  });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
