import { type Sql, empty, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { fault, quoted, type SourcePosition } from '../fault.js';
import { tableOf } from '../tables/all-tables.js';
import { type Body, type Expression, type Ordering, type Query } from '../tree.js';
import { type CompiledQuery, type Output } from '../compiled.js';
import { expressionSql } from './expression.sql.js';
import { orderingsSql } from './call.sql.js';
import { asTextOf } from './numeric.sql.js';
import { compileSelect, type SelectEnvironment, type Tail } from './select.sql.js';
import { type SqlStatement } from '../statement.js';

/** The rows of an answer that are sent. */
export interface RowRange {
  readonly limit: number;
  readonly offset: number;
}

type Ctes = ReadonlyMap<string, CompiledQuery>;

const maxLiterals = 900;

/** Compiles a whole question into a statement that returns only the rows of the page. */
export const compileQuestion = (query: Query, page: RowRange, statement: SqlStatement): CompiledQuery => {
  const compiled = compileRows(query, new Map(), statement, { page });
  assertFewLiterals(statement, query.at);
  return compiled;
};

export const assertFewLiterals = ({ literals }: SqlStatement, at: SourcePosition): void => {
  if (literals.count <= maxLiterals) return;
  throw fault(`A question may have at most ${maxLiterals} different values outside of lists`, at);
};

export const limitsOf = ({ limit, offset }: Query): { readonly limit: number | null; readonly offset: number } => ({
  limit: limit && wholeNumber(limit, 'LIMIT'),
  offset: offset ? wholeNumber(offset, 'OFFSET') : 0,
});

const wholeNumber = (expression: Expression, clause: string): number => {
  const number = expression.kind === 'number' ? Number(expression.digits) : NaN;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw fault(`${clause} needs a whole number, such as ${clause} 10`, expression.at);
};

const rowsSql = (page: RowRange | null): Sql =>
  page === null
    ? empty
    : sql` LIMIT ${unsigned(page.limit)}${page.offset > 0 ? sql` OFFSET ${unsigned(page.offset)}` : empty}`;

interface Purpose {
  /** Replaces the query's own LIMIT. */
  readonly page?: RowRange;
  /** True if a FROM reads the query, so that the query may have further columns, such as stored times. */
  readonly isSource?: boolean;
}

const compileRows = (
  query: Query,
  known: Ctes,
  statement: SqlStatement,
  { page, isSource = false }: Purpose = {},
): CompiledQuery => {
  const ctes = withCtes(query, known, statement);
  const environment = environmentOf(ctes, statement);
  const own = limitsOf(query);
  const hasRows = own.limit !== null || own.offset > 0;
  const rows = page ?? (hasRows ? { limit: own.limit ?? Number.MAX_SAFE_INTEGER, offset: own.offset } : null);
  const limitBy = query.limitBy && { rows: wholeNumber(query.limitBy.rows, 'LIMIT'), by: query.limitBy.by };
  const tail: Tail = { orderBy: query.orderBy, limitBy, isSource };
  if (query.body.kind === 'select') {
    const compiled = compileSelect(query.body, tail, environment);
    return { ...compiled, sql: sql`${compiled.sql}${rowsSql(rows)}` };
  }
  const body = compileBody(query.body, ctes, environment);
  if (tail.orderBy.length === 0 && !limitBy && rows === null) return body;
  return wrapped(body, tail, rows, environment);
};

const environmentOf = (ctes: Ctes, statement: SqlStatement): SelectEnvironment => ({
  statement,
  ctes,
  query: (query) => compileRows(query, ctes, statement),
  source: (query) => compileRows(query, ctes, statement, { isSource: true }),
  expression: expressionSql,
});

const withCtes = ({ ctes }: Query, known: Ctes, statement: SqlStatement): Ctes => {
  const all = new Map(known);
  const own = new Set<string>();
  for (const { name, query } of ctes) {
    if (tableOf(name.text)) throw fault(`A CTE cannot be called ${name.text}, because this is a table`, name.at);
    if (own.has(name.text)) throw fault(`Two CTEs are called ${quoted(name.text)}`, name.at);
    own.add(name.text);
    const before = statement.size;
    const compiled = compileRows(query, all, statement, { isSource: true });
    all.set(name.text, { ...compiled, size: statement.grownSince(before) });
  }
  return all;
};

const compileBody = (body: Body, ctes: Ctes, environment: SelectEnvironment): CompiledQuery => {
  switch (body.kind) {
    case 'select':
      return compileSelect(body, { orderBy: [], limitBy: null, isSource: false }, environment);
    case 'full query':
      return compileRows(body, ctes, environment.statement);
    case 'union': {
      const [left, right] = [compileBody(body.left, ctes, environment), compileBody(body.right, ctes, environment)];
      if (left.outputs.length !== right.outputs.length) {
        throw fault(
          `The SELECTs of a UNION need the same number of columns: these have ${left.outputs.length} and ${right.outputs.length}`,
          body.right.at,
        );
      }
      const words = body.distinct ? sql`UNION DISTINCT` : sql`UNION ALL`;
      const [first, second] = [asTextsBeside(left, right, environment), asTextsBeside(right, left, environment)];
      return { sql: sql`(${first.sql}) ${words} (${second.sql})`, outputs: first.outputs };
    }
  }
};

/** Turns a column of numbers into texts where the other SELECT of a UNION has texts in this column. */
const asTextsBeside = (query: CompiledQuery, other: CompiledQuery, { statement }: SelectEnvironment): CompiledQuery => {
  const isAlike = ({ flavor }: Output, at: number): boolean =>
    flavor !== 'numeric' || ['numeric', 'number'].includes(other.outputs[at]?.flavor ?? '');
  if (query.outputs.every(isAlike)) return query;
  const columns = query.outputs.map((output, at) => ({
    value: isAlike(output, at) ? output.sql : asTextOf(output),
    output: {
      ...output,
      sql: statement.names.next('c'),
      ...(isAlike(output, at) ? {} : { flavor: 'property' as const }),
    },
  }));
  return {
    sql: sql`SELECT ${join(columns.map(({ value, output }) => sql`${value} AS ${output.sql}`))} FROM (${query.sql})`,
    outputs: columns.map(({ output }) => output),
  };
};

/** Wraps a UNION in a SELECT, so that its ORDER BY and LIMIT apply to all of its rows. */
const wrapped = (
  body: CompiledQuery,
  { orderBy, limitBy }: Tail,
  rows: RowRange | null,
  { statement }: SelectEnvironment,
): CompiledQuery => {
  const name = statement.names.next('t');
  const column = (expression: Expression): Sql => {
    const output =
      expression.kind === 'number'
        ? body.outputs[Number(expression.digits) - 1]
        : expression.kind === 'name' && expression.parts.length === 1
          ? body.outputs.find((one) => one.name === expression.parts[0]?.text)
          : undefined;
    if (output) return sql`${name}.${output.sql}`;
    throw fault('ORDER BY and LIMIT BY of a UNION name a column of its first SELECT', expression.at);
  };
  const outputs = body.outputs.map((output) => ({ ...output, inner: output.sql, sql: statement.names.next('c') }));
  const orderings: readonly Ordering[] = orderBy;
  return {
    sql: join(
      [
        sql`SELECT ${join(outputs.map((output) => sql`${name}.${output.inner} AS ${output.sql}`))} FROM (${body.sql}) AS ${name}`,
        orderings.length > 0 ? sql` ORDER BY ${orderingsSql(orderings, column)}` : empty,
        limitBy ? sql` LIMIT ${unsigned(limitBy.rows)} BY ${join(limitBy.by.map(column))}` : empty,
        rowsSql(rows),
      ],
      empty,
    ),
    outputs,
  };
};
