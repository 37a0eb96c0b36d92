import { field } from '../../platform/fields/field.js';
import { commonParameters } from '../shared/common.parameters.js';
import { comparedPeriodParameters, comparisonParameters } from '../shared/comparison.js';
import { selectedSeriesParameters } from '../shared/selected-series.js';

export const comparisons = ['exact', 'gte', 'lte'] as const;

const activeIntervals = (description: string) => field.integer({ description, min: 1, max: 10_000 });

export const stickinessParameters = {
  ...commonParameters,
  stickiness_criteria: field.parts(
    {
      operator: field.choice(comparisons, { description: 'The comparison of the number of events.', fallback: 'gte' }),
      value: field.integer({ description: 'A number of events.', min: 1, max: 1_000_000, fallback: 1 }),
    },
    {
      description: 'The number of events that makes an interval count: `{"operator":"gte","value":2}`.',
      example: { operator: 'gte', value: 1 },
    },
  ),
  interval_count: field.integer({
    description:
      'Counts by groups of this many intervals, from the first interval of the range on; the last group may be shorter.',
    min: 1,
    max: 1000,
    fallback: 1,
    example: 1,
  }),
  ...comparisonParameters,
  stickiness_days: activeIntervals(
    'Only persons active in exactly this many intervals, or groups of them; all persons by default.',
  ),
  selected_interval: activeIntervals('Another name of `stickiness_days`.'),
  stickiness_days_operator: field.choice(comparisons, {
    description: 'With `stickiness_days`: persons active in exactly, at least or at most that many.',
    fallback: 'exact',
    example: 'exact',
  }),
  ...comparedPeriodParameters,
  ...selectedSeriesParameters,
};
