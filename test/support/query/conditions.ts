import { call, compare, evaluate, isTrue, lenient, strict, flag, infix, type Expr, type Value } from './expression.js';

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
/** `id` is that of a person. */
export const inCohort = (id: Expr, cohort: string, form: 'in' | 'not in' | 'inCohort'): Expr => ({
  type: 'flag',
  args: [id],
  print: ([x]) => {
    const name = `'${cohort.replaceAll("'", "''")}'`;
    return form === 'inCohort' ? `inCohort(${x}, ${name})` : `(${x} ${form} cohort ${name})`;
  },
  value: ([x], env) => flag((env.members[cohort] ?? []).includes(evaluate(x as Expr, env)) === (form !== 'not in')),
});
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
