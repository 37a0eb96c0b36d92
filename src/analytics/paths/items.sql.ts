import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, empty, identifier, join, sql, text } from '../../platform/clickhouse/sql.js';
import { re2 } from '../../filters/compile/regex.sql.js';
import { eventNames, matchesEntity } from '../shared/entity.js';
import { eventSource, expressionOf, type QuestionScope } from '../shared/question-scopes.js';
import { type CleaningRule } from './paths.parameters.js';
import { type IncludedEvents, type ItemsQuery } from './paths.query.js';
import { type TimeRange } from '../../platform/time/range.js';

/** The events of the question, each with its actor, its time in milliseconds and its `item`. */
export const itemsSql = (q: ItemsQuery, range: TimeRange, scope: QuestionScope): Sql => {
  const { from, where, actor } = eventSource(scope, { range, names: namesOf(q), filter: q.filter });
  const steps = [sql`${rawItem(q.included, scope)}`, withoutSlash(column(0)), ...q.cleaning.map(cleaned)];
  const last = column(steps.length - 1);
  return sql`
    SELECT ${actor} AS actor, toUnixTimestamp64Milli(e.timestamp) AS at,
      ${join(steps.map((step, at) => sql`${step} AS ${column(at)}`))}, ${grouped(q.groupings, last)} AS item
    FROM ${from} WHERE ${where}${ofTypes(q.included)}${ofEntities(q, scope)}${notExcluded(q.excluded)}`;
};

/** Each rewrite of the item has a column of its own, which reads the column before. */
const column = (step: number): Sql => identifier(`item_${step}`);

const namesOf = ({ included, events }: ItemsQuery): readonly string[] | null => {
  const names = events.length === 0 ? null : eventNames(events);
  if (included === null || included.custom || included.expression !== null) return names;
  return names === null ? included.names : included.names.filter((name) => names.includes(name));
};

const ofTypes = (included: IncludedEvents | null): Sql => {
  if (included !== null && included.expression !== null) return sql` AND ${column(0)} != ''`;
  if (!included?.custom) return empty;
  const custom = sql`NOT startsWith(e.event, '$')`;
  return included.names.length === 0
    ? sql` AND ${custom}`
    : sql` AND (${custom} OR e.event IN (${join(included.names.map((name) => text(name)))}))`;
};

const ofEntities = ({ events }: ItemsQuery, scope: QuestionScope): Sql =>
  events.length === 0
    ? empty
    : sql` AND (${join(
        events.map((entity) => matchesEntity(entity, scope)),
        sql` OR `,
      )})`;

/** The address of a page, the name of a screen, otherwise the value of the expression or the name of the event. */
const rawItem = (included: IncludedEvents | null, scope: QuestionScope): Sql => {
  const expression = included?.expression ?? null;
  const other = expression === null ? sql`toString(e.event)` : expressionOf(scope, 'value', expression);
  const casesOf = (event: '$pageview' | '$screen', key: string): Sql[] => {
    const isIn = included === null || included.names.includes(event);
    const value = sql`ifNull(${propertyText(sql`e.properties`, key)}, '')`;
    return isIn ? [sql`e.event = ${text(event)}`, value] : [];
  };
  const cases = [...casesOf('$pageview', '$current_url'), ...casesOf('$screen', '$screen_name')];
  return cases.length === 0 ? other : sql`multiIf(${join(cases)}, ${other})`;
};

/** `/about/` becomes `/about`; the root `/` stays. */
const withoutSlash = (item: Sql): Sql =>
  sql`if(endsWith(${item}, '/') AND length(${item}) > 1, substring(${item}, 1, length(${item}) - 1), ${item})`;

const cleaned = ({ regex, alias }: CleaningRule, at: number): Sql =>
  sql`replaceRegexpAll(${column(at + 1)}, ${re2(regex)}, ${text(alias)})`;

/** Applies the rewrites to an empty text, so that ClickHouse checks them. */
export const cleaningCheckSql = (rules: readonly CleaningRule[]): Sql =>
  sql`SELECT [${join(rules.map(({ regex, alias }) => sql`replaceRegexpAll('', ${re2(regex)}, ${text(alias)})`))}] AS cleaned`;

const likeText = (pattern: string): string => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');

/** The last pattern that matches an item replaces the item. */
const grouped = (patterns: readonly string[], item: Sql): Sql => {
  if (patterns.length === 0) return item;
  const cases = patterns
    .toReversed()
    .map((pattern) => sql`${item} LIKE ${text(`%${likeText(pattern)}%`)}, ${text(pattern)}`);
  return sql`multiIf(${join(cases)}, ${item})`;
};

const notExcluded = (excluded: readonly string[]): Sql => {
  const literal = excluded.filter((pattern) => !pattern.includes('*'));
  const wild = excluded.filter((pattern) => pattern.includes('*'));
  const names = literal.length === 0 ? [] : [sql`item NOT IN (${join(literal.map((item) => text(item)))})`];
  const patterns = wild.map((pattern) => sql`item NOT LIKE ${text(likeText(pattern))}`);
  return join(
    [...names, ...patterns].map((condition) => sql` AND ${condition}`),
    empty,
  );
};
