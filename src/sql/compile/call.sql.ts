import { type Sql, empty, identifier, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { fault, quoted } from '../fault.js';
import { type EngineFunction, findFunction, whyNoFunction } from '../functions/find-function.js';
import {
  type CallExpression,
  type Expression,
  type FrameEnd,
  type Named,
  type Ordering,
  type WindowClause,
} from '../tree.js';
import { type CompiledExpression, type Flavor } from '../compiled.js';
import { boundedArgs, insideLambda } from './bounded.sql.js';
import { inner, type Context } from './context.js';
import { ofOneType, asTextOf } from './numeric.sql.js';
import { asNumber, storedNumber } from './operators.sql.js';
import { shortForm, shortForms } from './short-forms.sql.js';

/** Functions of numbers: a property among their arguments is meant as a number. */
const ofNumbers =
  /^(sum|avg|quantiles?|median|stddev|var|skew|kurt|deltaSum|corr|covar|round|floor|ceil|ceiling|trunc|truncate|abs|sqrt|cbrt|pow|power|exp|ln|log|log2|log10|sign|intDiv|modulo|plus|minus|multiply|divide)(?=[A-Z_]|$)/;

/**
 * Functions of values of any type: a property that is always a number stays a number in them. All other functions get it as a
 * text.
 */
const ofValues =
  /^(min|max|arg_?min|arg_?max|any|any_?last|any_?heavy|any_value|first_value|last_value|nth_value|lag|lead|lagInFrame|leadInFrame|count|uniq|group(Uniq)?Array|group_concat|topK|assumeNotNull|toNullable|isNull|isNotNull|array|tuple|toString|toTypeName)(?=[A-Z_]|$)/i;

/** Functions that return one of several arguments, which must therefore have one type. */
const ofOneOfThem = /^(greatest|least|coalesce|ifNull|nullIf|if|multiIf)$/i;

/** Functions whose result is a moment. */
const ofTimes =
  /^(toDateTime(32|64)?|parseDateTime(32|64)?(BestEffort)?|toTimeZone|toTimezone|toStartOf(Second|Minute|FiveMinutes?|TenMinutes|FifteenMinutes|Hour|Day|Interval)|fromUnixTimestamp(64\w*)?|makeDateTime(64)?)$/;

/** Functions whose result has the flavor of their first argument, by their names in lower case. */
const withFlavorOfArgument = new Set([
  'any',
  'anylast',
  'min',
  'max',
  'argmin',
  'argmax',
  'first_value',
  'last_value',
  'lag',
  'lead',
  'coalesce',
  'ifnull',
  'assumenotnull',
  'tonullable',
  'laginframe',
  'leadinframe',
]);

const numericResults =
  /^(count|uniq|length|sum|avg|quantile|median|round|floor|ceil|abs|toInt|toUInt|toFloat|toHour|toYear|toMonth|toDayOf|dateDiff|toUnixTimestamp|intDiv)/i;

export const callSql = (call: CallExpression, context: Context): CompiledExpression => {
  const short = shortForm(call, context);
  if (short) return short;
  const { name } = call;
  const found = findFunction(name.text);
  if (!found) throw fault(whyNoFunction(quoted(name.text), shortForms), name.at);
  assertClause(call, found, context);
  const inside = found.kind === 'scalar' || call.over ? context : { ...context, inAggregate: true };
  const compiled = compiledArgs(call, found.name, inside);
  const { values, flavor } = argsOf(found.name, call.args, compiled, inside);
  const args = found.kind === 'scalar' ? boundedArgs(found.name, call.args, values, inside, call.name) : values;
  const parameters = call.parameters.map((parameter) => inner(parameter, context));
  return {
    sql: sql`${identifier(found.name)}${parameters.length > 0 ? sql`(${join(parameters)})` : empty}(${call.distinct ? sql`DISTINCT ` : empty}${join(args)})${nullsSql(call)}${overSql(call.over, context)}`,
    flavor: flavorOf(found, flavor),
  };
};

/** The arguments as the function needs them, and the flavor of the first one. */
const argsOf = (
  name: string,
  expressions: readonly Expression[],
  compiled: readonly CompiledExpression[],
  context: Context,
): { readonly values: readonly Sql[]; readonly flavor: Flavor | undefined } => {
  const flavor = compiled[0]?.flavor;
  if (ofNumbers.test(name)) return { values: compiled.map((one) => storedNumber(one, asNumber(one), context)), flavor };
  if (ofValues.test(name)) return { values: compiled.map((one) => one.sql), flavor };
  if (!ofOneOfThem.test(name)) return { values: compiled.map(asTextOf), flavor };
  const isCondition = (at: number): boolean => /^(if|multiIf)$/i.test(name) && at % 2 === 0 && at < compiled.length - 1;
  const returned = compiled.flatMap((_, at) => (isCondition(at) ? [] : [at]));
  const { isText, hasNumericProperty, values } = ofOneType(
    returned.map((at) => expressions[at] as Expression),
    returned.map((at) => compiled[at] as CompiledExpression),
    /^(greatest|least)$/i.test(name),
  );
  return {
    values: compiled.map((one, at) => (isCondition(at) ? one.sql : (values[returned.indexOf(at)] ?? one.sql))),
    flavor: isText && flavor === 'numeric' ? 'property' : hasNumericProperty && !isText ? 'numeric' : flavor,
  };
};

/** Compiles the arguments of a call; a lambda is compiled after the lists whose elements it gets. */
const compiledArgs = (call: CallExpression, name: string, context: Context): readonly CompiledExpression[] => {
  const [lambda, ...lists] = call.args;
  if (lambda?.kind !== 'lambda') return call.args.map((arg) => context.expression(arg, context));
  const compiled = lists.map((list) => context.expression(list, context));
  return [context.expression(lambda, insideLambda(name, lists, compiled, context)), ...compiled];
};

const flavorOf = ({ name }: EngineFunction, first: Flavor | undefined): Flavor => {
  if (ofTimes.test(name)) return 'time';
  if (withFlavorOfArgument.has(name.toLowerCase()) || (ofOneOfThem.test(name) && first === 'numeric'))
    return first ?? 'other';
  return numericResults.test(name) ? 'number' : 'other';
};

const assertClause = (call: CallExpression, { kind, name }: EngineFunction, { clause, inAggregate }: Context): void => {
  const { at } = call.name;
  if (kind === 'scalar' && call.over) throw fault(`${name} is not a function of many rows: remove OVER`, at);
  if (kind === 'scalar' && call.distinct) throw fault(`${name} is not a function of many rows: remove DISTINCT`, at);
  if (kind === 'window' && !call.over) throw fault(`${name} needs a window: ${name}() OVER (ORDER BY …)`, at);
  if (call.ofRows && !/^count(If|Distinct)?$/.test(name)) throw fault('* is an argument of count only', at);
  if (call.parameters.length > 0 && kind === 'scalar') throw fault(`${name} has one pair of brackets`, at);
  if (kind === 'scalar') return;
  const isWindow = call.over !== null;
  if (inAggregate && !isWindow) throw fault(`${name} is an aggregate inside of another one: use a sub-query`, at);
  if (clause === 'where' || clause === 'group by' || clause === 'on') {
    const where = clause.toUpperCase();
    throw fault(
      isWindow
        ? `${name} OVER is not allowed in ${where}: use a sub-query, or QUALIFY`
        : `${name} is an aggregate, which is not allowed in ${where}: use HAVING, or a sub-query`,
      at,
    );
  }
};

const nullsSql = ({ nulls }: CallExpression): Sql => {
  if (nulls === null) return empty;
  return nulls === 'ignore' ? sql` IGNORE NULLS` : sql` RESPECT NULLS`;
};

const overSql = (over: CallExpression['over'], context: Context): Sql => {
  if (over === null) return empty;
  if ('text' in over) return sql` OVER ${windowNamed(over, context)}`;
  return sql` OVER (${windowSql(over, context)})`;
};

const windowNamed = ({ text, at }: Named, { windows }: Context): Sql => {
  const name = windows.get(text);
  if (!name) throw fault(`There is no window ${quoted(text)}: define it with WINDOW ${quoted(text)} AS (…)`, at);
  return name;
};

export const windowSql = ({ base, partitionBy, orderBy, frame }: WindowClause, context: Context): Sql => {
  const parts: Sql[] = [];
  if (base) parts.push(windowNamed(base, context));
  if (partitionBy.length > 0) parts.push(sql`PARTITION BY ${join(partitionBy.map((one) => inner(one, context)))}`);
  if (orderBy.length > 0) parts.push(sql`ORDER BY ${orderingsSql(orderBy, (by) => inner(by, context))}`);
  if (frame) {
    const units = frame.units === 'rows' ? sql`ROWS` : sql`RANGE`;
    parts.push(
      frame.to
        ? sql`${units} BETWEEN ${frameSql(frame.from)} AND ${frameSql(frame.to)}`
        : sql`${units} ${frameSql(frame.from)}`,
    );
  }
  return join(parts, sql` `);
};

const frameSql = (end: FrameEnd): Sql => {
  switch (end.kind) {
    case 'current row':
      return sql`CURRENT ROW`;
    case 'unbounded preceding':
      return sql`UNBOUNDED PRECEDING`;
    case 'unbounded following':
      return sql`UNBOUNDED FOLLOWING`;
    case 'preceding':
      return sql`${numeral(end.rows)} PRECEDING`;
    case 'following':
      return sql`${numeral(end.rows)} FOLLOWING`;
  }
};

export const orderingsSql = (orderings: readonly Ordering[], by: (expression: Expression) => Sql): Sql =>
  join(
    orderings.map(({ by: expression, descending, nullsFirst }) => {
      const nulls = nullsFirst === null ? empty : nullsFirst ? sql` NULLS FIRST` : sql` NULLS LAST`;
      return sql`${by(expression)}${descending ? sql` DESC` : sql` ASC`}${nulls}`;
    }),
  );
