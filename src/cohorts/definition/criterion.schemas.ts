import { integerSchema, schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { eventFilters } from '../../filters/reading/filter-fields.js';
import { countOperators, type Did } from './definition.js';
import {
  criteria,
  fieldsOfCriterion,
  ignoredCriterionKeys,
  maxEventLength,
  maxPeriods,
  mostEvents,
  mostUnits,
  occurrenceTypes,
} from './read-behaviour.js';
import { spanUnits } from './span.js';

const count = (description: string, most: number, example: number): Schema => ({
  ...integerSchema(1, most),
  description,
  example,
});

const units = (description: string): Schema => ({
  type: 'string',
  enum: [...spanUnits],
  description,
  example: 'day',
});

const eventOrAction = (description: string, example: string): Schema => ({
  anyOf: [{ type: 'string', minLength: 1, maxLength: maxEventLength }, { type: 'integer' }],
  description: `${description}: the name of an event, or the id of an action.`,
  example,
});

const typeOf = (key: string): Schema => ({
  type: 'string',
  enum: [...occurrenceTypes],
  default: 'events',
  description: `What \`${key}\` names.`,
});

const mostOfAnyUnit = Math.max(...Object.values(mostUnits));

const moment = (description: string, example: string): Schema => ({ type: 'string', description, example });

/** Every field that a criterion about events may have. */
const fields: Readonly<Record<string, Schema>> = {
  time_value: count('The length of the time until now, in `time_interval`.', mostOfAnyUnit, 30),
  time_interval: units('The unit of `time_value`.'),
  explicit_datetime: moment(
    'In place of `time_value` and `time_interval`: the beginning, an ISO date or a relative one such as `-7d`.',
    '2026-01-01',
  ),
  explicit_datetime_to: moment('With `explicit_datetime`: the end; now by default.', '2026-02-01'),
  operator: {
    type: 'string',
    enum: [...countOperators],
    default: 'eq',
    description: 'How the number of events is compared with `operator_value`; exactly without an operator.',
  },
  operator_value: count('A number of events.', mostEvents, 3),
  seq_time_value: count('In `seq_time_interval`: a length of time.', mostOfAnyUnit, 7),
  seq_time_interval: units('The unit of `seq_time_value`.'),
  seq_event: eventOrAction('The event that follows', 'paid'),
  seq_event_type: typeOf('seq_event'),
  seq_event_filters: { ...eventFilters.schema, description: 'Filters on the event that follows.' },
  min_periods: count('The number of periods in which it must have happened.', maxPeriods, 3),
  total_periods: count('The number of periods, each as long as `time_value`, counted back from now.', maxPeriods, 4),
};

/** Without these a criterion is refused; the others have a default, or can be written in another way. */
const requiredFields = [
  'operator_value',
  'seq_time_value',
  'seq_time_interval',
  'seq_event',
  'min_periods',
  'total_periods',
];

interface Meaning {
  readonly name: string;
  readonly description: string;
}

const meanings: Readonly<Record<Did['did'], Meaning>> = {
  performed_event: {
    name: 'PerformedEvent',
    description: 'The person did it at least once in the time.',
  },
  performed_event_multiple: {
    name: 'PerformedEventMultiple',
    description: 'The person did it as often as `operator` and `operator_value` say.',
  },
  performed_event_first_time: {
    name: 'PerformedEventFirstTime',
    description: 'The person did it for the first time ever in the time.',
  },
  performed_event_sequence: {
    name: 'PerformedEventSequence',
    description: 'The person did it, and then `seq_event` within `seq_time_value`.',
  },
  performed_event_regularly: {
    name: 'PerformedEventRegularly',
    description:
      'The person did it as often as `operator` and `operator_value` say in at least `min_periods` of `total_periods` periods.',
  },
  stopped_performing_event: {
    name: 'StoppedPerformingEvent',
    description: 'The person did it in the time, but not in its last part, `seq_time_value`.',
  },
  restarted_performing_event: {
    name: 'RestartedPerformingEvent',
    description: 'The person did it before the time and in its last part, `seq_time_value`, but not in between.',
  },
};

const criterionSchema = (did: Did['did']): Schema => {
  const own = fieldsOfCriterion[did];
  const always =
    did === 'performed_event_regularly' ? [...requiredFields, 'time_value', 'time_interval'] : requiredFields;
  return {
    type: 'object',
    description: `A criterion about events. ${meanings[did].description}`,
    properties: {
      type: { type: 'string', enum: ['behavioral'] },
      value: { type: 'string', enum: [did] },
      key: eventOrAction('What the person did', 'signed up'),
      event_type: typeOf('key'),
      event_filters: { ...eventFilters.schema, description: 'Only events that pass these filters count.' },
      ...Object.fromEntries(own.map((name) => [name, fields[name] ?? {}])),
      negation: { type: 'boolean', default: false, description: 'Inverts the criterion.' },
    },
    required: ['type', 'value', 'key', ...own.filter((name) => always.includes(name))],
    additionalProperties: false,
    'x-ignored': ignoredCriterionKeys,
    'x-null-is-absent': 'all',
  };
};

export const criterionSchemas: Schemas = {
  ...Object.fromEntries(criteria.map((did) => [meanings[did].name, criterionSchema(did)])),
  EventCriterion: {
    description: 'A criterion about the events of a person; `value` says which of the seven.',
    oneOf: criteria.map((did) => schemaNamed(meanings[did].name)),
    discriminator: {
      propertyName: 'value',
      mapping: Object.fromEntries(criteria.map((did) => [did, `#/components/schemas/${meanings[did].name}`])),
    },
  },
};
