import { maxEntities } from '../asking/entity.js';
import { breakdownParameters, commonParameters, type Parameters } from '../asking/parameter-docs.js';
import { mathNames } from './math.js';
import { displays, comparedPeriods } from './trends.query.js';

export const trendsParameters: Parameters = {
  ...commonParameters,
  events: {
    ...commonParameters.events,
    description: `What is counted, a series each: a list of \`{"id":"signed up","math":"dau"}\`; \`"id":null\` is any event, \`any_of\` in place of \`id\` matches if one of its parts does. \`math\`: ${mathNames.join(', ')}; those of numbers need \`math_property\`. \`first_time_for_user\` counts persons whose first event of that name ever passes the filters.`,
    schema: { type: 'array', items: {}, maxItems: maxEntities },
  },
  ...breakdownParameters,
  formula: {
    description:
      'One series made of the others, which are A, B, … by their place: numbers, + - * / and parentheses; x / 0 is 0.',
    schema: { type: 'string', maxLength: 400 },
    example: 'A',
  },
  display: {
    description:
      'ActionsLineGraphCumulative adds up, each person once; ActionsBarValue, ActionsPie, ActionsTable, BoldNumber and WorldMap have one number for the whole range.',
    schema: { type: 'string', enum: Object.keys(displays), default: 'ActionsLineGraph' },
    example: 'ActionsLineGraph',
  },
  compare: {
    description: 'Adds the same series for the range before.',
    schema: { type: 'boolean', default: false },
    example: false,
  },
  smoothing_intervals: {
    description: 'Each number becomes the mean of so many points up to it.',
    schema: { type: 'integer', minimum: 1, maximum: 28, default: 1 },
    example: 1,
  },
  series: {
    description: 'Whose persons: the series by its place.',
    schema: { type: 'integer', minimum: 0, default: 0 },
    example: 0,
  },
  entity_id: {
    description: 'The same by the name of its event; without `events` it is the event.',
    schema: { type: 'string' },
    example: '$pageview',
  },
  entity_math: { description: 'With `entity_id`: its math.', schema: { type: 'string', enum: [...mathNames] } },
  entity_order: { description: 'With `entity_id`: its order.', schema: { type: 'integer', minimum: 0 } },
  day: {
    description: 'Persons of the point that this date or moment lies in; of all points unless said.',
    schema: { type: 'string' },
  },
  compare_label: {
    description: 'With `compare`: persons of the current or the previous range; without `day` the current one.',
    schema: { type: 'string', enum: [...comparedPeriods] },
  },
};
