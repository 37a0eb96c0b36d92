import { isUuid } from '../../platform/values/ids.js';
import { isTextOnly } from '../../filters/compile/operators.sql.js';
import { type Sql, join, sql } from '../../platform/clickhouse/sql.js';
import {
  type BetweenExpression,
  type Expression,
  type InExpression,
  type NameExpression,
  type OperationExpression,
  type SqlOperator,
  type TextLiteral,
} from '../tree.js';
import { type CompiledExpression, type CompiledQuery } from '../compiled.js';
import { fault, quoted } from '../fault.js';
import { inner, type Context } from './context.js';
import { besideNumeric, isProperty, asTextOf } from './numeric.sql.js';
import { isConstant } from './walk.js';

/** A property as a number; NULL if its value is not a number. */
export const asNumber = ({ sql: value, flavor }: CompiledExpression): Sql =>
  flavor === 'property' ? sql`toFloat64OrNull(${value})` : value;

/**
 * Reads a property as a number: a value that is stored as a number is read in this form, and others are taken from `parsed`.
 * Where rows are grouped, the property may be a key whose text alone is known, so only `parsed` is used.
 */
export const storedNumber = ({ storedAs }: CompiledExpression, parsed: Sql, context: Context): Sql => {
  if (!storedAs || !(context.inAggregate || context.clause === 'where')) return parsed;
  const [real, whole] = [storedAs('Float64'), storedAs('Int64')];
  return sql`multiIf(isNotNull(${real}), ${real}, isNotNull(${whole}), toFloat64(${whole}), ${parsed})`;
};

/**
 * Writes one of the conditions that WHERE joins by AND. A property that must equal a text which is no number is compared with
 * the stored text: values of other types give NULL instead of false, which means the same in WHERE.
 */
export const demandedSql = (condition: Expression, context: Context): Sql => {
  if (condition.kind === 'operation' && condition.operator === '=') {
    const [left, right] = condition.operands as readonly [Expression, Expression];
    const [property, literal] = right.kind === 'text' ? [left, right] : [right, left];
    if (literal.kind === 'text' && isTextOnly(literal.value)) {
      const { flavor, storedAs } = context.expression(property, context);
      if (flavor === 'property' && storedAs) return sql`(${storedAs('String')} = ${inner(literal, context)})`;
    }
  }
  return inner(condition, context);
};

const asTime = ({ statement }: Context, value: Sql): Sql =>
  sql`parseDateTime64BestEffortOrNull(${value}, 3, ${statement.literals.text(statement.scope.project.timezone)})`;

const signs: Partial<Record<SqlOperator, Sql>> = {
  or: sql` OR `,
  and: sql` AND `,
  '=': sql` = `,
  '!=': sql` != `,
  '<': sql` < `,
  '<=': sql` <= `,
  '>': sql` > `,
  '>=': sql` >= `,
  '+': sql` + `,
  '-': sql` - `,
  '*': sql` * `,
  '/': sql` / `,
  '%': sql` % `,
  '||': sql` || `,
};

const comparisons: ReadonlySet<SqlOperator> = new Set(['=', '!=', '<', '<=', '>', '>=']);
const arithmetic: ReadonlySet<SqlOperator> = new Set(['+', '-', '*', '/', '%']);

export const operationSql = (operation: OperationExpression, context: Context): CompiledExpression => {
  const { operator, operands } = operation;
  const [left, right] = operands as readonly [Expression, Expression];
  switch (operator) {
    case 'not':
      return { sql: sql`(NOT ${inner(left, context)})`, flavor: 'other' };
    case 'negate':
      return { sql: sql`(- ${asNumber(context.expression(left, context))})`, flavor: 'number' };
    case 'is null':
      return { sql: sql`isNull(${inner(left, context)})`, flavor: 'other' };
    case 'is not null':
      return { sql: sql`isNotNull(${inner(left, context)})`, flavor: 'other' };
    case 'xor':
      return { sql: sql`xor(${inner(left, context)}, ${inner(right, context)})`, flavor: 'other' };
    case 'same':
      return { sql: same(left, right, context), flavor: 'other' };
    case 'not same':
      return { sql: sql`(NOT ${same(left, right, context)})`, flavor: 'other' };
    case 'or':
    case 'and':
    case '||': {
      const parts = spine(operation, operator).map((part) => asTextOf(context.expression(part, context)));
      return { sql: sql`(${join(parts, signs[operator])})`, flavor: operator === '||' ? 'text' : 'other' };
    }
    default:
      if (comparisons.has(operator)) return { sql: comparedSql(operator, left, right, context), flavor: 'other' };
      return arithmeticSql(operation, context);
  }
};

/** Equal, or both NULL. */
const same = (left: Expression, right: Expression, context: Context): Sql => {
  const [a, b] = [context.expression(left, context), context.expression(right, context)];
  const isNumeric = a.flavor === 'numeric' || b.flavor === 'numeric';
  const [one, other] = isNumeric ? besideNumeric([left, a], [right, b], false) : [a.sql, b.sql];
  return sql`if(isNull(${one}) OR isNull(${other}), isNull(${one}) AND isNull(${other}), ifNull(${one} = ${other}, false))`;
};

/** Lists the operands of a chain such as `a OR b OR c`, to write it without brackets, because the engine limits their depth. */
const spine = (operation: OperationExpression, operator: SqlOperator): readonly Expression[] => {
  const parts: Expression[] = [];
  let next: Expression = operation;
  while (next.kind === 'operation' && next.operator === operator) {
    const [left, right] = next.operands as readonly [Expression, Expression];
    parts.unshift(right);
    next = left;
  }
  return [next, ...parts];
};

const arithmeticSql = (operation: OperationExpression, context: Context): CompiledExpression => {
  const { operator } = operation;
  const parts = operator === '+' || operator === '*' ? spine(operation, operator) : operation.operands;
  const compiled = parts.map((part) => context.expression(part, context));
  const isTime = compiled.some(({ flavor }) => flavor === 'time');
  const withInterval = parts.some(({ kind }) => kind === 'interval');
  const values = compiled.map((value) =>
    withInterval && isProperty(value)
      ? asTime(context, asTextOf(value))
      : arithmetic.has(operator)
        ? asNumber(value)
        : value.sql,
  );
  // The distance of two times is a number.
  const flavor = isTime && compiled.filter((one) => one.flavor === 'time').length === 1 ? 'time' : 'number';
  return { sql: sql`(${join(values, signs[operator])})`, flavor };
};

/** Both sides of a comparison, in a form in which the engine can compare them. */
export const comparable = (
  left: Expression,
  right: Expression,
  context: Context,
  isOrdered = false,
): readonly [Sql, Sql] => {
  const [a, b] = [context.expression(left, context), context.expression(right, context)];
  refuseUuid(left, a, right);
  refuseUuid(right, b, left);
  if (a.flavor === 'time') return timesOf(a, right, b, context);
  if (b.flavor === 'time') {
    const [second, first] = timesOf(b, left, a, context);
    return [first, second];
  }
  if (a.flavor === 'numeric' || b.flavor === 'numeric') return besideNumeric([left, a], [right, b], isOrdered);
  if (a.flavor === 'property') return [propertyBeside(a, right, b), asText(right, b)];
  if (b.flavor === 'property') return [asText(left, a), propertyBeside(b, left, a)];
  return [a.sql, b.sql];
};

/**
 * Refuses to compare a person's integer ID with a UUID, by which other products name persons: the comparison would be possible
 * as texts, and never true.
 */
const refuseUuid = (id: Expression, { flavor }: CompiledExpression, other: Expression): void => {
  if (id.kind !== 'name' || flavor !== 'number') return;
  const isOfUuid = other.kind === 'text' ? isUuid(other.value) : other.kind === 'name' && lastOf(other) === 'uuid';
  if (!isOfUuid) return;
  const name = id.parts.map(({ text }) => text).join('.');
  throw fault(
    `${quoted(name)} is an integer and no UUID: compare it with the column id of persons, or compare person.uuid with the UUID`,
    id.at,
  );
};

const lastOf = ({ parts }: NameExpression): string | undefined => parts.at(-1)?.text;

/** Matches a date whose order of day and month differs from country to country. */
const ambiguousDate = /^\s*\d{1,2}[/.]\d{1,2}[/.]\d{4}/;

const assertPlainDate = ({ value, at }: TextLiteral): void => {
  if (ambiguousDate.test(value))
    throw fault(`'${quoted(value)}' may begin with the day or with the month: write such a date as '2026-01-31'`, at);
};

const propertyBeside = (property: CompiledExpression, other: Expression, { flavor }: CompiledExpression): Sql =>
  flavor === 'number' && other.kind !== 'constant' ? asNumber(property) : property.sql;

/** Converts a boolean constant to text, because a property that is a boolean is the text `true` or `false`. */
const asText = (expression: Expression, compiled: CompiledExpression): Sql =>
  expression.kind === 'constant' && expression.value !== null ? sql`toString(${compiled.sql})` : compiled.sql;

/**
 * Returns both sides of a comparison with a time. In WHERE and ON a time is compared in its stored form, because only this
 * uses the index.
 */
const timesOf = (
  time: CompiledExpression,
  other: Expression,
  compiled: CompiledExpression,
  context: Context,
): readonly [Sql, Sql] => {
  const { literals, scope } = context.statement;
  const zone = sql`${literals.text(scope.project.timezone)}`;
  const isFilter = context.clause === 'where' || context.clause === 'on';
  const stored = isFilter ? (time.stored ?? time.sql) : time.sql;
  if (other.kind === 'text') assertPlainDate(other);
  if (other.kind === 'text') return [stored, sql`parseDateTime64BestEffort(${compiled.sql}, 3, ${zone})`];
  if (isProperty(compiled)) return [stored, asTime(context, asTextOf(compiled))];
  if (compiled.flavor === 'time') return [stored, isFilter ? (compiled.stored ?? compiled.sql) : compiled.sql];
  if (time.stored && isFilter && isConstant(other) && other.kind !== 'number')
    return [stored, sql`toDateTime64(${compiled.sql}, 3, ${zone})`];
  return [time.sql, compiled.sql];
};

export const comparedSql = (operator: SqlOperator, left: Expression, right: Expression, context: Context): Sql => {
  const [a, b] = comparable(left, right, context, operator !== '=' && operator !== '!=');
  return sql`(${a}${signs[operator] ?? sql` = `}${b})`;
};

export const betweenSql = ({ of, low, high, negated }: BetweenExpression, context: Context): CompiledExpression => {
  const within = sql`(${comparedSql('>=', of, low, context)} AND ${comparedSql('<=', of, high, context)})`;
  return { sql: negated ? sql`(NOT ${within})` : within, flavor: 'other' };
};

export const inSql = ({ of, among, negated }: InExpression, context: Context): CompiledExpression => {
  const value = context.expression(of, context);
  const test = negated ? sql`GLOBAL NOT IN` : sql`GLOBAL IN`;
  if ('kind' in among) {
    return { sql: sql`(${join(inQuery(value, context.query(among)), sql` ${test} `)})`, flavor: 'other' };
  }
  if (among.length === 0) return { sql: negated ? sql`true` : sql`false`, flavor: 'other' };
  if (value.flavor === 'time' || !among.every(isConstant)) return anyEqual(of, among, negated, context);
  const items = among.map((item) => context.expression(item, context));
  const isNumeric = isProperty(value) && items.every(({ flavor }) => flavor === 'number');
  const left = isNumeric ? asNumber(value) : asTextOf(value);
  const list = context.statement.literals.list(among);
  const texts =
    isProperty(value) && !isNumeric
      ? among.map((item, at) => asProperty(item, items[at] as CompiledExpression))
      : items.map((item) => item.sql);
  return { sql: sql`(${left} ${test} ${list ? sql`${list}` : sql`(${join(texts)})`})`, flavor: 'other' };
};

/** Gives one type to a value and to the rows of the query in which IN looks for the value. */
const inQuery = (value: CompiledExpression, { sql: rows, outputs }: CompiledQuery): readonly [Sql, Sql] => {
  const [only] = outputs;
  if (only?.flavor === 'numeric' && value.flavor !== 'numeric' && value.flavor !== 'number')
    return [value.sql, sql`(SELECT ${asTextOf(only)} FROM (${rows}))`];
  const isOfNumbers = only?.flavor === 'number' || only?.flavor === 'numeric';
  return [isOfNumbers ? value.sql : asTextOf(value), sql`(${rows})`];
};

const asProperty = (item: Expression, compiled: CompiledExpression): Sql =>
  (item.kind === 'constant' && item.value !== null) || compiled.flavor === 'number'
    ? sql`toString(${compiled.sql})`
    : compiled.sql;

const anyEqual = (
  of: Expression,
  among: readonly Expression[],
  negated: boolean,
  context: Context,
): CompiledExpression => {
  const equal = sql`(${join(
    among.map((item) => comparedSql('=', of, item, context)),
    sql` OR `,
  )})`;
  return { sql: negated ? sql`(NOT ${equal})` : equal, flavor: 'other' };
};
