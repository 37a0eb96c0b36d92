import { type Sql, empty, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { fault, quoted, type SourcePosition } from '../fault.js';
import { allTables, tableOf } from '../tables/all-tables.js';
import { TableRows } from '../tables/table.js';
import { nearestName } from '../../platform/errors/nearest-name.js';
import { type Expression, type Item, type Join, type JoinKind, type Query, type Select, type Source } from '../tree.js';
import { Aliases } from './aliases.js';
import { orderingsSql, windowSql } from './call.sql.js';
import { type CompiledQuery, type Output } from '../compiled.js';
import { inner, type Clause, type Context } from './context.js';
import { equalColumns } from './numeric.sql.js';
import { withImplied } from './implied-times.sql.js';
import { readWithin, withoutEmptyRows } from './read-within.sql.js';
import { columnsOf, QueryRows, FromTables, type TableInFrom } from './scope.js';
import { type SqlStatement } from '../statement.js';

/** The state and the functions that the compiler of whole queries gives to the compiler of one SELECT. */
export interface SelectEnvironment {
  readonly statement: SqlStatement;
  readonly ctes: ReadonlyMap<string, CompiledQuery>;
  readonly query: Context['query'];
  /** Compiles a query in FROM. */
  readonly source: Context['query'];
  readonly expression: Context['expression'];
}

/**
 * Hides a key of LIMIT BY in `identity`, into which the engine does not look. Otherwise the engine replaces an injective
 * function by its argument, which is missing after GROUP BY if a condition that never changes was around the function.
 */
const limitKey = (key: Sql): Sql => sql`identity(${key})`;

/** ORDER BY and LIMIT BY, which follow a SELECT and know its names. */
export interface Tail extends Pick<Query, 'orderBy'> {
  readonly limitBy: { readonly rows: number; readonly by: readonly Expression[] } | null;
  readonly isSource: boolean;
}

/** The surroundings of an expression whose names are columns of tables, and no aliases. */
export const contextIn = (
  sources: FromTables,
  { statement, query, expression }: Pick<SelectEnvironment, 'statement' | 'query' | 'expression'>,
): Context => ({
  statement,
  sources,
  clause: 'on',
  inAggregate: false,
  parameters: new Map(),
  depth: 0,
  repeats: [],
  lambdaOf: null,
  windows: new Map(),
  query,
  expression,
  call: () => {
    throw new Error('calls are expressions');
  },
  resolve: (name) => {
    const column = sources.column(name);
    if (column) return column;
    throw sources.unknown(name.parts.map(({ text }) => text).join('.'), sources.all, name.at);
  },
});

export const compileSelect = (select: Select, tail: Tail, environment: SelectEnvironment): CompiledQuery => {
  const { statement } = environment;
  statement.grow({ selects: 1, expressions: 0 }, select.at);
  const sources = new FromTables();
  const from = select.from && sourceOf(select.from, environment);
  if (from) sources.add(from.source, from.at);
  const joins = select.joins.map((joined) => ({ joined, ...sourceOf(joined.source, environment) }));
  const before = contextIn(sources, environment);
  const joined = joins.map(({ joined: node, source, at }) => {
    const left = [...sources.all];
    sources.add(source, at);
    return { kind: node.kind, source, on: conditionOf(node, left, source, sources, before) };
  });
  const aliases = new Aliases(select, statement);
  const windowNames = new Map<string, Sql>();
  const context: Context = { ...before, windows: windowNames, resolve: (name, at) => aliases.resolve(name, at) };
  const within = (clause: Clause): Context => ({ ...context, clause });
  const windows = select.windows.map(({ name, window }) => {
    const ours = statement.names.next('w');
    const definition = windowSql(window, within('select'));
    windowNames.set(name.text, ours);
    return sql`${ours} AS (${definition})`;
  });
  const items = select.items.flatMap((item) => columnsOfItem(item, sources));
  const outputs = items.map((item) => aliases.output(item, within('select')));
  if (outputs.length === 0) throw fault('A SELECT needs at least one column', select.at);
  const where = select.where && withImplied(select.where, within('where'));
  if (select.where) readWithin(select.where, withoutEmptyRows(from?.source ?? null, joined), within('where'));
  const positional = (expression: Expression, clause: Clause): Sql =>
    byPosition(expression, outputs, within(clause), clause);
  const groupBy = select.groupBy === 'all' ? 'all' : select.groupBy.map((one) => positional(one, 'group by'));
  const having = select.having && inner(select.having, within('having'));
  const qualify = select.qualify && inner(select.qualify, within('select'));
  const orderBy = tail.orderBy.length > 0 ? orderingsSql(tail.orderBy, (by) => positional(by, 'order by')) : null;
  const limitBy = tail.limitBy?.by.map((by) => limitKey(positional(by, 'order by'))) ?? [];
  const named = outputs.map(({ name, sql: column, flavor, definition, storedTime, isFixed, isLarge }) => {
    const stored = isPlain(select) && tail.isSource && storedTime ? statement.names.next('c') : null;
    return {
      columns: [sql`${definition} AS ${column}`, ...(stored ? [sql`${storedTime ?? empty} AS ${stored}`] : [])],
      output: { name, sql: column, flavor, isFixed, isLarge, ...(stored ? { stored } : {}) } satisfies Output,
    };
  });
  const clauses = [
    sql`SELECT ${select.distinct ? sql`DISTINCT ` : empty}${join(named.flatMap(({ columns }) => columns))}`,
    from ? sql` FROM ${rowsOf(from.source)}` : empty,
    ...joined.map(
      ({ kind, source, on }) => sql` ${joinWords[kind]} ${rowsOf(source)}${on === null ? empty : sql` ON ${on}`}`,
    ),
    where ? sql` WHERE ${where}` : empty,
    groupSql(groupBy, select.grouping),
    having ? sql` HAVING ${having}` : empty,
    windows.length > 0 ? sql` WINDOW ${join(windows)}` : empty,
    qualify ? sql` QUALIFY ${qualify}` : empty,
    orderBy ? sql` ORDER BY ${orderBy}` : empty,
    tail.limitBy ? sql` LIMIT ${unsigned(tail.limitBy.rows)} BY ${join(limitBy)}` : empty,
  ];
  return {
    sql: join(clauses, empty),
    outputs: named.map(({ output }) => output),
  };
};

/** True if the rows of a SELECT are the rows of FROM, and not groups of them. */
const isPlain = ({ groupBy }: Select): boolean => groupBy !== 'all' && groupBy.length === 0;

const joinWords: Readonly<Record<JoinKind, Sql>> = {
  inner: sql`GLOBAL ALL INNER JOIN`,
  left: sql`GLOBAL ALL LEFT JOIN`,
  right: sql`GLOBAL ALL RIGHT JOIN`,
  full: sql`GLOBAL ALL FULL JOIN`,
  cross: sql`CROSS JOIN`,
};

const groupings: Readonly<Record<NonNullable<Select['grouping']>, Sql>> = {
  rollup: sql` WITH ROLLUP`,
  cube: sql` WITH CUBE`,
  totals: sql` WITH TOTALS`,
};

const groupSql = (groupBy: 'all' | readonly Sql[], grouping: Select['grouping']): Sql => {
  const modifier = grouping === null ? empty : groupings[grouping];
  if (groupBy === 'all') return sql` GROUP BY ALL${modifier}`;
  return groupBy.length === 0 ? empty : sql` GROUP BY ${join(groupBy)}${modifier}`;
};

const rowsOf = ({ rows }: TableInFrom): Sql => sql`${rows.sql} AS ${rows.name}`;

const sourceOf = (
  node: Source,
  { statement, ctes, source: queryInFrom }: SelectEnvironment,
): { source: TableInFrom; at: SourcePosition } => {
  const name = statement.names.next('t');
  if (node.kind === 'query') {
    const compiled = queryInFrom(node.query);
    return {
      source: { called: node.alias?.text ?? null, rows: new QueryRows(compiled.outputs, name, compiled.sql) },
      at: node.at,
    };
  }
  const called = node.alias?.text ?? node.name.text;
  const cte = ctes.get(node.name.text);
  if (cte) {
    if (cte.size) statement.grow(cte.size, node.name.at);
    return { source: { called, rows: new QueryRows(cte.outputs, name, cte.sql) }, at: node.name.at };
  }
  const table = tableOf(node.name.text);
  if (table) return { source: { called, rows: new TableRows(table, statement, name) }, at: node.name.at };
  const known = [...allTables.map((one) => one.name), ...ctes.keys()];
  const nearest = nearestName(node.name.text, known);
  throw fault(
    `There is no table ${quoted(node.name.text)}: ${nearest === null ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`}`,
    node.name.at,
  );
};

const conditionOf = (
  node: Join,
  left: readonly TableInFrom[],
  right: TableInFrom,
  sources: FromTables,
  context: Context,
): Sql | null => {
  if (node.on) return inner(node.on, context);
  if (node.using.length === 0) return null;
  return join(
    node.using.map(({ text, at }) => {
      const [one] = left.flatMap(({ rows }) => rows.column([text]) ?? []);
      const other = right.rows.column([text]);
      if (!one) throw sources.unknown(text, left, at);
      if (!other) throw sources.unknown(text, [right], at);
      sources.share(text);
      return equalColumns(one, other);
    }),
    sql` AND `,
  );
};

/** Expands a star into the columns of its tables. */
const columnsOfItem = (item: Item, sources: FromTables): Extract<Item, { kind: 'expression' }>[] => {
  if (item.kind === 'expression') return [item];
  const { of, except, at } = item;
  const among = of ? [sources.called(of.text)] : sources.all;
  if (of && !among[0]) throw fault(`There is no table ${quoted(of.text)} in FROM`, of.at);
  if (among.length === 0) throw fault('* needs a FROM', at);
  const left = new Set(except.map(({ text }) => text));
  return among.flatMap((source) =>
    (source ? columnsOf(source) : []).flatMap((name) => {
      if (left.has(name)) return [];
      const parts = [...(source?.called && sources.all.length > 1 ? [source.called] : []), name].map((text) => ({
        text,
        at,
      }));
      return [{ kind: 'expression', expression: { kind: 'name', parts, at }, alias: null, title: name } as const];
    }),
  );
};

/** Compiles a key of GROUP BY or ORDER BY; a number means the column of the SELECT at this position. */
const byPosition = (expression: Expression, outputs: readonly Output[], context: Context, clause: Clause): Sql => {
  if (expression.kind !== 'number') return inner(expression, context);
  const output = outputs[Number(expression.digits) - 1];
  if (output) return output.sql;
  throw fault(
    `${clause.toUpperCase()} ${quoted(expression.digits)} is not a column of the SELECT, which has ${outputs.length}`,
    expression.at,
  );
};
