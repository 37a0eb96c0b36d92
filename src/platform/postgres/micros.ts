import { bound, pgSql, type PgSql } from './sql.js';

/** Converts microseconds into a moment without rounding: one multiplication of an interval by the whole number would round. */
export const momentOfMicros = (value: unknown): PgSql => {
  const micros = bound(value);
  return pgSql`(timestamptz 'epoch' + ${micros}::bigint / 1000000 * interval '1 second'
    + ${micros}::bigint % 1000000 * interval '1 microsecond')`;
};

/** The microseconds of a moment, as a whole number. */
export const microsOf = (moment: PgSql): PgSql => pgSql`(extract(epoch FROM ${moment}) * 1000000)::bigint`;
