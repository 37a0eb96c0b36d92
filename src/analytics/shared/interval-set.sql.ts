import { sql, type Sql } from '../../platform/clickhouse/sql.js';

/**
 * The set of intervals that an actor was active in: a bit mask up to 64 intervals, which takes a third of the time, and an array
 * beyond.
 */
export interface IntervalSet {
  /** The aggregate that gathers the places of the rows for which the condition holds; null: of all rows. */
  readonly gather: (place: Sql, condition: Sql | null) => Sql;
  /** Whether a gathered set contains a place; false for impossible places. */
  readonly has: (set: Sql, place: Sql) => Sql;
  readonly size: (set: Sql) => Sql;
  /** The places of a set, as an array. */
  readonly places: (set: Sql) => Sql;
}

const bits: IntervalSet = {
  gather: (place, condition) => {
    const bit = sql`bitShiftLeft(toUInt64(1), toUInt8(${place}))`;
    return condition === null ? sql`groupBitOr(${bit})` : sql`groupBitOrIf(${bit}, ${condition})`;
  },
  has: (set, place) => sql`(bitAnd(bitShiftRight(${set}, toUInt8(${place})), 1) = 1)`,
  size: (set) => sql`bitCount(${set})`,
  places: (set) => sql`bitPositionsToArray(${set})`,
};

const places: IntervalSet = {
  gather: (place, condition) =>
    condition === null
      ? sql`groupUniqArray(toUInt32(${place}))`
      : sql`groupUniqArrayIf(toUInt32(${place}), ${condition})`,
  has: (set, place) => sql`has(${set}, toUInt32(${place}))`,
  size: (set) => sql`length(${set})`,
  places: (set) => set,
};

export const intervalSet = (count: number): IntervalSet => (count <= 64 ? bits : places);
