import {
  call,
  compare,
  evaluate,
  isTrue,
  lenient,
  strict,
  flag,
  type Expr,
  type Type,
  type Value,
} from './expression.js';

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
