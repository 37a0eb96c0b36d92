/** A cell: texts, numbers (moments are milliseconds, truth is 0 or 1), lists of them, or nothing. */
export type Value = string | number | null | readonly Value[];

export type Type = 'text' | 'int' | 'float' | 'flag' | 'time' | 'texts' | 'ints' | 'id';

/** A row under the names of its columns, `alias.column`. */
export type Row = Readonly<Record<string, Value>>;

/** What an expression is evaluated in. */
export interface Env {
  readonly row: Row;
  readonly zone: string;
  readonly now: number;
  /** The persons in each cohort, by its name. */
  readonly members: Readonly<Record<string, readonly Value[]>>;
  /** Variables of lambdas. */
  readonly vars: Readonly<Record<string, Value>>;
  /** Rows of the group, for aggregates. */
  readonly group: readonly Row[];
  /** All rows of the SELECT, for windows. */
  readonly all: readonly Row[];
}

/** A part of a question that can be printed, evaluated by hand, and made smaller. */
export interface Expr {
  readonly type: Type;
  readonly args: readonly Expr[];
  readonly print: (args: readonly string[]) => string;
  readonly value: (args: readonly Expr[], env: Env) => Value;
  /** Reads a column, so that it may be a key of GROUP BY. */
  readonly isColumn?: boolean;
  readonly isAggregate?: boolean;
  readonly isWindow?: boolean;
  /** Only for literals: the value that a placeholder may stand for. */
  readonly literal?: string | number;
}

export const evaluate = (expr: Expr, env: Env): Value => expr.value(expr.args, env);

/** The values of placeholders, filled while a question is printed. */
export interface Printing {
  readonly values: Record<string, string | number>;
  /** True if the nth literal becomes a placeholder. */
  readonly asPlaceholder: (n: number) => boolean;
  count: number;
}

export const printed = (expr: Expr, printing: Printing): string => {
  if (expr.literal !== undefined && printing.asPlaceholder((printing.count += 1))) {
    const known = Object.entries(printing.values).find(([, value]) => value === expr.literal);
    const name = known?.[0] ?? `v${Object.keys(printing.values).length}`;
    printing.values[name] = expr.literal;
    return `{${name}}`;
  }
  return expr.print(expr.args.map((arg) => printed(arg, printing)));
};

export const some = (expr: Expr, is: (expr: Expr) => boolean): boolean =>
  is(expr) || expr.args.some((arg) => some(arg, is));

/** A call whose value is null as soon as one argument is. */
export const strict = (
  type: Type,
  args: readonly Expr[],
  print: Expr['print'],
  value: (...values: never[]) => Value,
): Expr => ({
  type,
  args,
  print,
  value: (inner, env) => {
    const values = inner.map((arg) => evaluate(arg, env));
    return values.includes(null) ? null : value(...(values as never[]));
  },
});

export const call = (type: Type, name: string, args: readonly Expr[], value: (...values: never[]) => Value): Expr =>
  strict(type, args, (inner) => `${name}(${inner.join(', ')})`, value);

/** A call that sees its arguments' nulls. */
export const lenient = (
  type: Type,
  args: readonly Expr[],
  print: Expr['print'],
  value: (...values: Value[]) => Value,
): Expr => ({
  type,
  args,
  print,
  value: (inner, env) => value(...inner.map((arg) => evaluate(arg, env))),
});

export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

export const textLiteral = (text: string): Expr => ({
  type: 'text',
  args: [],
  print: () => quoted(text),
  value: () => text,
  literal: text,
});

export const intLiteral = (n: number): Expr => ({
  type: 'int',
  args: [],
  print: () => (n < 0 ? `(${n})` : String(n)),
  value: () => n,
  literal: n,
});

export const floatLiteral = (n: number): Expr => ({
  type: 'float',
  args: [],
  print: () => (Number.isInteger(n) ? `toFloat(${n})` : `${n < 0 ? `(${n})` : n}`),
  value: () => n,
});

export const column = (type: Type, sql: string, key: string): Expr => ({
  type,
  args: [],
  print: () => sql,
  value: (_, { row }) => row[key] ?? null,
  isColumn: true,
});

export const isTrue = (value: Value): boolean => value === 1;

/** The order of the engine: nulls last. */
export const compare = (a: Value, b: Value): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let n = 0; n < Math.min(a.length, b.length); n += 1) {
      const order = compare(a[n] as Value, b[n] as Value);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
};

/** The engine's truth. */
export const flag = (is: boolean): number => (is ? 1 : 0);

export const infix =
  (word: string) =>
  (args: readonly string[]): string =>
    `(${args.join(` ${word} `)})`;
