import { type Sql, join, sql } from '../../platform/clickhouse/sql.js';
import { type TimeBound } from '../tables/table.js';
import { type CallExpression, type Expression, type SqlOperator, type TextLiteral } from '../tree.js';
import { inner, type Context } from './context.js';
import { demandedSql } from './operators.sql.js';
import { isConstant } from './walk.js';

/** Functions that round a time down to the start of a span, by names in lower case, with the most days that they go back. */
const daysBack: Readonly<Record<string, number>> = {
  todate: 1,
  tostartofminute: 1,
  tostartoffiveminutes: 1,
  tostartoffifteenminutes: 1,
  tostartofhour: 1,
  tostartofday: 1,
  tostartofweek: 7,
  tomonday: 7,
  tostartofmonth: 31,
  tostartofquarter: 92,
  tostartofyear: 366,
};

/** The days that are added to each bound: zones differ by a little more than a day, and days around clock changes are longer. */
const slackDays = 2;

const mirrored: Partial<Record<SqlOperator, SqlOperator>> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Matches days that the engine's Date has, except the first and the last ones. */
const dayText = /^(19[789]\d|20\d\d)-\d\d-\d\d$/;
const firstDay = '1971-01-01';
const ofToday = new Set(['today', 'yesterday', 'curdate', 'current_date', 'now']);

/** A bound on a time of a table in FROM. */
export interface StoredBound extends TimeBound {
  readonly stored: Sql;
}

/** Writes the condition of WHERE together with the bounds of stored times that it implies. */
export const withImplied = (where: Expression, context: Context): Sql => {
  const written = conjunctsOf(where).map((condition) => demandedSql(condition, context));
  const implied = impliedBounds(where, context).map(
    ({ stored, side, moment }) => sql`${stored}${side === 'from' ? sql` >= ` : sql` <= `}${moment}`,
  );
  const [only, ...more] = [...written, ...implied];
  return only && more.length === 0 ? only : sql`(${join([...written, ...implied], sql` AND `)})`;
};

/**
 * Derives bounds of stored times from conditions such as `toDate(timestamp) >= '2024-03-01'`, because only such bounds use the
 * index. The conditions imply them, so they take no row away.
 */
export const impliedBounds = (where: Expression, context: Context): readonly StoredBound[] =>
  comparisonsIn(where).flatMap(({ operator, of, than }) => bounds(operator, of, than, context));

interface Comparison {
  readonly operator: SqlOperator;
  readonly of: Expression;
  readonly than: Expression;
}

/** Finds the comparisons that are true for every row that fulfils the condition; `a < b` is also returned as `b > a`. */
export const comparisonsIn = (where: Expression): readonly Comparison[] =>
  conjunctsOf(where).flatMap((condition): readonly Comparison[] => {
    if (condition.kind === 'between' && !condition.negated) {
      const { of, low, high } = condition;
      return [
        { operator: '>=', of, than: low },
        { operator: '<=', of, than: high },
      ];
    }
    if (condition.kind !== 'operation') return [];
    const [left, right] = condition.operands;
    const { operator } = condition;
    const other = mirrored[operator];
    if (!left || !right || !other) return [];
    return [
      { operator, of: left, than: right },
      { operator: other, of: right, than: left },
    ];
  });

const conjunctsOf = (condition: Expression): readonly Expression[] => {
  const found: Expression[] = [];
  const pending = [condition];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === 'operation' && next.operator === 'and') pending.push(...[...next.operands].reverse());
    else found.push(next);
  }
  return found;
};

/** The sides on which a comparison bounds a value. */
export const sidesOf = (operator: SqlOperator): readonly TimeBound['side'][] => [
  ...(operator.startsWith('<') ? [] : ['from' as const]),
  ...(operator.startsWith('>') ? [] : ['to' as const]),
];

const bounds = (operator: SqlOperator, of: Expression, than: Expression, context: Context): readonly StoredBound[] => {
  if (of.kind !== 'call' || !isDay(than)) return [];
  const days = daysBack[of.name.text.toLowerCase()];
  const stored = days === undefined ? null : storedIn(of, context);
  if (days === undefined || stored === null) return [];
  const { literals, scope } = context.statement;
  const day = sql`toDateTime64(${inner(than, context)}, 3, ${literals.text(scope.project.timezone)})`;
  const number = (digits: number) =>
    sql`toIntervalDay(${literals.number({ kind: 'number', digits: String(digits), at: of.at })})`;
  const moments = {
    from: () => sql`(${day} - ${number(slackDays)})`,
    to: () => sql`(${day} + ${number(days + slackDays)})`,
  };
  return sidesOf(operator).map((side) => ({ stored, side, moment: moments[side]() }));
};

/** Returns the stored time that is the argument of a function; null if it has another argument. */
const storedIn = ({ args, parameters, over }: CallExpression, context: Context): Sql | null => {
  const [time, ...more] = args;
  if (time?.kind !== 'name' || parameters.length > 0 || over || !more.every(isConstant)) return null;
  return context.expression(time, context).stored ?? null;
};

/** True for a constant that is surely a day or a moment; a number is not, because it may mean something else. */
const isDay = (expression: Expression): boolean => {
  switch (expression.kind) {
    case 'text':
      return isDayText(expression);
    case 'call': {
      const name = expression.name.text.toLowerCase();
      const [only, ...more] = expression.args;
      return ofToday.has(name) ? !only : name === 'todate' && only !== undefined && more.length === 0 && isDay(only);
    }
    case 'operation': {
      const [left, right] = expression.operands;
      const isSum = expression.operator === '-' || expression.operator === '+';
      return isSum && left !== undefined && isDay(left) && right?.kind === 'interval' && isConstant(right);
    }
    default:
      return false;
  }
};

const isDayText = ({ value }: TextLiteral): boolean => dayText.test(value) && value >= firstDay;
