import { type Parameters } from '../asking/parameter-docs.js';
import { funnelDefinitionParameters } from '../funnel/funnel.parameters.js';
import { correlationTypes } from './correlation.query.js';

const names = { type: 'array' as const, items: { type: 'string' as const }, maxItems: 100 };

export const correlationParameters: Parameters = {
  ...funnelDefinitionParameters,
  funnel_correlation_type: {
    description:
      'What is compared between those who converted and those who did not: events on the way, properties of persons, or properties of events on the way.',
    schema: { type: 'string', enum: [...correlationTypes], default: 'events' },
    example: 'events',
  },
  funnel_correlation_names: {
    description: 'properties: the keys; `$all` is every key that a person has (the 200 most common).',
    schema: names,
    json: true,
    example: ['$all'],
  },
  funnel_correlation_exclude_names: {
    description: 'properties: keys to leave out.',
    schema: names,
    json: true,
    example: ['email'],
  },
  funnel_correlation_event_names: {
    description: 'event_with_properties: the events whose properties (the 200 commonest) are compared.',
    schema: names,
    json: true,
    example: ['$pageview'],
  },
  funnel_correlation_event_exclude_property_names: {
    description: 'event_with_properties: keys to leave out.',
    schema: names,
    json: true,
    example: ['$current_url'],
  },
  funnel_correlation_exclude_event_names: {
    description: 'events: events to leave out. The funnel’s own are left out anyway.',
    schema: names,
    json: true,
    example: ['$identify'],
  },
  funnel_correlation_person_entity: {
    description: 'Persons who did this on the way: `{"id":"activated"}`, with `properties` where wanted.',
    schema: { type: 'object', additionalProperties: true },
    json: true,
    example: { id: 'activated' },
  },
  funnel_correlation_property_values: {
    description: 'Persons who are like this: filters; an empty value is a missing property.',
    schema: { type: 'array', items: {} },
    json: true,
    example: [],
  },
  funnel_correlation_person_converted: {
    description: 'true: of those who converted; false: of those who did not; both unless said.',
    schema: { type: 'boolean' },
    example: true,
  },
};
