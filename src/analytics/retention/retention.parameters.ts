import { type Field } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { integerSchema, listSchema, schemaNamed } from '../../platform/fields/schema.js';
import { readInteger, requireList } from '../../platform/fields/values.js';
import { breakdownParameters } from '../shared/breakdown.parameters.js';
import { everyInsightParameters } from '../shared/common.parameters.js';
import { type NamedActions } from '../../filters/actions/action-lookup.js';
import { type Entity, readEntity } from '../shared/entity.js';

export const retentionPeriods = ['Hour', 'Day', 'Week', 'Month'] as const;
export const retentionTypes = [
  'retention_recurring',
  'retention_first_time',
  'retention_first_ever_occurrence',
  'recurring',
  'first_time',
  'first_ever_occurrence',
] as const;
export const timeWindowModes = ['strict_calendar_dates', '24_hour_windows'] as const;
export const meanCalculations = ['simple', 'weighted', 'none'] as const;

const maxBrackets = 30;
const maxBracket = 1000;

const readBrackets = (value: unknown, attr: string): readonly number[] | null => {
  const sizes = requireList(value, attr, maxBrackets, '[1, 3, 7]').map((size, at) =>
    readInteger(size, `${attr}.${at}`, { min: 1, max: maxBracket }),
  );
  return sizes.length === 0 ? null : sizes;
};

const entity = (description: string): Field<Entity | null, readonly [NamedActions]> =>
  field.json(
    { description, example: { id: '$pageview' }, schema: schemaNamed('Entity') },
    (value, attr, actions: NamedActions) => (value === undefined ? null : readEntity(value, attr, { actions })),
  );

/** The intervals of a question that names no number. */
export const usualIntervals = 11;

export const retentionParameters = {
  target_entity: entity('The event with which persons begin, or `{"id":7,"type":"actions"}`; `$pageview` by default.'),
  returning_entity: entity('The event with which persons come back, or an action; `$pageview` by default.'),
  period: field.choice(retentionPeriods, { description: 'Length of an interval.', fallback: 'Day' }),
  total_intervals: field.integer({
    description: 'Number of intervals; the last one contains `date_to`.',
    min: 1,
    max: 100,
    fallback: usualIntervals,
  }),
  retention_custom_brackets: field.json(
    {
      description:
        'Cells of several intervals, in place of one for each interval: with [1,3,7], a row has the interval in which persons began, the one after it, the 3 after that, and the next 7. A person who came back in any of them counts once. A row has the cells that begin in one of the intervals.',
      schema: listSchema(integerSchema(1, maxBracket), maxBrackets),
      example: [1, 3, 7],
    },
    readBrackets,
  ),
  retention_type: field.choice(retentionTypes, {
    description:
      'recurring: every target event begins anew; first_time: only the first event of all time that is a target event does; first_ever_occurrence: only the first event of all time with the name of the target event does, and only if it passes all filters.',
    fallback: 'retention_recurring',
  }),
  minimum_occurrences: field.integer({
    description: 'The number of returning events that makes an interval count.',
    min: 1,
    max: 1_000_000,
    fallback: 1,
  }),
  time_window_mode: field.choice(timeWindowModes, {
    description:
      '24_hour_windows: the cells of a row are as many hours, or days of 24 hours, after the first event with which the person began: 1 hour, 1, 7 or 30 days each; a person is in the row of that event alone. Not with `cumulative`, `minimum_occurrences` or a breakdown.',
    fallback: 'strict_calendar_dates',
    example: 'strict_calendar_dates',
  }),
  cumulative: field.boolean({
    description: 'Counts persons who came back in an interval or any later one.',
    fallback: false,
  }),
  mean_retention_calculation: field.choice(meanCalculations, {
    description:
      'How `mean` is computed: simple: every row counts the same; weighted: by the number of persons who began; none: no mean.',
    fallback: 'simple',
    example: 'simple',
  }),
  ...breakdownParameters,
  selected_interval: field.position({ description: 'Persons of this row.', fallback: 0 }),
  return_interval: field.position({
    description: 'Of the persons of the row only those of this cell: the index in the row, from 0.',
    fallback: 0,
  }),
  date_to: field.date({
    description:
      'ISO date, or relative such as `-7d`, in the project’s time zone. The last interval contains this date.',
    example: 'now',
  }),
  ...everyInsightParameters,
};
