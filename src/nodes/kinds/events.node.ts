import { allOf, isEverything, type EventMatch } from '../../filters/reading/filter.js';
import { insightFilters } from '../../filters/reading/filter-fields.js';
import { testAccountFilters } from '../../filters/checks/test-account-filters.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { isUuid, readSmallId } from '../../platform/values/ids.js';
import { invalidInput, Problem, required } from '../../platform/errors/problem.js';
import { field } from '../../platform/fields/field.js';
import { isFields, readBoolean, readText, requireList, type Fields } from '../../platform/fields/values.js';
import { maxLimit, maxOffset } from '../../platform/http/page.dto.js';
import { requireDate } from '../../platform/time/dates.js';
import { startOfDay } from '../../platform/time/intervals.js';
import { withoutPosition } from '../../sql/ask/event-expressions.js';
import { type QueryInput } from '../../sql/ask/query-input.js';
import { entityNodes } from '../reading/entities.js';
import { becomes, refused, withoutEffect, type NodeShape } from '../reading/node-fields.js';
import { dataBasics, fixedProperties } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { readColumnExpression, readNodeOrderings, type LoneExpression } from './expressions.js';

const listFields = {
  properties: becomes('properties'),
  fixedProperties,
  limit: becomes('limit', `100 by default, ${maxLimit} at most`),
  orderBy: becomes('orderBy'),
} satisfies NodeShape;

export const eventsQuery: NodeShape = {
  ...dataBasics,
  ...listFields,
  select: becomes('select', '`*` and `person` are objects; all other columns are those of SQL'),
  where: becomes('where'),
  filterTestAccounts: becomes('filterTestAccounts'),
  event: becomes('event'),
  events: becomes('events'),
  offset: becomes('offset'),
  actionId: becomes('actionId'),
  actionSteps: refused('save an action, and name it in `actionId`'),
  personId: becomes('personId', 'the uuid, or the integer id'),
  before: becomes('before'),
  after: becomes('after', '`-24h` by default; `all` for all events'),
  source: refused('list the persons behind a number with an ActorsQuery'),
};

const ofSeries = 'belongs to series, not to lists of events';

/** The node in its old use as a list of events. */
export const eventsNodeList: NodeShape = {
  ...Object.fromEntries(Object.keys(entityNodes.EventsNode).map((name) => [name, withoutEffect(ofSeries)])),
  ...dataBasics,
  ...listFields,
  event: becomes('event'),
};

interface Column {
  readonly title: string;
  readonly parts: readonly LoneExpression[];
  /** The place in the node, which a refusal names. */
  readonly attr: string;
  /** The value in the answer, made of the values of the parts. */
  readonly show: (values: readonly unknown[]) => unknown;
  /** The type of the value; null for that of the only part. */
  readonly type: string | null;
}

/** A list of events as a question in SQL. */
export interface EventsQuestion {
  readonly input: QueryInput;
  readonly columns: readonly Column[];
  /** The place in the node from which each line of the text came. */
  readonly attrs: readonly string[];
  /** The text, if it is the whole question. */
  readonly hogql: string | null;
}

const plain = (text: string): LoneExpression => ({ text, isAggregate: false });

const objectOfParts = (names: readonly string[]) => (values: readonly unknown[]) =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));

const eventParts = ['uuid', 'event', 'properties', 'timestamp', 'distinct_id', 'person_id', 'received_at'];
const personParts = [
  'person.uuid',
  'person.created_at',
  'distinct_id',
  'person.properties.email',
  'person.properties.name',
];

const showEvent = (values: readonly unknown[]): Fields => {
  const { properties, received_at: created_at, ...event } = objectOfParts(eventParts)(values);
  return { ...event, properties: JSON.parse(readText(properties, 'select')) as unknown, created_at };
};

const showPerson = ([uuid, created_at, distinct_id, email, name]: readonly unknown[]): Fields => ({
  uuid: uuid ?? null,
  created_at: created_at ?? null,
  properties: { ...(email !== null && { email }), ...(name !== null && { name }) },
  distinct_id,
});

const columnOf = (sent: unknown, attr: string): Column => {
  const title = readText(sent, attr);
  if (title === '*') return { title, attr, parts: eventParts.map(plain), show: showEvent, type: 'Object' };
  if (title === 'person') return { title, attr, parts: personParts.map(plain), show: showPerson, type: 'Object' };
  const expression = title === 'created_at' ? plain('received_at') : readColumnExpression(sent, attr);
  return { title, attr, parts: [expression], show: ([value]) => value, type: null };
};

const maxColumns = 100;

const limits = {
  limit: field.integer({ min: 1, max: maxLimit, fallback: 100 }),
  offset: field.integer({ min: 0, max: maxOffset, fallback: 0 }),
};

export const readPageOfNode = ({ params }: Translation): { readonly limit: number; readonly offset: number } => ({
  limit: limits.limit.read(params.limit, 'limit'),
  offset: limits.offset.read(params.offset, 'offset'),
});

/** The moment as the dialect reads it, in UTC. */
const momentOf = (value: unknown, attr: string, project: ProjectContext, now: Date): string => {
  const { at, precision } = requireDate(readText(value, attr), attr, now, project);
  const isDay = precision === 'day' && /^\d/.test(String(value));
  return (isDay ? startOfDay(at) : at).toJSDate().toISOString().replace('T', ' ').replace('Z', '');
};

const filterKey = 'filters of the node';

/** Writes the question line by line, and remembers the place in the node of each line. */
class QuestionText {
  private readonly lines: string[] = [];
  readonly attrs: string[] = [];

  add(text: string, attr: string): void {
    for (const line of text.split('\n')) {
      this.lines.push(line);
      this.attrs.push(attr);
    }
  }

  get text(): string {
    return this.lines.join('\n');
  }
}

const listAt = (params: Fields, name: string, most: number): readonly unknown[] =>
  typeof params[name] === 'string' ? [params[name]] : requireList(params[name], name, most);

/** Writes the node as a question in SQL, whose values are placeholders. */
export const readEventsQuestion = (
  translation: Translation,
  attr: string,
  project: ProjectContext,
  now: Date,
): EventsQuestion => {
  const { params } = translation;
  const selected = listAt(params, 'select', maxColumns);
  if (selected.length === 0) throw required('select', 'it lists the columns, such as "*" or "event"');
  const columns = selected.map((one, at) => columnOf(one, `select.${at}`));
  const { written, others } = withoutExpressions(params.properties);
  const filter = allOf(
    insightFilters.read(others, 'properties'),
    ...(params.filterTestAccounts !== undefined && readBoolean(params.filterTestAccounts, 'filterTestAccounts')
      ? [testAccountFilters(project)]
      : []),
  );
  const matches = new Map<string, readonly EventMatch[]>();
  if (!isEverything(filter)) matches.set(filterKey, [{ event: null, filter }]);
  const conditions = readConditions(params, project, now, matches.size > 0);
  conditions.parts.push(...written);
  const isGrouped = columns.some(({ parts }) => parts.some(({ isAggregate }) => isAggregate));
  const question = new QuestionText();
  question.add('select', attr);
  let at = 0;
  const last = columns.at(-1)?.parts.at(-1);
  for (const column of columns)
    for (const part of column.parts)
      question.add(`(${part.text}) as column_${++at}${part === last ? '' : ','}`, column.attr);
  question.add('from events', attr);
  conditions.parts.forEach(({ text, attr: place }, index) =>
    question.add(`${index === 0 ? 'where' : 'and'} (${text})`, place),
  );
  if (isGrouped) question.add('group by all', attr);
  const orderings = orderingsOf(params, columns, isGrouped);
  orderings.forEach((entry, index) =>
    question.add(`${index === 0 ? 'order by' : ','} (${entry.text}) ${entry.direction}`, entry.attr),
  );
  const { text, attrs } = question;
  return {
    input: { text, values: conditions.values, attr, ...readPageOfNode(translation), format: 'json', matches },
    columns,
    attrs,
    hogql: matches.size === 0 && Object.keys(conditions.values).length === 0 ? text : null,
  };
};

interface Condition {
  readonly text: string;
  readonly attr: string;
}

/** Takes the filters that are expressions out of a list, because the question in SQL can have them as they are. */
const withoutExpressions = (sent: unknown): { readonly written: readonly Condition[]; readonly others: unknown } => {
  if (!Array.isArray(sent)) return { written: [], others: sent };
  const written: Condition[] = [];
  const others = (sent as readonly unknown[]).filter((one, at) => {
    if (!isFields(one) || one.type !== 'hogql') return true;
    const attr = `properties.${at}.key`;
    const { text } = readColumnExpression(one.key, attr);
    written.push({ text: one.negation === true ? `not (${text})` : text, attr });
    return false;
  });
  return { written, others };
};

interface Conditions {
  readonly parts: Condition[];
  readonly values: Record<string, unknown>;
}

const readConditions = (params: Fields, project: ProjectContext, now: Date, hasFilter: boolean): Conditions => {
  const values: Record<string, unknown> = {};
  const parts: { text: string; attr: string }[] = [];
  const has = (name: string): boolean => params[name] !== undefined && params[name] !== '';
  const after = has('after') ? params.after : '-24h';
  if (after !== 'all') {
    values.after = momentOf(after, 'after', project, now);
    parts.push({ text: "timestamp > toDateTime64({after}, 3, 'UTC')", attr: 'after' });
  }
  if (has('before')) {
    values.before = momentOf(params.before, 'before', project, now);
    parts.push({ text: "timestamp < toDateTime64({before}, 3, 'UTC')", attr: 'before' });
  }
  const names = [
    ...(has('event') ? [readText(params.event, 'event')] : []),
    ...listAt(params, 'events', 100).map((name, at) => readText(name, `events.${at}`)),
  ];
  if (names.length > 0) {
    values.events = names;
    parts.push({ text: 'event in {events}', attr: 'event' });
  }
  if (has('actionId')) {
    const id = readSmallId(params.actionId);
    if (id === null) throw invalidInput('actionId must be the id of an action', 'actionId');
    parts.push({ text: `matchesAction(${id})`, attr: 'actionId' });
  }
  if (has('personId')) parts.push(personCondition(params.personId, values));
  if (hasFilter) parts.push({ text: `matchesAction('${filterKey}')`, attr: 'properties' });
  listAt(params, 'where', 100).forEach((one, at) =>
    parts.push({ text: readColumnExpression(one, `where.${at}`).text, attr: `where.${at}` }),
  );
  return { parts, values };
};

const personCondition = (sent: unknown, values: Record<string, unknown>): { text: string; attr: string } => {
  const id = readText(sent, 'personId');
  const attr = 'personId';
  values.person = isUuid(id) ? id.toLowerCase() : readSmallId(sent);
  if (values.person === null) throw invalidInput('personId must be the uuid or the integer id of a person', attr);
  return { text: isUuid(id) ? 'toString(person.uuid) = {person}' : 'person_id = {person}', attr };
};

interface Ordered extends LoneExpression {
  readonly direction: 'asc' | 'desc';
  readonly attr: string;
}

/** Without an order of its own, a list begins with the latest event, or with the highest of its first aggregates. */
const orderingsOf = (params: Fields, columns: readonly Column[], isGrouped: boolean): readonly Ordered[] => {
  const named = new Map(
    columns.flatMap(({ parts }) => parts.flatMap((part) => (part.name ? [[part.name, part]] : []))),
  );
  const sent = listAt(params, 'orderBy', 20).flatMap((one, at) =>
    readNodeOrderings(one, `orderBy.${at}`).map((entry) => ({
      ...entry,
      text: named.get(entry.text)?.text ?? entry.text,
      attr: `orderBy.${at}`,
    })),
  );
  if (sent.length > 0) return sent;
  if (!isGrouped) return [{ ...plain('timestamp'), direction: 'desc', attr: 'orderBy' }];
  const aggregate = columns.flatMap(({ parts }) => parts).find((part) => part.isAggregate);
  return aggregate ? [{ ...aggregate, direction: 'desc', attr: 'orderBy' }] : [];
};

/** Names the expression of the node, instead of a line of the text that was made of it. */
export const locatedInNode = (error: unknown, { attrs, input }: EventsQuestion): unknown => {
  const line = error instanceof Problem ? Number(error.extra.line) : NaN;
  return withoutPosition(error, attrs[line - 1] ?? input.attr);
};

export interface SqlAnswer {
  readonly types: readonly (readonly string[])[];
  readonly results: readonly (readonly unknown[])[];
  readonly hasMore: boolean;
  readonly limit: number;
  readonly offset: number;
}

export const presentEvents = ({ columns, hogql }: EventsQuestion, answer: SqlAnswer): object => {
  const starts = columns.map((_, at) => columns.slice(0, at).reduce((sum, { parts }) => sum + parts.length, 0));
  return {
    columns: columns.map(({ title }) => title),
    types: columns.map(({ type }, at) => type ?? answer.types[starts[at] ?? 0]?.[1] ?? ''),
    results: answer.results.map((row) =>
      columns.map(({ show, parts }, at) => show(row.slice(starts[at], (starts[at] ?? 0) + parts.length))),
    ),
    hasMore: answer.hasMore,
    limit: answer.limit,
    offset: answer.offset,
    hogql,
  };
};
