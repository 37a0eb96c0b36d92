import { sql } from '../../platform/clickhouse/sql.js';
import { TableRows } from '../tables/table.js';
import { type Expression, type JoinKind, type CallExpression } from '../tree.js';
import { type Context } from './context.js';
import { comparisonsIn, impliedBounds, sidesOf, type StoredBound } from './implied-times.sql.js';
import { comparable } from './operators.sql.js';
import { type TableInFrom } from './scope.js';
import { isConstant, walk } from './walk.js';

/** Functions of moments that return the same value each time they are computed, by names in lower case. */
const steadyFunctions = new Set([
  ...['now', 'today', 'yesterday', 'curdate', 'current_date', 'current_timestamp', 'localtimestamp', 'utctimestamp'],
  ...['todate', 'todatetime', 'todatetime64', 'parsedatetimebesteffort', 'parsedatetime64besteffort', 'totimezone'],
  ...['tostartofminute', 'tostartofhour', 'tostartofday', 'tostartofweek', 'tomonday', 'tostartofmonth'],
  ...['tostartofquarter', 'tostartofyear', 'datetrunc', 'date_trunc', 'dateadd', 'date_add', 'datesub', 'date_sub'],
  ...['addminutes', 'addhours', 'adddays', 'addweeks', 'addmonths', 'addyears', 'tointervalday', 'tointervalhour'],
  ...['subtractminutes', 'subtracthours', 'subtractdays', 'subtractweeks', 'subtractmonths', 'subtractyears'],
]);

/** Tells the tables of one FROM which times WHERE keeps, so that they read no more rows than needed. */
export const readWithin = (where: Expression, tables: readonly TableInFrom[], context: Context): void => {
  const all = tables.flatMap(({ rows }) => (rows instanceof TableRows && rows.definition.eventsFor ? [rows] : []));
  if (all.length === 0) return;
  for (const { stored, ...bound } of [...impliedBounds(where, context), ...boundsIn(where, context)])
    for (const rows of all) rows.readOnlyWithin(stored, bound);
};

/** Finds the bounds of stored times that the condition itself names. */
const boundsIn = (where: Expression, context: Context): readonly StoredBound[] => {
  const { literals, scope } = context.statement;
  return comparisonsIn(where).flatMap(({ operator, of, than }) => {
    if (of.kind !== 'name' || !isSteady(than)) return [];
    const { stored } = context.expression(of, context);
    if (!stored) return [];
    const [, compared] = comparable(of, than, context);
    const moment = sql`toDateTime64(${compared}, 3, ${literals.text(scope.project.timezone)})`;
    return sidesOf(operator).map((side) => ({ stored, side, moment }));
  });
};

/** True for a moment that is the same when it is computed twice. A number is left out, because it is compared in another way. */
const isSteady = (expression: Expression): boolean => {
  let steady = isConstant(expression) && expression.kind !== 'number' && expression.kind !== 'constant';
  walk(expression, (node) => {
    if (node.kind === 'query' || node.kind === 'exists' || node.kind === 'lambda') steady = false;
    if (node.kind === 'call')
      steady &&= steadyFunctions.has((node as unknown as CallExpression).name.text.toLowerCase());
    return steady;
  });
  return steady;
};

/**
 * Returns the tables that may skip rows which WHERE leaves out. A table on the optional side of an outer join may not: the
 * join would return a row of empty values for each row that is skipped.
 */
export const withoutEmptyRows = (
  first: TableInFrom | null,
  joins: readonly { readonly kind: JoinKind; readonly source: TableInFrom }[],
): readonly TableInFrom[] => {
  const kinds = joins.map(({ kind }) => kind);
  const isWhole = (from: number): boolean => kinds.slice(from).every((kind) => kind !== 'right' && kind !== 'full');
  const joined = joins.flatMap(({ kind, source }, at) =>
    kind !== 'left' && kind !== 'full' && isWhole(at + 1) ? [source] : [],
  );
  return first && isWhole(0) ? [first, ...joined] : joined;
};
