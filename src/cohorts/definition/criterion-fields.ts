import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Field, type Parameters } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { integerSchema, schemaNamed, type Schemas } from '../../platform/fields/schema.js';
import { readInteger } from '../../platform/fields/values.js';
import { readDate } from '../../platform/time/dates.js';
import { groupTypeIndex } from '../../filters/reading/leaf.js';
import { eventFilters } from '../../filters/reading/filter-fields.js';
import { countables, countOperators, type Did } from './definition.js';
import { spanUnits, type SpanUnit } from './span.js';

/** As many units as reach further back than any event. */
export const mostUnits: Readonly<Record<SpanUnit, number>> = {
  minute: 100_000_000,
  hour: 2_000_000,
  day: 100_000,
  week: 20_000,
  month: 4_000,
  year: 300,
};

const mostOfAnyUnit = Math.max(...Object.values(mostUnits));
const mostEvents = 1_000_000_000;
const maxPeriods = 1000;
export const maxEventLength = 400;

/** A number, sent as a number or as text. The reader's `limit` depends on other fields. */
const count = (
  most: number,
  description: string,
  example: number,
): Field<number, readonly [limit?: number]> & { readonly required: true } => ({
  schema: integerSchema(1, most),
  description,
  example,
  required: true,
  read: (value, attr, limit = most) => {
    if (value === undefined || value === null || value === '') throw required(attr);
    return readInteger(typeof value === 'string' ? value.trim() : value, attr, { min: 1, max: limit });
  },
});

const units = (description: string) => field.choice(spanUnits, { description, example: 'day' });

const eventOrAction = (description: string, example: string): Field<unknown> => ({
  schema: { anyOf: [{ type: 'string', minLength: 1, maxLength: maxEventLength }, { type: 'integer' }] },
  description: `${description}: the name of an event, or the id of an action.`,
  example,
  required: true,
  read: (value, attr) => {
    if (value === undefined || value === null || value === '') throw required(attr);
    return value;
  },
});

/** The kind that a field names: an event or a saved action. */
const typeOf = (key: string) =>
  field.choice(['events', 'actions'], { fallback: 'events', description: `What \`${key}\` names.` });

const anyMoment = new Date('2024-01-01T00:00:00Z');

/** Stored as the received text, because a relative date means another moment at each calculation. */
const moment = (description: string, example: string): Field<string | null> => ({
  schema: { type: 'string' },
  description,
  example,
  read: (value, attr) => {
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'string' && readDate(value, anyMoment, { timezone: 'UTC', weekStartDay: 0 })) return value;
    throw invalidInput(`${attr} must be an ISO date or a relative one such as -7d`, attr);
  },
});

const common = {
  key: eventOrAction('What the person did', 'signed up'),
  event_type: typeOf('key'),
  negation: field.jsonBoolean({ fallback: false, description: 'Inverts the criterion.' }),
  event_filters: { ...eventFilters, description: 'Only events that pass these filters count.' },
  group_type_index: {
    ...groupTypeIndex({}),
    description:
      'A group of this type did it to which the person belongs: one of its events names the group. In a cohort of groups it is that of the cohort.',
  },
};

const span = {
  time_value: { ...count(mostOfAnyUnit, 'The length of the time until now, in `time_interval`.', 30), required: false },
  time_interval: units('The unit of `time_value`.'),
};

const window = {
  ...span,
  explicit_datetime: moment(
    'In place of `time_value` and `time_interval`: the beginning, an ISO date or a relative one such as `-7d`.',
    '2026-01-01',
  ),
  explicit_datetime_to: moment('With `explicit_datetime`: the end; now by default.', '2026-02-01'),
};

export const counted = {
  operator: field.choice(countOperators, {
    fallback: 'eq',
    description: 'How the number of events is compared with `operator_value`; exactly without an operator.',
  }),
  operator_value: count(mostEvents, 'A number of events.', 3),
};

const recent = {
  seq_time_value: count(mostOfAnyUnit, 'In `seq_time_interval`: a length of time.', 7),
  seq_time_interval: { ...units('The unit of `seq_time_value`.'), required: true },
};

const followed = {
  seq_event: eventOrAction('The event that follows', 'paid'),
  seq_event_type: typeOf('seq_event'),
  seq_event_filters: { ...eventFilters, description: 'Filters on the event that follows.' },
};

const periods = {
  min_periods: count(maxPeriods, 'The number of periods in which it must have happened.', 3),
  total_periods: count(maxPeriods, 'The number of periods, each as long as `time_value`, counted back from now.', 4),
};

const countOf = {
  count_of: field.choice(countables, {
    fallback: 'events',
    description:
      'What is counted: the events, or the persons who did them, for what a group did. Each person counts once, merged ones as one.',
    example: 'persons',
  }),
};

/** Every field that a criterion about events may have. */
export const criterionFields = { ...common, ...window, ...counted, ...countOf, ...recent, ...followed, ...periods };

interface Meaning {
  /** The name of the schema. */
  readonly name: string;
  readonly description: string;
  /** The fields that only this kind of criterion has. */
  readonly own: Parameters;
}

const always = <T>(one: T): T & { readonly required: true } => ({ ...one, required: true });

const meanings: Readonly<Record<Did['did'], Meaning>> = {
  performed_event: {
    name: 'PerformedEvent',
    description: 'The person did it at least once in the time.',
    own: window,
  },
  performed_event_multiple: {
    name: 'PerformedEventMultiple',
    description:
      'The person did it as often as `operator` and `operator_value` say; or as many persons of the group did it.',
    own: { ...window, ...counted, ...countOf },
  },
  performed_event_first_time: {
    name: 'PerformedEventFirstTime',
    description: 'The person did it for the first time ever in the time.',
    own: window,
  },
  performed_event_sequence: {
    name: 'PerformedEventSequence',
    description: 'The person did it, and then `seq_event` within `seq_time_value`.',
    own: { ...window, ...recent, ...followed },
  },
  performed_event_regularly: {
    name: 'PerformedEventRegularly',
    description:
      'The person did it as often as `operator` and `operator_value` say in at least `min_periods` of `total_periods` periods; or as many persons of the group did it in each.',
    own: {
      time_value: always(span.time_value),
      time_interval: always(span.time_interval),
      ...counted,
      ...countOf,
      ...periods,
    },
  },
  stopped_performing_event: {
    name: 'StoppedPerformingEvent',
    description: 'The person did it in the time, but not in its last part, `seq_time_value`.',
    own: { ...window, ...recent },
  },
  restarted_performing_event: {
    name: 'RestartedPerformingEvent',
    description: 'The person did it before the time and in its last part, `seq_time_value`, but not in between.',
    own: { ...window, ...recent },
  },
};

export const criteria = Object.keys(meanings) as Did['did'][];

const criterion = (did: Did['did']) => {
  const { key, ...others } = common;
  const declared = {
    type: field.choice(['behavioral'], { required: true }),
    key,
    value: field.choice([did], { required: true }),
    ...others,
    ...meanings[did].own,
  };
  return field.record(declared, {
    description: `A criterion about events. ${meanings[did].description}`,
    rule: `${did} has ${Object.keys(declared).join(', ')}`,
    // Clients of the reference product send these fields; they have no effect.
    ignored: ['label', 'bytecode', 'bytecode_error', 'conditionHash', 'days', 'sort_key'],
    nullIsAbsent: 'all',
  });
};

export const criterionRecords = Object.fromEntries(criteria.map((did) => [did, criterion(did)])) as Readonly<
  Record<Did['did'], ReturnType<typeof criterion>>
>;

export const criterionSchemas: Schemas = {
  ...Object.fromEntries(criteria.map((did) => [meanings[did].name, criterionRecords[did].schema])),
  EventCriterion: {
    description: 'A criterion about the events of a person or a group; `value` says which of the seven.',
    oneOf: criteria.map((did) => schemaNamed(meanings[did].name)),
    discriminator: {
      propertyName: 'value',
      mapping: Object.fromEntries(criteria.map((did) => [did, `#/components/schemas/${meanings[did].name}`])),
    },
  },
};
