/** Texts of the corpus that are plain questions after all, each with its whole answer. */
export const harmless: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  // A semicolon may end a question, and comments are none.
  'select 1; -- \\n drop table events': [[1]],
  'select 1 -- x\rsettings a = 1; select 2 from system.tables where': [[1]],
  'select 1 --\0 x \\ y; from': [[1]],
  // Names of CTEs are those of tables only in the same case, and then they are the caller's own rows.
  'with EVENTS as (select 1) select 1': [[1]],
  'with Events as (select 1) select count() from Events': [[1]],
  // A table in the quotes of a text is still the project's own.
  "select count() from 'events'": [[3]],
  'select {a}': [['x']],
  'select quantile((select 1))(1) from events': [[1]],
  "select [1, 'a']": [[[1, 'a']]],
  "select if(1, 'a', 2)": [['a']],
  'select interval 1 day': [[1]],
  // The engine reads a date that does not exist as its first day.
  "select date '2024-13-45'": [['1970-01-01']],
};
