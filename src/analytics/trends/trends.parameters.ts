import { field } from '../../platform/fields/field.js';
import { listSchema, schemaNamed } from '../../platform/fields/schema.js';
import { breakdownParameters } from '../shared/breakdown.parameters.js';
import { commonParameters, eventsParameter } from '../shared/common.parameters.js';
import { maxEntities } from '../shared/entity.js';
import { comparedPeriods, comparisonParameters } from '../shared/comparison.js';
import { selectedSeriesParameters } from '../shared/selected-series.js';
import { maxFormulaLength } from './formula.js';
import { mathNames } from './math.js';

/** A number for each point, a running sum, or one for the whole range. */
export type Display = 'points' | 'cumulative' | 'total';

export const displays = {
  ActionsLineGraph: 'points',
  ActionsLineGraphCumulative: 'cumulative',
  ActionsBar: 'points',
  ActionsAreaGraph: 'points',
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
    description: `The events to count, one series each: a list of \`{"id":"signed up","math":"dau"}\`. \`"id":null\` is any event; \`any_of\` in place of \`id\` matches if one of its parts does. \`math\`: ${mathNames.join(', ')}; aggregates of numbers need \`math_property\`. \`first_time_for_user\` counts persons whose first event of that name ever passes the filters.`,
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
      'ActionsLineGraphCumulative adds up the points and counts each person once; ActionsBarValue, ActionsPie, ActionsTable, BoldNumber and WorldMap have one number for the whole range.',
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
