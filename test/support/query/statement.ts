import {
  compare,
  evaluate,
  isTrue,
  printed,
  some,
  type Env,
  type Expr,
  type Printing,
  type Row,
  type Type,
  type Value,
} from './expression.js';

/** A column that expressions may read: how it is written, and where rows have it. */
export interface Leaf {
  readonly type: Type;
  readonly sql: string;
  readonly key: string;
}

export type Source =
  | { readonly kind: 'table'; readonly table: string; readonly alias: string | null }
  | { readonly kind: 'join'; readonly left: Source; readonly right: Source; readonly on: Expr }
  | { readonly kind: 'select'; readonly select: Select; readonly alias: string; readonly isCte: boolean };

export interface Column {
  readonly name: string;
  readonly expr: Expr;
}

export interface Select {
  readonly from: Source;
  readonly where: Expr | null;
  readonly keys: readonly Expr[];
  readonly having: Expr | null;
  readonly columns: readonly Column[];
  readonly distinct: boolean;
  /** By all columns in turn, so that the order has no ties between different rows; or not at all. */
  readonly descending: readonly boolean[] | null;
  readonly limitBy: number | null;
  readonly limit: number | null;
  readonly offset: number | null;
}

/** One SELECT, or several with the same types of columns. */
export type Statement = readonly Select[];

/** Rows by table, their columns without an alias. */
export interface Tables {
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  readonly zone: string;
  readonly now: number;
  readonly members: Env['members'];
}

// Printing

const relation = (source: Source, printing: Printing, ctes: string[]): string => {
  switch (source.kind) {
    case 'table':
      return source.alias === null ? source.table : `${source.table} as ${source.alias}`;
    case 'join':
      return `${relation(source.left, printing, ctes)} join ${relation(source.right, printing, ctes)} on ${printed(source.on, printing)}`;
    case 'select': {
      const inner = selectText(source.select, printing, ctes);
      if (!source.isCte) return `(${inner}) as ${source.alias}`;
      const name = `cte_${source.alias}`;
      ctes.push(`${name} as (${inner})`);
      return `${name} as ${source.alias}`;
    }
  }
};

const selectText = (select: Select, printing: Printing, ctes: string[]): string => {
  const { from, where, keys, having, columns, distinct, descending, limitBy, limit, offset } = select;
  const first = relation(from, printing, ctes);
  const names = columns.map(({ name }) => name);
  return [
    `select ${distinct ? 'distinct ' : ''}${columns.map(({ name, expr }) => `${printed(expr, printing)} as ${name}`).join(', ')}`,
    `from ${first}`,
    where && `where ${printed(where, printing)}`,
    keys.length > 0 && `group by ${keys.map((key) => printed(key, printing)).join(', ')}`,
    having && `having ${printed(having, printing)}`,
    descending && `order by ${names.map((name, n) => `${name}${descending[n] ? ' desc' : ''}`).join(', ')}`,
    limitBy !== null && `limit ${limitBy} by ${names[0]}`,
    limit !== null && `limit ${limit}`,
    offset !== null && `offset ${offset}`,
  ]
    .filter(Boolean)
    .join(' ');
};

export const statementText = (
  statement: Statement,
  asPlaceholder: Printing['asPlaceholder'] = () => false,
): { query: string; values: Printing['values'] } => {
  const printing: Printing = { values: {}, asPlaceholder, count: 0 };
  const ctes: string[] = [];
  const texts = statement.map((select) => selectText(select, printing, ctes));
  const query = `${ctes.length > 0 ? `with ${ctes.join(', ')} ` : ''}${texts.join(' union all ')}`;
  return { query, values: printing.values };
};

// Answering

const prefixed = (row: Row, alias: string): Row =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [`${alias}.${key}`, value]));

const rowsOf = (source: Source, tables: Tables): readonly Row[] => {
  switch (source.kind) {
    case 'table': {
      const rows = tables.rows[source.table];
      if (!rows) throw new Error(`no table ${source.table}`);
      return rows.map((row) => prefixed(row, source.alias ?? source.table));
    }
    case 'join': {
      const right = rowsOf(source.right, tables);
      const pairs = rowsOf(source.left, tables).flatMap((a) => right.map((b) => ({ ...a, ...b })));
      return pairs.filter((row) => isTrue(evaluate(source.on, envOf(row, tables))));
    }
    case 'select': {
      const names = source.select.columns.map(({ name }) => name);
      return selectRows(source.select, tables).map((cells) =>
        prefixed(Object.fromEntries(names.map((name, n) => [name, cells[n] ?? null])), source.alias),
      );
    }
  }
};

const envOf = (row: Row, { zone, now, members }: Tables, more: Partial<Env> = {}): Env => ({
  row,
  zone,
  now,
  members,
  vars: {},
  group: [],
  all: [],
  ...more,
});

const isGrouped = ({ keys, columns }: Select): boolean =>
  keys.length > 0 || columns.some(({ expr }) => some(expr, ({ isAggregate = false }) => isAggregate));

const groupsOf = (select: Select, rows: readonly Row[], tables: Tables): Env[] => {
  if (select.keys.length === 0) return [envOf(rows[0] ?? {}, tables, { group: rows })];
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(select.keys.map((one) => evaluate(one, envOf(row, tables))));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((group) => envOf(group[0] ?? {}, tables, { group }));
};

const selectRows = (select: Select, tables: Tables): readonly (readonly Value[])[] => {
  const { where, having, columns, distinct, descending, limitBy, limit, offset } = select;
  const all = rowsOf(select.from, tables).filter((row) => !where || isTrue(evaluate(where, envOf(row, tables))));
  const envs = isGrouped(select)
    ? groupsOf(select, all, tables).filter((env) => !having || isTrue(evaluate(having, env)))
    : all.map((row) => envOf(row, tables, { all }));
  let rows: readonly (readonly Value[])[] = envs.map((env) => columns.map(({ expr }) => evaluate(expr, env)));
  if (distinct) rows = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  if (descending) rows = [...rows].sort((a, b) => orderOf(a, b, descending));
  if (limitBy !== null) {
    const seen = new Map<string, number>();
    rows = rows.filter(([key]) => {
      const count = (seen.get(JSON.stringify(key)) ?? 0) + 1;
      seen.set(JSON.stringify(key), count);
      return count <= limitBy;
    });
  }
  return rows.slice(offset ?? 0, limit === null ? undefined : (offset ?? 0) + limit);
};

/** Nulls come last in both directions. */
const orderOf = (a: readonly Value[], b: readonly Value[], descending: readonly boolean[]): number => {
  for (const [n, isDescending] of descending.entries()) {
    const [x = null, y = null] = [a[n], b[n]];
    const order = compare(x, y);
    if (order !== 0) return isDescending && x !== null && y !== null ? -order : order;
  }
  return 0;
};

export const answerTo = (statement: Statement, tables: Tables): readonly (readonly Value[])[] =>
  statement.flatMap((select) => selectRows(select, tables));

/** True if the order of the rows of an answer is fixed. */
export const isOrdered = (statement: Statement): boolean => statement.length === 1 && statement[0]?.descending !== null;
