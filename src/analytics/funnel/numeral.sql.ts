import { join, sql, type Sql } from '../../stores/clickhouse/sql.js';

const digits: Readonly<Record<string, Sql>> = {
  '0': sql`0`,
  '1': sql`1`,
  '2': sql`2`,
  '3': sql`3`,
  '4': sql`4`,
  '5': sql`5`,
  '6': sql`6`,
  '7': sql`7`,
  '8': sql`8`,
  '9': sql`9`,
};

/** A number of the builder's own as text: places in tuples cannot be parameters, and a name may end in one. */
export const numeral = (number: number): Sql =>
  join(
    [...String(number)].map((digit) => {
      const piece = digits[digit];
      if (piece === undefined) throw new RangeError(`${number} is not a natural number`);
      return piece;
    }),
    sql``,
  );
