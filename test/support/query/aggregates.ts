import { compare, evaluate, isTrue, type Env, type Expr, type Type, type Value } from './expression.js';

const valuesOf = (arg: Expr, env: Env): Value[] => env.group.map((row) => evaluate(arg, { ...env, row, group: [] }));
const present = (values: readonly Value[]): Value[] => values.filter((value) => value !== null);
const total = (values: readonly Value[]): number => values.reduce<number>((sum, value) => sum + Number(value), 0);

const aggregate = (
  type: Type,
  args: readonly Expr[],
  print: Expr['print'],
  value: (columns: readonly Value[][]) => Value,
): Expr => ({
  type,
  args,
  print,
  value: (inner, env) => value(inner.map((arg) => valuesOf(arg, env))),
  isAggregate: true,
});

export const countAll = (): Expr => ({
  type: 'int',
  args: [],
  print: () => 'toInt64(count())',
  value: (_, { group }) => group.length,
  isAggregate: true,
});
export const count = (a: Expr): Expr =>
  aggregate(
    'int',
    [a],
    ([x]) => `toInt64(count(${x}))`,
    ([values = []]) => present(values).length,
  );
export const countIf = (a: Expr): Expr =>
  aggregate(
    'int',
    [a],
    ([x]) => `toInt64(countIf(${x}))`,
    ([values = []]) => values.filter(isTrue).length,
  );
export const countDistinct = (a: Expr, form: 'count(distinct ' | 'uniqExact('): Expr =>
  aggregate(
    'int',
    [a],
    ([x]) => `toInt64(${form}${x}))`,
    ([values = []]) => new Set(present(values)).size,
  );
export const sum = (a: Expr): Expr =>
  aggregate(
    a.type,
    [a],
    ([x]) => (a.type === 'int' ? `toInt64(sum(${x}))` : `sum(${x})`),
    ([values = []]) => (present(values).length > 0 ? total(present(values)) : null),
  );
export const sumIf = (a: Expr, b: Expr): Expr =>
  aggregate(
    a.type,
    [a, b],
    ([x, test]) => `ifNull(toInt64(sumIf(${x}, ${test})), 0)`,
    ([values = [], tests = []]) => total(present(values.filter((_, n) => isTrue(tests[n] ?? null)))),
  );
export const avg = (a: Expr): Expr =>
  aggregate(
    'float',
    [a],
    ([x]) => `avg(${x})`,
    ([values = []]) => (present(values).length > 0 ? total(present(values)) / present(values).length : null),
  );
export const extreme = (name: 'min' | 'max', a: Expr): Expr =>
  aggregate(
    a.type,
    [a],
    ([x]) => `${name}(${x})`,
    ([values = []]) => {
      const inOrder = present(values).sort(compare);
      return inOrder.at(name === 'min' ? 0 : -1) ?? null;
    },
  );
export const gathered = (a: Expr, form: 'groupArray' | 'groupUniqArray'): Expr =>
  aggregate(
    a.type === 'int' ? 'ints' : 'texts',
    [a],
    ([x]) => `arraySort(${form}(${x}))`,
    ([values = []]) => {
      const kept = form === 'groupArray' ? present(values) : [...new Set(present(values))];
      return kept.sort(compare);
    },
  );

/** The rows that have the same key as this one. */
const partition = (key: Expr, env: Env): readonly { readonly row: Env['row']; readonly env: Env }[] => {
  const mine = evaluate(key, env);
  return env.all
    .map((row) => ({ row, env: { ...env, row } }))
    .filter((one) => compare(evaluate(key, one.env), mine) === 0);
};

const window = (
  type: Type,
  args: readonly Expr[],
  print: Expr['print'],
  value: (args: readonly Expr[], env: Env) => Value,
): Expr => ({ type, args, print, value, isWindow: true });

/** `moment` is different in each row. */
export const rowNumber = (key: Expr, moment: Expr): Expr =>
  window(
    'int',
    [key, moment],
    ([k, at]) => `toInt64(row_number() over (partition by ${k} order by ${at}))`,
    ([k, at], env) => {
      const mine = evaluate(at as Expr, env);
      return partition(k as Expr, env).filter((one) => compare(evaluate(at as Expr, one.env), mine) <= 0).length;
    },
  );
export const countOver = (key: Expr): Expr =>
  window(
    'int',
    [key],
    ([k]) => `toInt64(count() over (partition by ${k}))`,
    ([k], env) => partition(k as Expr, env).length,
  );
export const maxOver = (key: Expr, of: Expr): Expr =>
  window(
    of.type,
    [key, of],
    ([k, x]) => `max(${x}) over (partition by ${k})`,
    ([k, x], env) =>
      present(partition(k as Expr, env).map((one) => evaluate(x as Expr, one.env)))
        .sort(compare)
        .at(-1) ?? null,
  );
/** `of` is never null. */
export const runningSum = (key: Expr, moment: Expr, of: Expr): Expr =>
  window(
    'int',
    [key, moment, of],
    ([k, at, x]) =>
      `toInt64(sum(${x}) over (partition by ${k} order by ${at} rows between unbounded preceding and current row))`,
    ([k, at, x], env) => {
      const mine = evaluate(at as Expr, env);
      const until = partition(k as Expr, env).filter((one) => compare(evaluate(at as Expr, one.env), mine) <= 0);
      return total(until.map((one) => evaluate(x as Expr, one.env)));
    },
  );
