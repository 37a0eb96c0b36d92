import { type Buckets } from '../time/range.js';
import { sql, type Sql } from './sql.js';
import { integer, list } from './values.js';

/**
 * Returns the position (from 0) of the bucket that contains a moment of the axis. The starts are computed once, in
 * TypeScript: the engine's own time zone data is never used, and every unusual day is where its clocks put it.
 */
export const bucketIndex = ({ starts, end }: Pick<Buckets, 'starts' | 'end'>, timestamp: Sql): Sql => {
  const first = starts[0]?.getTime() ?? 0;
  const offsets = starts.map((start) => start.getTime() - first);
  const at = sql`(toUnixTimestamp64Milli(${timestamp}) - ${integer(first)})`;
  const average = Math.max(1, Math.floor((end.getTime() - first) / Math.max(1, starts.length)));
  if (offsets.every((offset, index) => offset === index * average)) return sql`intDiv(${at}, ${integer(average)})`;
  // A moment after the last start has no next bucket.
  const begins = list(integer, [...offsets, Number.MAX_SAFE_INTEGER]);
  if (!isNear(offsets, end.getTime() - first, average)) return sql`(arrayFirstIndex(x -> x > ${at}, ${begins}) - 2)`;
  const guess = sql`least(greatest(intDiv(${at}, ${integer(average)}), 0), ${integer(offsets.length - 1)})`;
  return sql`(${guess} + toInt64(${begins}[${guess} + 2] <= ${at}) - toInt64(${begins}[${guess} + 1] > ${at}))`;
};

/** True if a guess by the average length is never off by more than one bucket. */
const isNear = (offsets: readonly number[], end: number, average: number): boolean =>
  offsets.every((offset, index) => {
    const last = (offsets[index + 1] ?? end) - 1;
    return Math.floor(offset / average) >= index - 1 && Math.floor(last / average) <= index + 1;
  });
