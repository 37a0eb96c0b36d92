/** Each kind of value that a question can make, with `size` elements or characters. */
const valuesOf = (size: number) => ({
  list: `range(${size})`,
  backwards: `arrayReverse(range(${size}))`,
  reals: `arrayMap(x -> sqrt(x) - 7, range(${size}))`,
  flags: `arrayMap(x -> x % 2, range(${size}))`,
  texts: `arrayMap(x -> concat('text', toString(x)), range(${size}))`,
  wide: `arrayMap(x -> range(${Math.ceil(Math.sqrt(size))}), range(${Math.ceil(Math.sqrt(size))}))`,
  pairs: `arrayZip(range(${size}), range(${size}))`,
  map: `mapFromArrays(range(${size}), range(${size}))`,
  same: `repeat('a', ${size})`,
  other: `concat(repeat('a', ${size} - 1), 'b')`,
  words: `repeat('ab1 ', intDiv(${size}, 4))`,
  signs: `repeat('<&%"{[(/?=', intDiv(${size}, 10))`,
  mixed: `arrayStringConcat(arrayMap(x -> char(97 + cityHash64(x) % 26), range(${size})))`,
  json: `toJSONString(range(intDiv(${size}, 8)))`,
  digits: `repeat('7', ${size})`,
});

/** One row: everything is as large as it may be. */
export const argumentsOfOneRow = (size: number): readonly string[] => {
  const v = valuesOf(size);
  return [
    v.list,
    v.reals,
    v.texts,
    v.wide,
    v.pairs,
    v.map,
    v.same,
    v.words,
    v.signs,
    v.mixed,
    v.json,
    v.digits,
    `${size}`,
    `${v.list}, ${v.backwards}`,
    `${v.texts}, arrayReverse(${v.texts})`,
    `${v.reals}, ${v.flags}`,
    `${v.list}, ${v.backwards}, ${v.reals}, ${v.reals}`,
    `${v.list}, ${v.backwards}, ${v.list}`,
    `${v.wide}, ${v.wide}`,
    `${v.map}, ${v.map}`,
    `${v.map}, ${size - 1}`,
    `${v.list}, ${size}`,
    `${v.list}, ${size}, ${size}`,
    `${v.texts}, 'text${size}'`,
    `${v.texts}, ','`,
    `${v.list}, intDiv(${size}, 2)`,
    `intDiv(${size}, 2), ${v.list}`,
    `${v.same}, ${v.other}`,
    `${v.mixed}, reverse(${v.mixed})`,
    `${v.same}, 'a'`,
    `'a', ${v.same}`,
    `${v.words}, ' '`,
    `' ', ${v.words}`,
    `${v.same}, 'a.*b|a'`,
    `'a.*b|a', ${v.same}`,
    `${v.same}, '(a)(.*b)?'`,
    `${v.same}, ['a.*b|a', '(a?){200}b']`,
    `${v.same}, 3, ['aaaaaaaaaaaab', 'a.*b']`,
    `${v.same}, 'a.*b|a', ${v.other}`,
    `${v.same}, 'a', 'bb'`,
    `${v.same}, ${v.other}, 'bb'`,
    `${v.words}, ['ab1', 'b1 a']`,
    `${v.words}, ${v.texts}`,
    `${v.texts}, ${v.texts}`,
    `${v.same}, ${size}`,
    `${v.mixed}, 3, ${size}`,
    `${v.same}, ${size}, 'ab'`,
    `'ab', ${size}`,
    `${size}, ${size}`,
    `${size}, ${size}, ${size}`,
    `0, ${size}, 1`,
    `x -> x % 3, ${v.list}`,
    `x -> toString(x), ${v.texts}`,
    `(x, y) -> x + y, ${v.list}, ${v.backwards}`,
    `(x, y) -> x < y, ${v.list}, ${v.backwards}`,
    `(acc, x) -> acc + x, ${v.list}, toInt64(0)`,
    `(acc, x) -> arrayPushBack(acc, x), ${v.list}, emptyArrayUInt64()`,
    `(acc, x) -> concat(acc, x), ${v.texts}, ''`,
    `(k, v) -> v > 2, ${v.map}`,
    `(k, v) -> (k, v + 1), ${v.map}`,
    `${v.list}, ${v.list}, 'a'`,
    `${v.json}, 1`,
    `${v.json}, 'Array(UInt64)'`,
    `${v.pairs}, 2`,
    `(3, 4), ${v.pairs}`,
    `${size}, 0.5`,
    `now(), ${size}, 1`,
    `now(), toIntervalDay(${size})`,
    `-180., -90., 180., 90., 12`,
    `toUInt64(18446744073709551557)`,
    `toUInt256(toUInt64(18446744073709551557)) * toUInt64(18446744073709551557)`,
    `toDecimal256(1, 70), 70`,
  ];
};

/** A large value that is the same in each of many rows, beside a small one of the row. */
export const argumentsBesideRows = (size: number): readonly string[] => {
  const v = valuesOf(size);
  return [
    `${v.list}, i`,
    `i, ${v.list}`,
    `${v.texts}, toString(i)`,
    `${v.same}, toString(i)`,
    `toString(i), ${v.same}`,
    `${v.list}, [i, i + 1]`,
    `[i, i + 1], ${v.list}`,
    `${v.map}, i`,
    `${v.json}, i`,
    `${v.mixed}, concat('q', toString(i))`,
    `x -> x = i, ${v.list}`,
    `(x, y) -> x + y = i, ${v.list}, ${v.list}`,
    `(acc, x) -> acc + x, range(intDiv(${size}, 100)), toInt64(i)`,
    `toString(i), concat(${v.same}, toString(i))`,
    `${v.words}, concat('a.*', toString(i), '|a')`,
    `toString(i), concat('(\\\\pL{100}){5}', toString(i))`,
    `toString(i), [concat('(a?){100}b', toString(i))]`,
    `${v.same}, toString(i), 'b'`,
    `toString(i), ${v.texts}`,
    `i, ${v.list}, ${v.list}, 0`,
    `i`,
    `toString(i)`,
    `i, i`,
    `i, 0.5`,
    `toUInt256(i) * toUInt64(18446744073709551557)`,
    `toString(i), toString(i + 1)`,
    `i, 32000`,
    `concat('a', repeat('b', 300), toString(i)), concat(repeat('c', 300), toString(i))`,
    `range(300), arrayMap(x -> x + i, range(300))`,
  ];
};

/** The sizes of a large value, and the rows beside it, from the largest that is allowed to one that most functions take. */
const sizes: readonly (readonly [size: number, rows: number])[] = [
  [1_000_000, 100_000],
  [100_000, 100_000],
  [10_000, 100_000],
  [1_000, 100_000],
];

export interface LargestCall {
  /** Tells by small arguments whether the function takes arguments of these types. */
  readonly trial: string;
  /** The same call with ever smaller arguments: the first that is answered is the largest. */
  readonly questions: readonly string[];
}

const ofOneRow = (call: string): string => `select byteSize(${call}) as v`;
const ofRows = (call: string, rows: number): string =>
  `select max(byteSize(${call})) as v from (select arrayJoin(range(${rows})) as i)`;

/** The calls of a function with the largest arguments of each type: alone, and for each row `i` of a table. */
export const largestCalls = (name: string): readonly LargestCall[] => [
  ...argumentsOfOneRow(2).map((args, n) => ({
    trial: ofOneRow(`${name}(${args})`),
    questions: sizes.slice(0, 3).map(([size]) => ofOneRow(`${name}(${argumentsOfOneRow(size)[n] ?? ''})`)),
  })),
  ...argumentsBesideRows(2).map((args, n) => ({
    trial: ofRows(`${name}(${args})`, 2),
    questions: sizes.map(([size, rows]) => ofRows(`${name}(${argumentsBesideRows(size)[n] ?? ''})`, rows)),
  })),
];

/** Arguments of the functions of many rows. */
const ofAggregates = [
  '',
  'i',
  'i, i',
  'i, i + 1',
  'i, i > 5',
  'i > 1, i > 5',
  'toString(i)',
  '[i, i]',
  'toString(i), i',
  'i, i, i',
  'i, i % 2',
  'sqrt(i), i % 2',
];
const parameters = ['', '(5)', '(0.5)', '(1000)', "('(?1)(?2)')", '(100000)', '(0, 100000, 0.5)'];

export const largestAggregates = (name: string): readonly LargestCall[] =>
  parameters.flatMap((some) =>
    ofAggregates.map((args) => {
      const question = (rows: number) =>
        `select byteSize(${name}${some}(${args})) as v from (select arrayJoin(range(${rows})) as i)`;
      return { trial: question(10), questions: [1_000_000, 100_000, 10_000].map(question) };
    }),
  );

/** Over as wide a frame as is allowed: many of them take all of the time of a question. */
export const largestWindows = (name: string): readonly LargestCall[] =>
  ['', 'i', 'i, 2'].map((args) => {
    const question = (rows: number) =>
      `select max(byteSize(v)) from (select ${name}(${args}) over (order by i rows between ${rows} preceding and ${rows} following) as v from (select arrayJoin(range(${rows})) as i))`;
    return { trial: question(10), questions: [1_000_000, 1_000].map(question) };
  });
