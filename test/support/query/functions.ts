import { DateTime } from 'luxon';
import {
  call,
  compare,
  evaluate,
  isTrue,
  lenient,
  strict,
  type Env,
  type Expr,
  type Type,
  type Value,
} from './expression.js';

const flag = (is: boolean): number => (is ? 1 : 0);
const infix =
  (word: string) =>
  (args: readonly string[]): string =>
    `(${args.join(` ${word} `)})`;

/** Letters of the engine's lower and upper: those of ASCII only. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const raised = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

const isWhole = /^-?\d{1,15}$/;
const isNumber = /^-?\d{1,15}(\.\d+)?$/;

export const lower = (a: Expr): Expr => call('text', 'lower', [a], lowered as never);
export const upper = (a: Expr): Expr => call('text', 'upper', [a], raised as never);
export const reverse = (a: Expr): Expr => call('text', 'reverse', [a], (text: string) => [...text].reverse().join(''));
export const trim = (a: Expr): Expr => call('text', 'trim', [a], (text: string) => text.replace(/^ +| +$/g, ''));
export const concat = (a: Expr, b: Expr): Expr => call('text', 'concat', [a, b], (x: string, y: string) => x + y);
export const joined = (a: Expr, b: Expr): Expr => strict('text', [a, b], infix('||'), (x: string, y: string) => x + y);
export const substring = (a: Expr, from: number, length: number): Expr =>
  strict(
    'text',
    [a],
    ([text]) => `substring(${text}, ${from}, ${length})`,
    (text: string) => text.substr(from - 1, length),
  );
export const replaceAll = (a: Expr, b: Expr, c: Expr): Expr =>
  call('text', 'replaceAll', [a, b, c], (text: string, from: string, to: string) =>
    from === '' ? text : text.replaceAll(from, () => to),
  );
export const intToText = (a: Expr): Expr => call('text', 'toString', [a], (n: number) => String(n));

export const length = (a: Expr): Expr =>
  strict(
    'int',
    [a],
    ([text]) => `toInt64(length(${text}))`,
    (value: string | readonly Value[]) => value.length,
  );
export const position = (a: Expr, b: Expr): Expr =>
  strict(
    'int',
    [a, b],
    ([text, part]) => `toInt64(position(${text}, ${part}))`,
    (text: string, part: string) => text.indexOf(part) + 1,
  );
export const toInt = (a: Expr): Expr =>
  call('int', 'toInt', [a], (text: string) => (isWhole.test(text) ? Number(text) : null));
export const toFloat = (a: Expr): Expr =>
  call('float', 'toFloat', [a], (text: string) => (isNumber.test(text) ? Number(text) : null));
export const intToFloat = (a: Expr): Expr => call('float', 'toFloat', [a], (n: number) => n);
export const flagToInt = (a: Expr): Expr => call('int', 'toInt64', [a], (n: number) => n);

export const plus = (a: Expr, b: Expr): Expr => strict(a.type, [a, b], infix('+'), (x: number, y: number) => x + y);
export const minus = (a: Expr, b: Expr): Expr => strict(a.type, [a, b], infix('-'), (x: number, y: number) => x - y);
export const times = (a: Expr, k: number): Expr =>
  strict(
    a.type,
    [a],
    ([x]) => `(${x} * ${k})`,
    (x: number) => x * k,
  );
export const negated = (a: Expr): Expr =>
  strict(
    a.type,
    [a],
    ([x]) => `(-${x})`,
    (x: number) => -x,
  );
export const abs = (a: Expr): Expr =>
  strict(
    a.type,
    [a],
    ([x]) => (a.type === 'int' ? `toInt64(abs(${x}))` : `abs(${x})`),
    (x: number) => Math.abs(x),
  );
export const modulo = (a: Expr, k: number): Expr =>
  strict(
    'int',
    [a],
    ([x]) => `(${x} % ${k})`,
    (x: number) => x % k,
  );
export const intDiv = (a: Expr, k: number): Expr =>
  strict(
    'int',
    [a],
    ([x]) => `intDiv(${x}, ${k})`,
    (x: number) => Math.trunc(x / k),
  );
export const floor = (a: Expr): Expr => call('float', 'floor', [a], Math.floor as never);
export const half = (a: Expr): Expr =>
  strict(
    'float',
    [a],
    ([x]) => `(${x} / 2)`,
    (x: number) => x / 2,
  );

const comparisons = {
  '=': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
  '<>': (order: number) => order !== 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
};
export type Comparison = keyof typeof comparisons;
export const comparisonSigns = Object.keys(comparisons) as Comparison[];

export const compared = (sign: Comparison, a: Expr, b: Expr): Expr =>
  strict('flag', [a, b], infix(sign), (x: Value, y: Value) => flag(comparisons[sign](compare(x, y))));
export const between = (a: Expr, b: Expr, c: Expr): Expr =>
  lenient(
    'flag',
    [a, b, c],
    ([x, from, to]) => `(${x} between ${from} and ${to})`,
    (x, from, to) => {
      const above = x === null || from === null ? null : flag(compare(x ?? null, from ?? null) >= 0);
      const below = x === null || to === null ? null : flag(compare(x ?? null, to ?? null) <= 0);
      return above === 0 || below === 0 ? 0 : above === null || below === null ? null : 1;
    },
  );
export const isIn = (a: Expr, list: readonly Expr[], not: boolean): Expr =>
  lenient(
    'flag',
    [a, ...list],
    ([x, ...items]) => `(${x} ${not ? 'not in' : 'in'} (${items.join(', ')}))`,
    (x, ...items) => (x === null ? null : flag(items.includes(x ?? null) !== not)),
  );
export const isNull = (a: Expr, not: boolean): Expr =>
  lenient(
    'flag',
    [a],
    ([x]) => `(${x} is ${not ? 'not ' : ''}null)`,
    (x) => flag((x === null) !== not),
  );
export const and = (a: Expr, b: Expr): Expr =>
  lenient('flag', [a, b], infix('and'), (x, y) => (x === 0 || y === 0 ? 0 : x === null || y === null ? null : 1));
export const or = (a: Expr, b: Expr): Expr =>
  lenient('flag', [a, b], infix('or'), (x, y) =>
    isTrue(x ?? null) || isTrue(y ?? null) ? 1 : x === null || y === null ? null : 0,
  );
export const not = (a: Expr): Expr =>
  strict(
    'flag',
    [a],
    ([x]) => `(not ${x})`,
    (x: number) => 1 - x,
  );
export const startsWith = (a: Expr, b: Expr): Expr =>
  call('flag', 'startsWith', [a, b], (text: string, part: string) => flag(text.startsWith(part)));

const patterns: Readonly<Record<string, RegExp>> = {
  'p%': /^p[^]*$/,
  '%e': /^[^]*e$/,
  '%r%': /[^]*r[^]*/,
  _: /^[^]$/,
  '%': /^[^]*$/,
  '\\%%': /^%[^]*$/,
};
export const likePatterns = Object.keys(patterns);
export const like = (a: Expr, pattern: string, word: 'like' | 'ilike' | 'not like'): Expr =>
  strict(
    'flag',
    [a],
    ([text]) => `(${text} ${word} '${pattern.replaceAll('\\', '\\\\')}')`,
    (text: string) => {
      const { source } = patterns[pattern] as RegExp;
      return flag(new RegExp(source, word === 'ilike' ? 'i' : '').test(text) !== (word === 'not like'));
    },
  );
export const match = (a: Expr, pattern: string): Expr =>
  strict(
    'flag',
    [a],
    ([text]) => `match(${text}, '${pattern}')`,
    (text: string) => flag(new RegExp(pattern).test(text)),
  );

export const coalesce = (a: Expr, b: Expr, name: 'coalesce' | 'ifNull'): Expr =>
  lenient(
    a.type,
    [a, b],
    ([x, y]) => `${name}(${x}, ${y})`,
    (x, y) => x ?? y ?? null,
  );
export const nullIf = (a: Expr, b: Expr): Expr =>
  lenient(
    a.type,
    [a, b],
    ([x, y]) => `nullIf(${x}, ${y})`,
    (x, y) => (x !== null && x === y ? null : (x ?? null)),
  );

/** Only the branch that is taken. */
export const choice = (condition: Expr, a: Expr, b: Expr, form: 'if' | 'multiIf' | 'case'): Expr => ({
  type: a.type,
  args: [condition, a, b],
  print: ([test, x, y]) =>
    form === 'case' ? `(case when ${test} then ${x} else ${y} end)` : `${form}(${test}, ${x}, ${y})`,
  value: ([test, x, y], env) => evaluate((isTrue(evaluate(test as Expr, env)) ? x : y) as Expr, env),
});

const local = (ms: number, { zone }: Env): DateTime => DateTime.fromMillis(ms, { zone });

const ofTime = (type: Type, a: Expr, print: (x: string) => string, value: (at: DateTime) => Value): Expr => ({
  type,
  args: [a],
  print: ([x]) => print(x ?? ''),
  value: ([x], env) => {
    const ms = evaluate(x as Expr, env);
    return ms === null ? null : value(local(ms as number, env));
  },
});

export const toHour = (a: Expr): Expr =>
  ofTime(
    'int',
    a,
    (x) => `toHour(${x})`,
    ({ hour }) => hour,
  );
export const toDayOfWeek = (a: Expr): Expr =>
  ofTime(
    'int',
    a,
    (x) => `toDayOfWeek(${x})`,
    ({ weekday }) => weekday,
  );
export const toMonth = (a: Expr): Expr =>
  ofTime(
    'int',
    a,
    (x) => `toMonth(${x})`,
    ({ month }) => month,
  );
export const toUnix = (a: Expr): Expr =>
  ofTime(
    'int',
    a,
    (x) => `toInt64(toUnixTimestamp(${x}))`,
    (at) => Math.floor(at.toMillis() / 1000),
  );
export const dateText = (a: Expr): Expr =>
  ofTime(
    'text',
    a,
    (x) => `toString(toDate(${x}))`,
    (at) => at.toFormat('yyyy-MM-dd'),
  );
export const timeText = (a: Expr): Expr =>
  ofTime(
    'text',
    a,
    (x) => `formatDateTime(${x}, '%Y-%m-%d %H:%i:%S')`,
    (at) => at.toFormat('yyyy-MM-dd HH:mm:ss'),
  );
export const startOf = (unit: 'day' | 'hour', a: Expr, name: 'dateTrunc' | 'toStartOf'): Expr =>
  ofTime(
    'time',
    a,
    (x) => (name === 'dateTrunc' ? `dateTrunc('${unit}', ${x})` : `toStartOf${unit === 'day' ? 'Day' : 'Hour'}(${x})`),
    (at) => (unit === 'day' ? at.startOf('day').toMillis() : Math.floor(at.toMillis() / 3_600_000) * 3_600_000),
  );
export const later = (a: Expr, n: number, unit: 'hour' | 'minute'): Expr =>
  strict(
    'time',
    [a],
    ([x]) => `(${x} ${n < 0 ? '-' : '+'} interval ${Math.abs(n)} ${unit})`,
    (ms: number) => ms + n * (unit === 'hour' ? 3_600_000 : 60_000),
  );
export const daysBetween = (a: Expr, b: Expr): Expr => ({
  type: 'int',
  args: [a, b],
  print: ([x, y]) => `dateDiff('day', ${x}, ${y})`,
  value: (args, env) => {
    const days = args.map((arg) => {
      const ms = evaluate(arg, env);
      return ms === null ? null : Date.parse(local(ms as number, env).toFormat('yyyy-MM-dd')) / 86_400_000;
    });
    return days.includes(null) ? null : Number(days[1]) - Number(days[0]);
  },
});
export const now = (): Expr => ({ type: 'time', args: [], print: () => 'now()', value: (_, { now: ms }) => ms });
export const localTime = (text: string): Expr => ({
  type: 'time',
  args: [],
  print: () => `toDateTime('${text}')`,
  value: (_, { zone }) => DateTime.fromSQL(text, { zone }).toMillis(),
});

export const list = (type: 'texts' | 'ints', items: readonly Expr[]): Expr =>
  lenient(
    type,
    items,
    (all) => `[${all.join(', ')}]`,
    (...all) => all,
  );
export const has = (a: Expr, b: Expr): Expr =>
  call('flag', 'has', [a, b], (items: readonly Value[], item: Value) => flag(items.includes(item)));
export const joinedTexts = (a: Expr): Expr =>
  strict(
    'text',
    [a],
    ([x]) => `arrayStringConcat(${x}, '-')`,
    (items: readonly string[]) => items.join('-'),
  );
export const sumOf = (a: Expr): Expr =>
  strict(
    'int',
    [a],
    ([x]) => `toInt64(arraySum(${x}))`,
    (items: readonly number[]) => items.reduce((sum, n) => sum + n, 0),
  );
export const sorted = (a: Expr): Expr =>
  call(a.type, 'arraySort', [a], (items: readonly Value[]) => [...items].sort(compare));
export const distinct = (a: Expr): Expr =>
  call(a.type, 'arrayDistinct', [a], (items: readonly Value[]) => [...new Set(items)]);

/** The variable of a lambda. */
export const variable = (type: Type, name: string): Expr => ({
  type,
  args: [],
  print: () => name,
  value: (_, { vars }) => vars[name] ?? null,
});

const lambda = (
  type: Type,
  name: string,
  variableName: string,
  body: Expr,
  items: Expr,
  value: (items: readonly Value[], results: readonly Value[]) => Value,
): Expr => ({
  type,
  args: [body, items],
  print: ([inner, all]) =>
    `${name === 'arrayCount' ? 'toInt64(' : ''}${name}(${variableName} -> ${inner}, ${all})${name === 'arrayCount' ? ')' : ''}`,
  value: ([inner, all], env) => {
    const values = evaluate(all as Expr, env) as readonly Value[];
    const results = values.map((item) =>
      evaluate(inner as Expr, { ...env, vars: { ...env.vars, [variableName]: item } }),
    );
    return value(values, results);
  },
});
export const arrayMap = (type: 'texts' | 'ints', name: string, body: Expr, items: Expr): Expr =>
  lambda(type, 'arrayMap', name, body, items, (_, results) => results);
export const arrayFilter = (name: string, body: Expr, items: Expr): Expr =>
  lambda(items.type, 'arrayFilter', name, body, items, (values, results) =>
    values.filter((_, n) => isTrue(results[n] ?? null)),
  );
export const arrayCount = (name: string, body: Expr, items: Expr): Expr =>
  lambda('int', 'arrayCount', name, body, items, (_, results) => results.filter(isTrue).length);
export const arrayExists = (name: string, body: Expr, items: Expr): Expr =>
  lambda('flag', 'arrayExists', name, body, items, (_, results) => flag(results.some(isTrue)));
