import { field } from '../../platform/fields/field.js';
import { schemaNamed } from '../../platform/fields/schema.js';
import { internalEvents } from '../../kernel/event-log/internal-events.js';
import { actorFilters } from '../../filters/reading/filter-fields.js';
import { type Filter, everything } from '../../filters/reading/filter.js';
import { type NamedActions } from '../../filters/actions/action-lookup.js';
import { readEntity } from '../shared/entity.js';
import { funnelDefinitionParameters } from '../funnel/funnel.parameters.js';

export const correlationTypes = ['events', 'properties', 'event_with_properties'] as const;

const names = (description: string, example: string) => field.texts({ description, example: [example], maxItems: 100 });

const readPropertyValues = (value: unknown, attr: string): Filter =>
  value === undefined ? everything : actorFilters.read(value, attr);

export const correlationParameters = {
  ...funnelDefinitionParameters,
  funnel_correlation_type: field.choice(correlationTypes, {
    description:
      'What to compare between the persons who converted and those who did not: events between the first and the last step, properties of persons, or properties of those events.',
    fallback: 'events',
    example: 'events',
  }),
  funnel_correlation_names: names(
    'properties: the keys; `$all` means every key that persons have (the 200 most common).',
    '$all',
  ),
  funnel_correlation_exclude_names: names('properties: keys to leave out.', 'email'),
  funnel_correlation_event_names: names(
    'event_with_properties: the events whose properties (the 200 most common) are compared.',
    '$pageview',
  ),
  funnel_correlation_event_exclude_property_names: names('event_with_properties: keys to leave out.', '$current_url'),
  funnel_correlation_exclude_event_names: names(
    `events: events to leave out, in addition to the steps of the funnel and to ${internalEvents.join(', ')}.`,
    'logged out',
  ),
  funnel_correlation_person_entity: field.json(
    {
      description: 'Only persons with this event on the way: `{"id":"activated"}`, optionally with `properties`.',
      schema: schemaNamed('Entity'),
      example: { id: 'activated' },
    },
    (value, attr, actions: NamedActions) => (value === undefined ? null : readEntity(value, attr, { actions })),
  ),
  funnel_correlation_property_values: field.json(
    {
      description:
        'Only persons that pass these filters, or only groups in a question about groups; an empty value is a missing property.',
      schema: actorFilters.schema,
      example: [],
    },
    readPropertyValues,
  ),
  funnel_correlation_person_converted: field.boolean({
    description: 'true: only persons who converted; false: only persons who did not; both by default.',
    example: true,
  }),
};
