import { type Sql, empty, join, sql } from '../sql.js';

/** DDL takes no bound value, so a text is composed of constant fragments. */
const spelling: Readonly<Record<string, Sql>> = {
  0: sql`0`,
  1: sql`1`,
  2: sql`2`,
  3: sql`3`,
  4: sql`4`,
  5: sql`5`,
  6: sql`6`,
  7: sql`7`,
  8: sql`8`,
  9: sql`9`,
  a: sql`a`,
  b: sql`b`,
  c: sql`c`,
  d: sql`d`,
  e: sql`e`,
  f: sql`f`,
  '-': sql`-`,
  _: sql`_`,
};

/** A number, a UUID or the mark of a rebuild, for the inside of a literal. */
export const spelled = (text: string): Sql =>
  join(
    [...text].map((character) => {
      const fragment = spelling[character];
      if (!fragment) throw new RangeError(`${text} has other characters than a number or a UUID`);
      return fragment;
    }),
    empty,
  );
