import { booleanParam, jsonParam, choiceParam, textsParam } from '../../common/params/parameter.js';
import { parseFilters } from '../../filters/parse.js';
import { everything, type Filter } from '../../filters/filter.js';
import { readEntity } from '../asking/entity.js';
import { funnelDefinitionParameters } from '../funnel/funnel.parameters.js';

export const correlationTypes = ['events', 'properties', 'event_with_properties'] as const;

const names = (description: string, example: string) => textsParam({ description, example: [example], maxItems: 100 });

const readPropertyValues = (value: unknown, attr: string): Filter =>
  value === undefined
    ? everything
    : parseFilters(withoutGroupIndex(value), attr, { defaultType: 'person', allowed: ['person', 'cohort'] });

/** Clients send what a correlation of groups would need; of persons it is null. */
const withoutGroupIndex = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((leaf: unknown) => {
        if (typeof leaf !== 'object' || leaf === null || !('group_type_index' in leaf)) return leaf;
        const { group_type_index: index, ...rest } = leaf;
        return index === null ? rest : leaf;
      })
    : value;

export const correlationParameters = {
  ...funnelDefinitionParameters,
  funnel_correlation_type: choiceParam(correlationTypes, {
    description:
      'What is compared between those who converted and those who did not: events on the way, properties of persons, or properties of events on the way.',
    fallback: 'events',
    example: 'events',
  }),
  funnel_correlation_names: names(
    'properties: the keys; `$all` is every key that a person has (the 200 most common).',
    '$all',
  ),
  funnel_correlation_exclude_names: names('properties: keys to leave out.', 'email'),
  funnel_correlation_event_names: names(
    'event_with_properties: the events whose properties (the 200 commonest) are compared.',
    '$pageview',
  ),
  funnel_correlation_event_exclude_property_names: names('event_with_properties: keys to leave out.', '$current_url'),
  funnel_correlation_exclude_event_names: names(
    'events: events to leave out. The funnel’s own are left out anyway.',
    '$identify',
  ),
  funnel_correlation_person_entity: jsonParam(
    {
      description: 'Persons who did this on the way: `{"id":"activated"}`, with `properties` where wanted.',
      schema: { type: 'object', additionalProperties: true },
      example: { id: 'activated' },
    },
    (value, attr) => (value === undefined ? null : readEntity(value, attr)),
  ),
  funnel_correlation_property_values: jsonParam(
    {
      description: 'Persons who are like this: filters; an empty value is a missing property.',
      schema: { type: 'array', items: {} },
      example: [],
    },
    readPropertyValues,
  ),
  funnel_correlation_person_converted: booleanParam({
    description: 'true: of those who converted; false: of those who did not; both unless said.',
    example: true,
  }),
};
