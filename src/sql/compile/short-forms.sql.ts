import { eventScope, membersOf } from '../../filters/compile/compile.sql.js';
import { matchesEvent } from '../../filters/compile/event-match.sql.js';
import { type Sql, identifier, instant, join, sql } from '../../platform/clickhouse/sql.js';
import { unitOf } from '../check/units.js';
import { fault, quoted } from '../fault.js';
import { actorOf, queriedEvents } from '../tables/events.sql.js';
import { TableRows } from '../tables/table.js';
import { type CallExpression, type Expression, type Literal, type Unit } from '../tree.js';
import { cohortOf } from './cohorts.js';
import { storedNumber } from './operators.sql.js';
import { type CompiledExpression } from '../compiled.js';
import { inner, type Context } from './context.js';
import { isProperty, asTextOf } from './numeric.sql.js';

type ShortForm = (call: CallExpression, context: Context) => CompiledExpression | null;

const zoneOf = ({ statement }: Context): Sql => sql`${statement.literals.text(statement.scope.project.timezone)}`;

const assertArgs = (
  { name, args, parameters, over, distinct, ofRows }: CallExpression,
  numbers: readonly number[],
  form: string,
): void => {
  if (numbers.includes(args.length) && parameters.length === 0 && !over && !distinct && !ofRows) return;
  throw fault(`${name.text} is written as ${form}`, name.at);
};

/** The moment of the request, which is the same in the whole question and for each page of its answer. */
const now = (context: Context): Sql => sql`toDateTime(${instant(context.statement.scope.now)}, ${zoneOf(context)})`;

const clock =
  (write: (context: Context) => Sql, flavor: CompiledExpression['flavor']): ShortForm =>
  (call, context) => {
    assertArgs(call, [0], `${call.name.text}()`);
    return { sql: write(context), flavor };
  };

const castOrNull =
  (type: string): ShortForm =>
  (call, context) => {
    assertArgs(call, [1], `${call.name.text}(value)`);
    const [value] = call.args as readonly [Expression];
    const compiled = context.expression(value, context);
    const cast = sql`accurateCastOrNull(${compiled.sql}, ${context.statement.literals.text(type)})`;
    return { sql: type === 'Float64' ? storedNumber(compiled, cast, context) : cast, flavor: 'number' };
  };

export const intervalFunctions: Readonly<Record<Unit, Sql>> = {
  second: sql`toIntervalSecond`,
  minute: sql`toIntervalMinute`,
  hour: sql`toIntervalHour`,
  day: sql`toIntervalDay`,
  week: sql`toIntervalWeek`,
  month: sql`toIntervalMonth`,
  quarter: sql`toIntervalQuarter`,
  year: sql`toIntervalYear`,
};

/** The unit of a date function, which is a plain word or a text. */
const unitIn = (expression: Expression | undefined, call: CallExpression): Unit => {
  const text =
    expression?.kind === 'text'
      ? expression.value
      : expression?.kind === 'name' && expression.parts.length === 1
        ? (expression.parts[0]?.text ?? '')
        : '';
  const unit = unitOf(text);
  if (unit) return unit;
  throw fault(
    `${call.name.text} needs second, minute, hour, day, week, month, quarter or year${text === '' ? '' : `, not ${quoted(text)}`}`,
    expression?.at ?? call.name.at,
  );
};

const moved =
  (sign: Sql): ShortForm =>
  (call, context) => {
    assertArgs(call, [2, 3], `${call.name.text}(day, 1, time)`);
    if (call.args.length === 2) {
      const [time, interval] = call.args as readonly [Expression, Expression];
      const compiled = context.expression(time, context);
      return { sql: sql`(${compiled.sql}${sign}${inner(interval, context)})`, flavor: compiled.flavor };
    }
    const [unit, amount, time] = call.args as readonly [Expression, Expression, Expression];
    const compiled = context.expression(time, context);
    const interval = sql`${intervalFunctions[unitIn(unit, call)]}(${inner(amount, context)})`;
    return { sql: sql`(${compiled.sql}${sign}${interval})`, flavor: compiled.flavor };
  };

const difference =
  (name: string): ShortForm =>
  (call, context) => {
    assertArgs(call, [3], `${call.name.text}('day', from, to)`);
    const [unit, ...times] = call.args;
    const literal = sql`${context.statement.literals.text(unitIn(unit, call))}`;
    return {
      sql: sql`${identifier(name)}(${join([literal, ...times.map((time) => momentOf(time, context))])})`,
      flavor: 'number',
    };
  };

/** Parses a text or a property as a moment; other values stay unchanged. */
const momentOf = (expression: Expression, context: Context): Sql => {
  const value = context.expression(expression, context);
  if (!isProperty(value) && value.flavor !== 'text') return value.sql;
  return sql`parseDateTime64BestEffortOrNull(${asTextOf(value)}, 3, ${zoneOf(context)})`;
};

const ofProperty =
  (write: (moment: Sql) => Sql, flavor: CompiledExpression['flavor']): ShortForm =>
  (call, context) => {
    const [value, ...more] = call.args;
    if (!value || more.length > 0) return null;
    const compiled = context.expression(value, context);
    if (!isProperty(compiled)) return null;
    return { sql: write(momentOf(value, context)), flavor };
  };

const literalIn = (call: CallExpression, at: number, form: string): Literal => {
  const arg = call.args[at];
  if (arg?.kind === 'text' || arg?.kind === 'number') return arg;
  throw fault(`${call.name.text} is written as ${form}`, arg?.at ?? call.name.at);
};

const inCohort: ShortForm = (call, context) => {
  const form = "inCohort(person_id, 5) or inCohort(person_id, 'name')";
  assertArgs(call, [2], form);
  const [person] = call.args as readonly [Expression, Expression];
  return { sql: inCohortSql(person, literalIn(call, 1, form), false, context), flavor: 'other' };
};

export const inCohortSql = (person: Expression, named: Literal, negated: boolean, context: Context): Sql => {
  const { scope } = context.statement;
  const { id, groupType } = cohortOf(scope.cohorts, named);
  if (groupType !== null)
    throw fault(
      `Cohort ${id} has groups, not persons: compare a key with theirs, as in $group_${groupType} IN (SELECT key FROM cohort_groups WHERE cohort_id = ${id})`,
      named.at,
    );
  const { sql: of, flavor } = context.expression(person, context);
  // The engine would compare any text with the ids of persons, and find none.
  if (flavor !== 'number' && flavor !== 'other')
    throw fault(`IN COHORT is about a person: write person_id IN COHORT ${id}`, person.at);
  const test = negated ? sql`GLOBAL NOT IN` : sql`GLOBAL IN`;
  return sql`(${of} ${test} ${membersOf(scope.memberships, id, scope.projectId)})`;
};

const matchesAction: ShortForm = (call, context) => {
  const form = "matchesAction('name of the action')";
  assertArgs(call, [1], form);
  const action = literalIn(call, 0, form);
  const { statement } = context;
  const key = action.kind === 'text' ? action.value : action.kind === 'number' ? action.digits : '';
  const matches = statement.scope.actions.get(`${action.kind} ${key}`);
  if (!matches) throw fault(`There is no action ${quoted(key)} in this project`, action.at);
  const source = context.sources.all.find(({ rows }) => rows instanceof TableRows && rows.definition === queriedEvents);
  if (!(source?.rows instanceof TableRows)) throw fault('matchesAction needs the table events in FROM', call.name.at);
  const { projectId, project, now: moment, memberships } = statement.scope;
  const scope = eventScope({
    projectId,
    now: moment,
    timezone: project.timezone,
    actor: actorOf(statement),
    cohorts: memberships,
  });
  return source.rows.value(`action ${action.kind} ${key}`, {
    sql: matches.length === 0 ? sql`false` : matchesEvent(matches, scope),
    flavor: 'other',
    ofActor: true,
  });
};

/** Rounds a time down to the start of its week, which begins on the day that the project sets. */
const startOfWeek: ShortForm = (call, context) => {
  const [time, ...more] = call.args;
  if (!time || more.length > 0) return null;
  const mode = context.statement.scope.project.weekStartDay === 1 ? sql`1` : sql`0`;
  return { sql: sql`toStartOfWeek(${momentOf(time, context)}, ${mode})`, flavor: 'other' };
};

/** Functions that the engine does not have or to which the dialect gives another meaning, by names in lower case. */
const forms: Readonly<Record<string, ShortForm>> = {
  tofloat: castOrNull('Float64'),
  toint: castOrNull('Int64'),
  now: clock(now, 'time'),
  current_timestamp: clock(now, 'time'),
  localtimestamp: clock(now, 'time'),
  localtime: clock(now, 'time'),
  now64: clock((context) => sql`toDateTime64(${instant(context.statement.scope.now)}, 3, ${zoneOf(context)})`, 'time'),
  utctimestamp: clock((context) => sql`toDateTime(${instant(context.statement.scope.now)}, 'UTC')`, 'time'),
  utc_timestamp: clock((context) => sql`toDateTime(${instant(context.statement.scope.now)}, 'UTC')`, 'time'),
  today: clock((context) => sql`toDate(${now(context)})`, 'other'),
  curdate: clock((context) => sql`toDate(${now(context)})`, 'other'),
  current_date: clock((context) => sql`toDate(${now(context)})`, 'other'),
  yesterday: clock((context) => sql`(toDate(${now(context)}) - 1)`, 'other'),
  dateadd: moved(sql` + `),
  date_add: moved(sql` + `),
  timestampadd: moved(sql` + `),
  timestamp_add: moved(sql` + `),
  datesub: moved(sql` - `),
  date_sub: moved(sql` - `),
  timestampsub: moved(sql` - `),
  timestamp_sub: moved(sql` - `),
  datediff: difference('dateDiff'),
  date_diff: difference('dateDiff'),
  timestampdiff: difference('dateDiff'),
  timestamp_diff: difference('dateDiff'),
  age: difference('age'),
  todate: ofProperty((moment) => sql`toDate(${moment})`, 'other'),
  todatetime: ofProperty((moment) => moment, 'time'),
  tostartofweek: startOfWeek,
  incohort: inCohort,
  matchesaction: matchesAction,
};

/** The names that are not among the functions of the engine. */
export const shortForms: readonly string[] = ['toFloat', 'toInt', 'dateAdd', 'dateSub', 'inCohort', 'matchesAction'];

export const shortForm = (call: CallExpression, context: Context): CompiledExpression | null => {
  const name = call.name.text.toLowerCase();
  return Object.hasOwn(forms, name) ? (forms[name]?.(call, context) ?? null) : null;
};
