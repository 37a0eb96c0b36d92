import { maxEntities } from '../asking/entity.js';
import { commonParameters, type Parameter, type Parameters } from '../asking/parameter-docs.js';
import { funnelDefinitionParameters } from '../funnel/funnel.parameters.js';
import { funnelPathNames } from './funnel-paths.js';
import { itemTypes, maxEdgeLimit, maxPatterns, maxStepLimit } from './paths.query.js';

const texts = (description: string, example: readonly string[], maxItems = maxPatterns): Parameter => ({
  description,
  schema: { type: 'array', items: { type: 'string' }, maxItems },
  json: true,
  example,
});

const text = (description: string, example: string): Parameter => ({
  description,
  schema: { type: 'string' },
  example,
});

const number = (description: string, schema: object, example: number): Parameter => ({
  description,
  schema: { type: 'integer', ...schema },
  example,
});

/** What is the funnel’s alone. */
const funnelOnly: Parameters = Object.fromEntries(
  Object.entries(funnelDefinitionParameters).filter(([name]) => !(name in commonParameters)),
);

export const pathsParameters: Parameters = {
  ...commonParameters,
  events: {
    description:
      'Only these events become items: a list of `{"id":"signed up"}`. With `funnel_paths` they are the steps of the funnel instead.',
    schema: { type: 'array', items: {}, maxItems: maxEntities },
    json: true,
    example: [],
  },
  include_event_types: texts(
    `Which events become items: ${itemTypes.join(', ')} (names that do not begin with $); all events unless said.`,
    ['$pageview'],
  ),
  path_type: {
    description: 'One more of `include_event_types`.',
    schema: { type: 'string', enum: [...itemTypes] },
    example: '$pageview',
  },
  include_custom_events: texts('Names of single events that become items, too.', ['signed up']),
  custom_events: texts('The same.', ['signed up']),
  exclude_events: texts('Items that are left out, `*` standing for anything; looked at after grouping.', ['*/admin*']),
  path_groupings: texts('Items that contain a pattern, `*` standing for anything, become the last such pattern.', [
    '/products/*',
  ]),
  path_replacements: {
    description: 'Applies the project’s `path_cleaning_filters`.',
    schema: { type: 'boolean', default: false },
    example: false,
  },
  local_path_cleaning_filters: {
    description:
      'Regular expressions (RE2) whose finds in an item become the alias, one after the other, behind the project’s.',
    schema: {
      type: 'array',
      items: { type: 'object', properties: { regex: { type: 'string' }, alias: { type: 'string' } } },
      maxItems: maxPatterns,
    },
    json: true,
    example: [{ regex: '\\?.*', alias: '' }],
  },
  start_point: text('Only paths with this item, from its first time on.', '/'),
  end_point: text('Only paths with this item, up to its first time: the last steps before it.', '/pricing'),
  step_limit: number('Steps of a path.', { minimum: 2, maximum: maxStepLimit, default: 5 }, 5),
  edge_limit: number(
    'The heaviest so many edges, of these only what is connected to a start.',
    { minimum: 1, maximum: maxEdgeLimit, default: 50 },
    50,
  ),
  min_edge_weight: number('Only edges of so many persons or more, connected to a start or not.', { minimum: 0 }, 2),
  max_edge_weight: number('Only edges of so many persons or fewer, connected to a start or not.', { minimum: 0 }, 1000),
  path_start_key: text('Persons who went on from this place.', '1_signed up'),
  path_end_key: text('Persons who came to this place, with `path_start_key` from there.', '2_signed up'),
  path_dropoff_key: text('Persons whose path ends in this place; the other two keys then say nothing.', '1_signed up'),
  funnel_paths: {
    description:
      'Paths before or after a step of a funnel, as long as its window, or between the step and the one before, in place of sessions.',
    schema: { type: 'string', enum: [...funnelPathNames] },
  },
  funnel_filter: {
    description: 'The funnel, where its parameters are not given beside it.',
    schema: { type: 'object' },
    json: true,
    example: { events: [{ id: '$pageview' }, { id: 'signed up' }], funnel_window_interval: 7 },
  },
  funnel_step: number(
    'Of the funnel: those who reached step n; −n: who took all steps before it and not this one.',
    { default: 1 },
    1,
  ),
  ...funnelOnly,
};
