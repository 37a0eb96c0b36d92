import { formats } from '../../common/csv/format.js';
import { maxLimit, maxOffset } from '../../common/pagination/page-query.js';
import {
  booleanParam,
  integerParam,
  jsonParam,
  choiceParam,
  textParam,
  type Parameter,
} from '../../common/params/parameter.js';
import { intervals } from '../../common/time/intervals.js';
import { defaultDateFrom } from '../../common/time/range.js';
import { filterLimits } from '../../filters/filter-limits.js';
import { maxPatternLength, maxTextLength } from '../../filters/leaf-values.js';
import { maxAlternatives, maxEntities, readEntities, readEventFilter, type ReadEntity } from './entity.js';

const count = (number: number): string => number.toLocaleString('en');

/** What all lists of a question may come to together. */
const inAll = `All filters of a question together: at most ${count(filterLimits.filters)} filters (those around \`any_of\` counted for each part), ${count(filterLimits.values)} values (${count(filterLimits.comparisons)} where the operator is neither \`exact\` nor \`is_not\`), ${count(filterLimits.patterns)} regular expressions and ${count(filterLimits.characters)} characters; each key and value has at most ${count(maxTextLength)} characters, a regular expression ${count(maxPatternLength)}.`;

interface EventsDoc {
  readonly description: string;
  readonly example?: unknown;
}

/** The `events` of a question, sorted by their order. */
export const eventsParameter = ({ description, example = [{ id: '$pageview' }] }: EventsDoc): Parameter<ReadEntity[]> =>
  jsonParam({ description, example, schema: { type: 'array', items: {}, maxItems: maxEntities } }, (value, attr) =>
    readEntities(value, attr),
  );

/** Every insight takes them. */
export const everyInsightParameters = {
  properties: jsonParam(
    {
      description: `Filters that every event must pass: a list (all of them) or a group of them. ${inAll}`,
      schema: {},
      example: [],
    },
    readEventFilter,
  ),
  filter_test_accounts: booleanParam({ description: 'Adds the project’s `test_account_filters`.', fallback: false }),
  search: textParam({ description: 'Of the persons: e-mail or name contains it, or it is a distinct id.' }),
  include: choiceParam(['insight', 'persons'], {
    description: 'One half only: the `insight`, or the envelope of `persons`.',
  }),
  limit: integerParam({ description: 'Persons per page.', min: 1, max: maxLimit, fallback: 100 }),
  offset: integerParam({ description: 'Persons to skip.', min: 0, max: maxOffset, fallback: 0 }),
  format: choiceParam(formats, {
    description:
      'csv streams every person behind the answer. Of properties the 1,000 most frequent have columns; any others stand in the last column, `properties`, as JSON.',
    fallback: 'json',
  }),
};

/** Every insight takes them that has a range. */
export const commonParameters = {
  events: eventsParameter({
    description:
      'What is counted: a list of `{"id":"signed up"}`; `"id":null` is any event, `any_of` in place of `id` matches if one of its parts does. Each may have `name`, `order`, `properties` and what the insight adds. ' +
      `At most ${maxAlternatives} events in all, each part of \`any_of\` counted.`,
  }),
  date_from: textParam({
    description: 'ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone.',
    fallback: defaultDateFrom,
    example: '-30d',
  }),
  date_to: textParam({ description: 'Like `date_from`; a day is meant as a whole.', example: 'now' }),
  interval: choiceParam(intervals, { description: 'Length of a point.', fallback: 'day' }),
  ...everyInsightParameters,
};
