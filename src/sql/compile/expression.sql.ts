import { type Sql, identifier, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { fault } from '../fault.js';
import { insideJson } from '../tables/properties.sql.js';
import {
  type CaseExpression,
  type CastExpression,
  type ElementExpression,
  type Expression,
  type LambdaExpression,
  type LikeExpression,
  type NameExpression,
  type Named,
} from '../tree.js';
import { boundedArgs, boundedParameter } from './bounded.sql.js';
import { callSql } from './call.sql.js';
import { type CompiledExpression } from '../compiled.js';
import { inner, type Context } from './context.js';
import { isProperty, ofOneType, asTextOf } from './numeric.sql.js';
import { betweenSql, comparedSql, inSql, operationSql } from './operators.sql.js';
import { inCohortSql, intervalFunctions } from './short-forms.sql.js';

export const expressionSql = (expression: Expression, context: Context): CompiledExpression => {
  if (!isLiteral(expression)) context.statement.grow({ selects: 0, expressions: 1 }, expression.at);
  switch (expression.kind) {
    case 'text':
    case 'number':
    case 'constant':
      return context.statement.literals.compile(expression);
    case 'name':
      return nameSql(expression, context);
    case 'array':
      return { sql: arraySql(expression.items, context), flavor: 'other' };
    case 'tuple':
      return { sql: sql`tuple(${join(expression.items.map((item) => inner(item, context)))})`, flavor: 'other' };
    case 'call':
      return callSql(expression, context);
    case 'lambda':
      return { sql: lambdaSql(expression, context), flavor: 'other' };
    case 'operation':
      return operationSql(expression, context);
    case 'between':
      return betweenSql(expression, context);
    case 'like':
      return { sql: likeSql(expression, context), flavor: 'other' };
    case 'in':
      return inSql(expression, context);
    case 'in cohort':
      return { sql: inCohortSql(expression.of, expression.cohort, expression.negated, context), flavor: 'other' };
    case 'case':
      return { sql: caseSql(expression, context), flavor: 'other' };
    case 'cast':
      return {
        sql: castSql(expression, context),
        flavor: /^(Nullable\()?DateTime/.test(expression.type.name) ? 'time' : 'other',
      };
    case 'interval':
      return { sql: sql`${intervalFunctions[expression.unit]}(${inner(expression.amount, context)})`, flavor: 'other' };
    case 'element':
      return elementSql(expression, context);
    case 'field':
      return {
        sql: sql`tupleElement(${inner(expression.of, context)}, ${numeral(expression.position)})`,
        flavor: 'other',
      };
    case 'query':
      return scalarSql(expression.query, context);
    case 'exists': {
      const count = sql`(SELECT count() FROM (SELECT 1 FROM (${context.query(expression.query).sql}) LIMIT 1))`;
      return { sql: expression.negated ? sql`(${count} = 0)` : sql`(${count} > 0)`, flavor: 'other' };
    }
  }
};

const isLiteral = ({ kind }: Expression): boolean => kind === 'text' || kind === 'number' || kind === 'constant';

const nameSql = (expression: NameExpression, context: Context): CompiledExpression => {
  const [only, ...more] = expression.parts;
  const parameter = only && more.length === 0 ? context.parameters.get(only.text) : undefined;
  if (parameter) return { sql: parameter, flavor: 'other' };
  const meant = context.resolve(expression, context);
  context.statement.meanings.set(expression, meant);
  if (meant.size) context.statement.grow({ selects: 0, expressions: meant.size }, expression.at);
  return meant;
};

const arraySql = (items: readonly Expression[], context: Context): Sql => {
  const list = context.statement.literals.list(items);
  return list ? sql`${list}` : sql`array(${join(alike(items, context))})`;
};

const alike = (expressions: readonly Expression[], context: Context): readonly Sql[] =>
  ofOneType(
    expressions,
    expressions.map((each) => context.expression(each, context)),
  ).values;

const lambdaSql = ({ parameters, body }: LambdaExpression, context: Context): Sql => {
  // Parameters are named by their depth, because an expression must be the same text for the engine in SELECT and in GROUP BY.
  const named = parameters.map(({ text }, at) => [text, identifier(`x${context.depth + at + 1}`)] as const);
  const inside = {
    ...context,
    parameters: new Map([
      ...context.parameters,
      ...named.map(([text, name]) => [text, boundedParameter(name, context)] as const),
    ]),
    depth: context.depth + parameters.length,
    lambdaOf: null,
  };
  return sql`((${join(named.map(([, name]) => name))}) -> ${inner(body, inside)})`;
};

const likeSql = ({ of, pattern, anyCase, negated }: LikeExpression, context: Context): Sql => {
  const name = anyCase ? 'ilike' : 'like';
  const texts = [of, pattern].map((one) => asTextOf(context.expression(one, context)));
  const test = sql`${identifier(name)}(${join(boundedArgs(name, [of, pattern], texts, context))})`;
  return negated ? sql`(NOT ${test})` : test;
};

const caseSql = ({ of, branches, otherwise }: CaseExpression, context: Context): Sql => {
  const values = alike([...branches.map(({ then }) => then), ...(otherwise ? [otherwise] : [])], context);
  const conditions = branches.map(({ when }) => (of ? comparedSql('=', of, when, context) : inner(when, context)));
  const parts = conditions.flatMap((condition, at) => [condition, values[at] ?? sql`NULL`]);
  return sql`multiIf(${join([...parts, values[branches.length] ?? sql`NULL`])})`;
};

/** A property can be absent, so its cast can be NULL. */
const castSql = ({ of, type }: CastExpression, context: Context): Sql => {
  const value = context.expression(of, context);
  const name = isProperty(value) && type.canBeNull ? `Nullable(${type.name})` : type.name;
  return sql`CAST(${asTextOf(value)}, ${context.statement.literals.text(name)})`;
};

/** Reads `properties['key']` as `properties.key`, and `properties.list[1]` as an element inside of the JSON. */
const elementSql = (expression: ElementExpression, context: Context): CompiledExpression => {
  const { of, key } = expression;
  const name = nameOf(expression);
  if (name && hasProperties(name)) return context.resolve(name, context);
  const value = context.expression(of, context);
  if (isProperty(value)) {
    return { sql: insideJson(asTextOf(value), [inner(key, context)]), flavor: 'property' };
  }
  return {
    sql: sql`arrayElement(${value.sql}, ${inner(key, context)})`,
    flavor: value.flavor === 'text' ? 'other' : value.flavor,
  };
};

const hasProperties = ({ parts }: NameExpression): boolean =>
  parts.slice(0, -1).some(({ text }) => text === 'properties');

/** Joins names and texts in brackets, such as `a.b['c']`, into one name; null for other expressions. */
const nameOf = (expression: Expression): NameExpression | null => {
  if (expression.kind === 'name') return expression;
  if (expression.kind !== 'element' || expression.key.kind !== 'text') return null;
  const name = nameOf(expression.of);
  const last: Named = { text: expression.key.value, at: expression.key.at };
  return name && { ...name, parts: [...name.parts, last] };
};

const scalarSql = (query: Parameters<Context['query']>[0], context: Context): CompiledExpression => {
  const { sql: statement, outputs } = context.query(query);
  const [only, ...more] = outputs;
  if (!only || more.length > 0)
    throw fault(`A SELECT that is one value needs one column: this one has ${outputs.length}`, query.at);
  const isNumber = only.flavor === 'numeric' || only.flavor === 'number';
  return { sql: sql`(${statement})`, flavor: isNumber ? only.flavor : 'other' };
};
