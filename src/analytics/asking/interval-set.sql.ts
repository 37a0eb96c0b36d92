import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { unsigned } from '../../stores/clickhouse/values.js';

/**
 * The set of intervals an actor was active in: bits of a number as long as there are enough of them, which is a third of the work,
 * otherwise a list.
 */
export interface IntervalSet {
  /** The aggregate that gathers the places of rows for which the condition holds. */
  readonly gather: (place: Sql, condition: Sql) => Sql;
  /** Whether a gathered set holds a place; false for places that cannot be. */
  readonly has: (set: Sql, place: Sql) => Sql;
  readonly size: (set: Sql) => Sql;
}

const bits: IntervalSet = {
  gather: (place, condition) => sql`groupBitOrIf(bitShiftLeft(toUInt64(1), toUInt8(${place})), ${condition})`,
  has: (set, place) => sql`(bitAnd(bitShiftRight(${set}, toUInt8(${place})), 1) = 1)`,
  size: (set) => sql`bitCount(${set})`,
};

const places: IntervalSet = {
  gather: (place, condition) => sql`groupUniqArrayIf(toUInt32(${place}), ${condition})`,
  has: (set, place) => sql`has(${set}, toUInt32(${place}))`,
  size: (set) => sql`length(${set})`,
};

export const intervalSet = (count: number): IntervalSet => (count <= 64 ? bits : places);

/** `0 … count - 1`, to be joined with rows. */
export const everyPlace = (count: number): Sql => sql`range(${unsigned(count)})`;
