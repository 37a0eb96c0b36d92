import { join, sql, type Sql } from './sql.js';

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

/** Writes a number of the builder into the statement: positions in tuples and parts of names cannot be bound parameters. */
export const numeral = (number: number): Sql =>
  join(
    [...String(number)].map((digit) => {
      const piece = digits[digit];
      if (piece === undefined) throw new RangeError(`${number} is not a natural number`);
      return piece;
    }),
    sql``,
  );
