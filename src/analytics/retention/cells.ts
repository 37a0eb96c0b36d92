import { type Buckets } from '../../platform/time/range.js';

/** The intervals that a cell of a row counts, as distances from the interval of the row. */
export interface Cell {
  readonly first: number;
  readonly last: number;
}

/** The cells of the longest row: the beginning, then a cell for each interval or for each bracket. */
export const cellsOf = (count: number, brackets: readonly number[] | null): readonly Cell[] => {
  if (brackets === null) return Array.from({ length: count }, (_, at) => ({ first: at, last: at }));
  const cells: Cell[] = [{ first: 0, last: 0 }];
  for (const size of brackets) {
    const first = (cells.at(-1)?.last ?? 0) + 1;
    // A cell that begins after the last interval is in no row.
    if (first < count) cells.push({ first, last: first + size - 1 });
  }
  return cells;
};

/** The number of cells of a row: those that begin in one of the intervals. */
export const cellsInRow = (
  { buckets, cells }: { readonly buckets: Buckets; readonly cells: readonly Cell[] },
  row: number,
): number => cells.filter(({ first }) => row + first < buckets.starts.length).length;

export const cellLabel = ({ first, last }: Cell): string => (first === last ? `${first}` : `${first}-${last}`);
