import { formats } from '../../platform/csv/format.dto.js';
import { maxLimit, maxOffset } from '../../platform/http/page.dto.js';
import { type Field } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { type Schema, listSchema, orElse, schemaNamed } from '../../platform/fields/schema.js';
import { type Interval, intervals } from '../../platform/time/intervals.js';
import {
  type DateRange,
  type RangeOptions,
  type TimeRange,
  defaultDateFrom,
  readRange,
} from '../../platform/time/range.js';
import { insightFilters } from '../../filters/reading/filter-fields.js';
import { filterLimits } from '../../filters/reading/filter-limits.js';
import { groupTypeIndex, maxPatternLength, maxTextLength } from '../../filters/reading/leaf.js';
import { type NamedActions } from '../../filters/actions/action-lookup.js';
import { type Filter, allOf, everything, maxAlternatives } from '../../filters/reading/filter.js';
import { type Entity, type ReadEntity, byOrder, maxEntities, readEntities } from './entity.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { testAccountFilters } from '../../filters/checks/test-account-filters.js';
import { type InsightDto } from './insight-page.dto.js';
import { type Params } from '../../filters/asking/questions.js';
import { type QuestionScope } from './question-scopes.js';
import { invalidInput, required } from '../../platform/errors/problem.js';

const count = (number: number): string => number.toLocaleString('en');

/** The limits on the sum of all lists of a question. */
const inAll = `All filters of a question together: at most ${count(filterLimits.filters)} filters (filters beside \`any_of\` count once for each part), ${count(filterLimits.values)} values (${count(filterLimits.comparisons)} with operators other than \`exact\` and \`is_not\`), ${count(filterLimits.patterns)} regular expressions and ${count(filterLimits.characters)} characters; each key and value has at most ${count(maxTextLength)} characters, a regular expression ${count(maxPatternLength)}.`;

interface EventsDoc {
  readonly description: string;
  readonly example?: unknown;
  /** The schema of the list. */
  readonly schema?: Schema;
}

/** The `events` of a question, sorted by `order`. */
export const eventsParameter = ({
  description,
  example = [{ id: '$pageview' }],
  schema = listSchema(schemaNamed('Entity'), maxEntities),
}: EventsDoc): Field<ReadEntity[], readonly [NamedActions]> =>
  field.json({ description, example, schema }, (value, attr, actions: NamedActions) =>
    readEntities(value, attr, { actions }),
  );

/** Parameters of every insight. */
export const everyInsightParameters = {
  properties: {
    ...insightFilters,
    description: `Filters that every event must pass: a list (all of which must hold) or a group. ${inAll}`,
    example: [],
  },
  aggregation_group_type_index: {
    ...groupTypeIndex({}),
    description:
      'Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups.',
  },
  filter_test_accounts: field.boolean({ description: 'Adds the project’s `test_account_filters`.', fallback: false }),
  search: field.text({
    description:
      'Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. ' +
      'Actors without a profile are found by their whole distinct id.',
    max: maxTextLength,
  }),
  include: field.choice(['insight', 'persons'], {
    description: 'Only one half of the answer: the `insight`, or the envelope of `persons`.',
  }),
  limit: field.integer({ description: 'Persons per page.', min: 1, max: maxLimit, fallback: 100 }),
  offset: field.integer({ description: 'Persons to skip.', min: 0, max: maxOffset, fallback: 0 }),
  format: field.choice(formats, {
    description:
      'csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON.',
    fallback: 'json',
  }),
};

/** Parameters of every insight with a time range from `date_from` to `date_to`. */
export const commonParameters = {
  events: eventsParameter({
    description:
      'The events to count: a list of `{"id":"signed up"}`. `"id":null` is any event; `any_of` in place of `id` matches if one of its parts does. Each event may have `name`, `order`, `properties` and the keys that the insight adds. ' +
      `At most ${maxAlternatives} events in all; each part of \`any_of\` counts.`,
  }),
  actions: field.json(
    {
      description:
        'Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event.',
      example: [],
      schema: listSchema(schemaNamed('NamedAction'), maxEntities),
    },
    (value, attr, actions: NamedActions, firstOrder: number) =>
      readEntities(value, attr, { actions, type: 'actions', firstOrder }),
  ),
  date_from: field.text({
    description: 'ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone.',
    fallback: defaultDateFrom,
    example: '-30d',
  }),
  date_to: field.text({ description: 'Like `date_from`; a date includes the whole day.', example: 'now' }),
  explicit_date: field.boolean({
    description:
      'Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now.',
    fallback: false,
  }),
  exclude_incomplete_periods: field.boolean({
    description: 'Leaves out intervals that are only in part in the range, and the one that is not over.',
    fallback: false,
    example: false,
  }),
  interval: field.choice(intervals, { description: 'Length of one point of the time axis.', fallback: 'day' }),
  ...everyInsightParameters,
};

/** The entity of a question that names no events. */
export const anyEvent: Entity = { name: 'All events', order: 0, parts: [{ event: null, filter: everything }] };

/** Clients of the reference product send it with all maths. */
export const mathGroupTypeIndex = {
  ...groupTypeIndex({}),
  schema: orElse(groupTypeIndex({}).schema, {}),
  description: 'The type of the groups that `unique_group` counts; other maths ignore it.',
};

/** The index of the type of the groups that the math `unique_group` counts; null with another math. */
export const readMathGroupType = ({ fields, attr }: ReadEntity): number | null => {
  if (fields.math !== 'unique_group') return null;
  const at = `${attr}.math_group_type_index`;
  const index = mathGroupTypeIndex.read(fields.math_group_type_index, at);
  if (index === null) throw required(at);
  return index;
};

/** The index of the type of the groups that the question counts; null: it counts persons. */
export const readGroupType = (params: Params): number | null =>
  params.reader(commonParameters)('aggregation_group_type_index');

/** The filter that every event must pass: `properties`, and on request the test-account filters of the project. */
export const readCommonFilter = (params: Params, project: ProjectContext): Filter => {
  const read = params.reader(commonParameters);
  const filter = read('properties');
  return read('filter_test_accounts') ? allOf(filter, testAccountFilters(project)) : filter;
};

/** The time range from `date_from` to `date_to`. */
export const readQuestionRange = (
  params: Params,
  interval: Interval,
  now: Date,
  project: ProjectContext,
  options?: RangeOptions,
): DateRange => {
  const read = params.reader(commonParameters);
  const [date_from, date_to] = [read('date_from'), read('date_to') ?? undefined];
  const [isExplicit, onlyComplete] = [read('explicit_date'), read('exclude_incomplete_periods')];
  return readRange({ date_from, date_to, isExplicit, onlyComplete }, interval, now, project, options);
};

export const insightHead = ({ project, asOf }: QuestionScope, { from, to }: TimeRange): InsightDto => ({
  date_from: from.toISOString(),
  date_to: to.toISOString(),
  timezone: project.timezone,
  as_of: asOf.toISOString(),
});

/** The entities of `events` and `actions` in one list, sorted by `order`. */
export const readEventsAndActions = (params: Params): ReadEntity[] => {
  const read = params.reader(commonParameters);
  const events = read('events', params.actions);
  const entities = [...events, ...read('actions', params.actions, events.length)];
  if (entities.length > maxEntities) {
    throw invalidInput(`events and actions must have at most ${maxEntities} entries together`, 'actions');
  }
  return entities.sort(byOrder);
};
