import { bound, pgSql, type PgSql } from './sql.js';

/**
 * True from the time on. A time beyond the horizon was set by a clock that has been set back since: to wait for it would be
 * to wait for hours.
 */
export const isDue = (time: PgSql, now: PgSql, horizonMs: number): PgSql =>
  pgSql`(${time} <= ${now} OR ${time} > ${now} + ${bound(horizonMs)}::double precision * interval '1 millisecond')`;
