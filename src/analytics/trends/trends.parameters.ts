import { required } from '../../platform/errors/problem.js';
import { type ReadEntity, maxEntities } from '../shared/entity.js';
import { maxExpressionLength } from '../../filters/reading/leaf.js';
import { field } from '../../platform/fields/field.js';
import { shortText } from '../shared/entity-fields.js';
import { listSchema, schemaNamed } from '../../platform/fields/schema.js';
import { breakdownParameters } from '../shared/breakdown.parameters.js';
import { commonParameters, eventsParameter, mathGroupTypeIndex } from '../shared/common.parameters.js';
import { comparedPeriods, comparisonParameters } from '../shared/comparison.js';
import { selectedSeriesParameters } from '../shared/selected-series.js';
import { maxFormulaLength } from './formula.js';

/** The functions that make one number of many. */
export const aggregates = ['sum', 'avg', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const;

export type Aggregate = (typeof aggregates)[number];

/** The meaning of the number at a point. */
export type Maths =
  /** The number of events. */
  | { readonly kind: 'total' }
  /** The number of persons. */
  | { readonly kind: 'dau' }
  /** The number of sessions, which SDKs name in `$session_id`. */
  | { readonly kind: 'session' }
  /**
   * The number of persons active in the last `days` days, up to and including the first day of the point. `reachSpans` has the
   * exact spans.
   */
  | { readonly kind: 'reach'; readonly days: number }
  /** The number of persons whose first such event ever is at the point: the first of the name, or the first that passes all filters. */
  | { readonly kind: 'first'; readonly of: 'name' | 'filters' }
  /** The aggregate of a numeric property of events. */
  | { readonly kind: 'property'; readonly aggregate: Aggregate; readonly key: string; readonly multiplier: number }
  /** The aggregate of the number of events of each person with at least one. */
  | { readonly kind: 'perActor'; readonly aggregate: Aggregate }
  /** An aggregate that the client wrote as an expression. */
  | { readonly kind: 'expression'; readonly text: string };

const plain: Readonly<Record<string, Maths>> = {
  total: { kind: 'total' },
  dau: { kind: 'dau' },
  unique_session: { kind: 'session' },
  weekly_active: { kind: 'reach', days: 7 },
  monthly_active: { kind: 'reach', days: 30 },
  first_time_for_user: { kind: 'first', of: 'name' },
  first_matching_event_for_user: { kind: 'first', of: 'filters' },
  unique_group: { kind: 'dau' },
};

const perActor = new Map<string, Maths>(
  aggregates
    .filter((aggregate) => aggregate !== 'sum')
    .map((aggregate) => [`${aggregate}_count_per_actor`, { kind: 'perActor', aggregate }]),
);

export const mathNames: readonly string[] = [...Object.keys(plain), ...aggregates, ...perActor.keys(), 'hogql'];

/** The fields that trends add to entities. */
export const mathFields = {
  math: field.choice(mathNames, { fallback: 'total', description: 'What is counted of it.' }),
  math_property: shortText('The property of which `math` makes a number.', 'price'),
  math_multiplier: field.any<number>({
    schema: { type: 'number' },
    rules: [
      {
        holds: (value) => typeof value === 'number' && Math.abs(value) <= 1e9,
        says: 'must be a number of at most 1e9',
      },
    ],
    description: 'Each number of the property times this one; other maths ignore it.',
    example: 100,
  }),
  math_group_type_index: mathGroupTypeIndex,
  math_hogql: field.text({
    max: maxExpressionLength,
    description: 'The aggregate of the math `hogql`, an expression of the SQL dialect.',
    example: 'sum(toFloat(properties.price))',
  }),
};

export const mathName = ({ fields, attr }: ReadEntity): string => mathFields.math.read(fields.math, `${attr}.math`);

export const readMath = (entity: ReadEntity): Maths => {
  const { fields, attr } = entity;
  const name = mathName(entity);
  const simple = Object.hasOwn(plain, name) ? plain[name] : perActor.get(name);
  if (simple) return simple;
  if (name === 'hogql') {
    const text = mathFields.math_hogql.read(fields.math_hogql, `${attr}.math_hogql`);
    if (text === null || text === '') throw required(`${attr}.math_hogql`);
    return { kind: 'expression', text };
  }
  const key = mathFields.math_property.read(fields.math_property, `${attr}.math_property`);
  if (key === null || key === '') throw required(`${attr}.math_property`);
  const multiplier = mathFields.math_multiplier.read(fields.math_multiplier, `${attr}.math_multiplier`) ?? 1;
  return { kind: 'property', aggregate: name as Aggregate, key, multiplier };
};

/** A number for each point, a running sum, or one number for the whole range. */
export type Display = 'points' | 'cumulative' | 'total';

export const displays = {
  ActionsLineGraph: 'points',
  ActionsLineGraphCumulative: 'cumulative',
  ActionsBar: 'points',
  ActionsAreaGraph: 'points',
  SmallMultiples: 'points',
  GrowthRate: 'points',
  ActionsBarValue: 'total',
  ActionsPie: 'total',
  ActionsTable: 'total',
  BoldNumber: 'total',
  WorldMap: 'total',
} as const satisfies Record<string, Display>;

export const trendsParameters = {
  ...commonParameters,
  events: eventsParameter({
    schema: listSchema(schemaNamed('TrendsEntity'), maxEntities),
    description: `The events to count, one series each: a list of \`{"id":"signed up","math":"dau"}\`. \`"id":null\` is any event; \`any_of\` in place of \`id\` matches if one of its parts does. \`math\`: ${mathNames.join(', ')}; aggregates of numbers need \`math_property\`. \`unique_group\` counts the groups of the type \`math_group_type_index\`, \`unique_session\` the different values of \`$session_id\` at each point, and \`hogql\` is the aggregate \`math_hogql\` of the SQL dialect. \`first_time_for_user\` counts persons whose first event of that name ever passes the filters, \`first_matching_event_for_user\` persons whose first event that passes them is at the point.`,
  }),
  actions: { ...commonParameters.actions, schema: listSchema(schemaNamed('TrendsNamedAction'), maxEntities) },
  ...breakdownParameters,
  formula: field.text({
    description:
      'Computes one series from the others, which are A, B, … in their order: numbers, + - * / and parentheses; x / 0 is 0. `count` is the formula of the counts of the series, so that it is a ratio where the points are ratios.',
    max: maxFormulaLength,
    example: 'A',
  }),
  display: field.choice(Object.keys(displays) as (keyof typeof displays)[], {
    description:
      'ActionsLineGraphCumulative adds up the points and counts each person once; ActionsBarValue, ActionsPie, ActionsTable, BoldNumber and WorldMap have one number for the whole range. The others have the same numbers, for different pictures.',
    fallback: 'ActionsLineGraph',
    example: 'ActionsLineGraph',
  }),
  ...comparisonParameters,
  smoothing_intervals: field.integer({
    description: 'Replaces each number by the mean of this many points up to its own.',
    min: 1,
    max: 28,
    fallback: 1,
    example: 1,
  }),
  ...selectedSeriesParameters,
  entity_math: field.choice(mathNames, { description: 'With `entity_id`: its math.' }),
  day: field.date({
    description: 'Only persons of the point that contains this date or moment; of all points by default.',
  }),
  compare_label: field.choice(comparedPeriods, {
    description: 'With `compare`: persons of the current or the previous range; without `day` the current one.',
  }),
};
