import { type Sql, sql } from '../../platform/clickhouse/sql.js';

/**
 * The set of intervals that an actor was active in. For up to 64 intervals it is a bit mask, which takes a third of the time
 * of an array; otherwise it is an array.
 */
export interface IntervalSet {
  /** The aggregate that gathers the indexes of the rows for which the condition holds; null: of all rows. */
  readonly gather: (index: Sql, condition: Sql | null) => Sql;
  /** The set of the indexes in an array. */
  readonly of: (indexes: Sql) => Sql;
  /** True if a gathered set contains an index; false for impossible indexes. */
  readonly has: (set: Sql, index: Sql) => Sql;
  readonly size: (set: Sql) => Sql;
  /** The indexes of a set, as an array. */
  readonly indexes: (set: Sql) => Sql;
}

const bits: IntervalSet = {
  gather: (index, condition) => {
    const bit = sql`bitShiftLeft(toUInt64(1), toUInt8(${index}))`;
    return condition === null ? sql`groupBitOr(${bit})` : sql`groupBitOrIf(${bit}, ${condition})`;
  },
  of: (indexes) =>
    sql`arrayReduce('groupBitOr', arrayMap(index -> bitShiftLeft(toUInt64(1), toUInt8(index)), ${indexes}))`,
  has: (set, index) => sql`(bitAnd(bitShiftRight(${set}, toUInt8(${index})), 1) = 1)`,
  size: (set) => sql`bitCount(${set})`,
  indexes: (set) => sql`bitPositionsToArray(${set})`,
};

const indexes: IntervalSet = {
  gather: (index, condition) =>
    condition === null
      ? sql`groupUniqArray(toUInt32(${index}))`
      : sql`groupUniqArrayIf(toUInt32(${index}), ${condition})`,
  of: (indexes) => sql`arrayDistinct(arrayMap(index -> toUInt32(index), ${indexes}))`,
  has: (set, index) => sql`has(${set}, toUInt32(${index}))`,
  size: (set) => sql`length(${set})`,
  indexes: (set) => set,
};

export const intervalSet = (count: number): IntervalSet => (count <= 64 ? bits : indexes);
