import { bound, pgSql, type PgSql } from './sql.js';

/**
 * Whether a time has come. One that is further ahead than any is set comes from a clock that has been set back since: to wait
 * for it would be to wait for hours.
 */
export const hasCome = (time: PgSql, now: PgSql, longestMs: number): PgSql =>
  pgSql`(${time} <= ${now} OR ${time} > ${now} + ${bound(longestMs)}::double precision * interval '1 millisecond')`;
