import { forbiddenFunctions, hiddenTables, statements, tableFunctions } from './names.js';

/** Where a relation may stand. */
const relations: readonly ((relation: string) => string)[] = [
  (relation) => `select * from ${relation}`,
  (relation) => `select count() from events e join ${relation} t on 1 = 1`,
  (relation) => `select event from events where event in (select name from ${relation})`,
  (relation) => `with x as (select 1 as a from ${relation}) select a from x`,
  (relation) => `select 1 union all select 2 from ${relation}`,
  (relation) => `select (select count() from ${relation})`,
  (relation) => `select a from (select 1 as a from ${relation} as events) as events`,
  (relation) => `select count() from events, ${relation}`,
];

/** Where a call may stand. */
const calls: readonly ((call: string) => string)[] = [
  (call) => `select ${call}`,
  (call) => `select event from events where ${call} = 'x'`,
  (call) => `select count() from events group by ${call}`,
  (call) => `select event from events order by ${call}`,
  (call) => `select arrayMap(x -> ${call}, [1])`,
  (call) => `select sum(${call}) from events`,
  (call) => `select if(1 = 1, ${call}, 1)`,
  (call) => `with x as (select ${call} as a) select a from x`,
  (call) => `select count() over (partition by ${call}) from events`,
  (call) => `select event from events having ${call} = 'x'`,
  (call) => `select {a} + ${call}`,
  (call) => `select sumIf(1, ${call} = 'x') from events`,
];

/** Spellings of one name. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `"${name}"`,
  (name) => `\`${name}\``,
  (name) => `${name} /* */`,
];

const argumentLists = [`'/etc/passwd'`, `'http://127.0.0.1:1/'`, '', `'a', 'b'`, '1', `'sum', [1, 2]`, `1, (select 1)`];

/** The nth of a list, over and over. */
const turn = <T>(list: readonly T[], n: number): T => {
  const taken = list[n % list.length];
  if (taken === undefined) throw new Error('an empty list');
  return taken;
};

const ofTableFunctions = tableFunctions.flatMap((name, n) =>
  [0, 1, 2].map((k) => turn(relations, n + 3 * k)(`${turn(spellings, n + k)(name)}(${turn(argumentLists, n + k)})`)),
);

const ofTables = hiddenTables.flatMap((name, n) => [0, 1, 2].map((k) => turn(relations, n + 3 * k)(name)));

const ofFunctions = forbiddenFunctions.flatMap((name, n) =>
  [0, 1, 2].map((k) => {
    const spelling = k === 1 ? name : turn(spellings, n + k)(name);
    return turn(calls, n + 5 * k)(`${spelling}(${turn(argumentLists, n + k)})`);
  }),
);

const ofStatements = statements
  .filter((word) => word !== 'select')
  .flatMap((word) => [`${word} events`, `select 1; ${word} events`, `${word.toUpperCase()} (select 1)`]);

/** An end of a text, a name or a comment, before what should then be read as SQL. */
const ends = [`'`, `\\'`, `''`, `"`, `""`, '`', `\\"`, `*/`, `)`, `\\\\'`, `\\0'`, `\u0000'`];
const afterwards = [
  ` or 1 = 1 --`,
  `; drop table events --`,
  ` union all select name from system.tables --`,
  `) settings readonly = 0 --`,
];
const quotes = [`'`, `"`, '`'];

/** The end of each quote inside each quote, all in a place where a name or a text of that kind is read. */
const ofQuotes = quotes.flatMap((quote) =>
  ends.flatMap((end) =>
    afterwards.map((after) =>
      quote === `'`
        ? `select count() from events where nosuchcolumn = ${quote}${end}${after}${quote}`
        : `select ${quote}${end}${after}${quote} from events`,
    ),
  ),
);

export const generated: readonly string[] = [
  ...ofTableFunctions,
  ...ofTables,
  ...ofFunctions,
  ...ofStatements,
  ...ofQuotes,
];
