import { commonParameters, type Parameters } from '../asking/parameter-docs.js';
import { comparisons, stickinessPeriods } from './stickiness.query.js';

export const stickinessParameters: Parameters = {
  ...commonParameters,
  stickiness_criteria: {
    description: 'How many events make an interval count: `{"operator":"gte","value":2}`.',
    schema: {
      type: 'object',
      properties: { operator: { type: 'string', enum: [...comparisons] }, value: { type: 'integer', minimum: 1 } },
    },
    json: true,
    example: { operator: 'gte', value: 1 },
  },
  compare: { description: 'Adds the same series for the range before.', schema: { type: 'boolean', default: false } },
  stickiness_days: {
    description: 'Persons active on exactly so many intervals; all of them unless said.',
    schema: { type: 'integer', minimum: 1 },
  },
  compare_label: {
    description: 'With `compare`: persons of the current or the previous range.',
    schema: { type: 'string', enum: [...stickinessPeriods], default: 'current' },
    example: 'current',
  },
  series: { description: 'Whose persons: the series by its place.', schema: { type: 'integer', default: 0 } },
};
