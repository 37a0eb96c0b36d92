import { maxExpressionLength } from '../../filters/reading/leaf.js';
import { shortText } from '../shared/entity-fields.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { readText, requireFields, requireList } from '../../platform/fields/values.js';
import { type Field } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { listSchema, schemaNamed } from '../../platform/fields/schema.js';
import { presentationNames } from '../../platform/http/presentation-names.js';
import { commonParameters, eventsParameter } from '../shared/common.parameters.js';
import { funnelParameters, funnelShapeParameters, funnelStep } from '../funnel/funnel.parameters.js';
import { readPathKey, type PathKey } from './path-key.js';

export const itemTypes = ['$pageview', '$screen', 'custom_event', 'hogql'] as const;
const maxPatterns = 100;
const maxWeight = 1_000_000_000;
const maxItemLength = 4000;

type ItemType = (typeof itemTypes)[number];

const patterns = (description: string, example: string) =>
  field.texts({ description, example: [example], maxItems: maxPatterns, maxLength: maxItemLength });

const item = (description: string, example: string) => field.text({ description, example, max: maxItemLength });

const weight = (description: string, example: number) =>
  field.integer({ description, example, min: 0, max: maxWeight });

const pathKey = (description: string, example: string): Field<PathKey | null> => ({
  ...field.text({ description, example }),
  read: (value, attr) => (value === undefined ? null : readPathKey(readText(value, attr), attr)),
});

/** A rewrite of items. `attr` is the parameter that an error names if ClickHouse refuses the rewrite. */
export interface CleaningRule {
  readonly regex: string;
  readonly alias: string;
  readonly attr: string;
}

const pattern = shortText('An RE2 expression.', '\\?.*');

export const cleaningRule = field.record(
  {
    regex: { ...pattern, schema: { ...pattern.schema, minLength: 1 }, required: true },
    alias: shortText('What replaces a match.', ''),
  },
  {},
);

export const readCleaningRules = (value: unknown, attr: string): CleaningRule[] =>
  requireList(value, attr, maxPatterns).map((value, at) => {
    const path = `${attr}.${at}`;
    const read = cleaningRule.reader(value, path);
    const regex = read('regex');
    if (!regex) throw invalidInput(`${path}.regex must be a regular expression`, `${path}.regex`);
    return { regex, alias: read('alias') ?? '', attr: path };
  });

const typesOfItems = (declared: Field<string[]>): Field<ItemType[]> => ({
  ...declared,
  read: (value, attr) =>
    declared.read(value, attr).map((value, at) => {
      const type = itemTypes.find((known) => known === value);
      if (type !== undefined) return type;
      throw invalidInput(
        `${attr} must each be one of ${itemTypes.join(', ')}`,
        attr === 'path_type' ? attr : `${attr}.${at}`,
      );
    }),
});

/** The name of the schema of `funnel_filter`. */
export const funnelOfPaths = 'FunnelOfPaths';

/**
 * The names that `funnel_filter` may have, with those about presentation: clients of the reference product save them with a
 * funnel.
 */
const funnelNames = [...Object.keys(funnelParameters), ...presentationNames];

const funnelParts = { before_step: 'before', between_steps: 'between', after_step: 'after' } as const;

export type FunnelPart = (typeof funnelParts)[keyof typeof funnelParts];

/** Each name in the short form, and in the form of the reference product. */
const funnelPathNames = Object.keys(funnelParts).flatMap((name) => [name, `funnel_path_${name}`]);

export const funnelPartOf = (name: string): FunnelPart =>
  funnelParts[name.replace(/^funnel_path_/, '') as keyof typeof funnelParts];

export const pathsParameters = {
  ...commonParameters,
  events: eventsParameter({
    description:
      'Only these events become items: a list of `{"id":"signed up"}`. With `funnel_paths` the events are the steps of the funnel instead.',
    example: [],
  }),
  include_event_types: typesOfItems(
    patterns(
      'Which events become items: $pageview, $screen, custom_event (names that do not begin with $), hogql (all events, by `paths_hogql_expression`); all events by default.',
      '$pageview',
    ),
  ),
  path_type: {
    ...typesOfItems(patterns('One more of `include_event_types`.', '$pageview')),
    schema: { type: 'string', enum: [...itemTypes] },
    example: '$pageview',
  },
  paths_hogql_expression: field.text({
    description:
      'With the type `hogql`: the item of an event, an expression of the SQL dialect. An event without a value is no item.',
    max: maxExpressionLength,
    example: "concat(event, ' ', properties.plan)",
  }),
  include_custom_events: patterns('Names of further events that become items.', 'signed up'),
  custom_events: patterns('Another name of `include_custom_events`.', 'signed up'),
  exclude_events: patterns('Items to leave out; `*` stands for any text. Applied after grouping.', '*/admin*'),
  path_groupings: patterns(
    'An item that contains a pattern becomes the last such pattern; `*` stands for any text.',
    '/products/*',
  ),
  path_replacements: field.boolean({
    description: 'Applies the project’s `path_cleaning_filters`.',
    fallback: false,
    example: false,
  }),
  local_path_cleaning_filters: field.json(
    {
      description:
        'Regular expressions (RE2) whose matches in an item become the alias. Applied in order, after the rules of the project.',
      schema: listSchema(schemaNamed('CleaningRule'), maxPatterns),
      example: [{ regex: '\\?.*', alias: '' }],
    },
    readCleaningRules,
  ),
  start_point: item('Only paths with this item, from its first occurrence on.', '/'),
  end_point: item('Only paths with this item, up to its first occurrence: the last steps before the item.', '/pricing'),
  step_limit: field.integer({ description: 'Number of steps of a path.', min: 2, max: 20, fallback: 5, example: 5 }),
  edge_limit: field.integer({
    description: 'Number of edges: those of the highest `value`, without the ones that are not connected to a start.',
    min: 1,
    max: 1000,
    fallback: 50,
    example: 50,
  }),
  min_edge_weight: weight('Only edges with a `value` of at least this, connected to a start or not.', 2),
  max_edge_weight: weight('Only edges with a `value` of at most this, connected to a start or not.', 1000),
  path_start_key: pathKey('Only persons who continued from this step.', '1_signed up'),
  path_end_key: pathKey('Only persons who reached this step; with `path_start_key`, from there.', '2_signed up'),
  path_dropoff_key: pathKey(
    'Only persons whose path ends at this step; the other two keys are then ignored.',
    '1_signed up',
  ),
  funnel_paths: field.choice(funnelPathNames, {
    description:
      'Replaces sessions by the paths before or after a step of a funnel, as long as the window of the funnel, or between the step and the previous step.',
  }),
  funnel_filter: field.json(
    {
      description: 'The funnel, as an object with its parameters. Values here replace the parameters of the question.',
      schema: schemaNamed(funnelOfPaths),
      example: { events: [{ id: '$pageview' }, { id: 'signed up' }], funnel_window_interval: 7 },
    },
    (value, attr) => (value === undefined ? null : requireFields(value, attr, funnelNames)),
  ),
  funnel_step: funnelStep(
    'n: paths of persons who reached step n of the funnel; -n: of persons who took all steps before step n, but not step n.',
  ),
  funnel_custom_steps: funnelParameters.funnel_custom_steps,
  ...funnelShapeParameters,
};
