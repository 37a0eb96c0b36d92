import { commonParameters, type Parameters } from '../asking/parameter-docs.js';
import { maxIntervals, retentionPeriods, retentionTypes } from './retention.query.js';

const entity = (description: string): Parameters[string] => ({
  description,
  schema: { type: 'object' },
  json: true,
  example: { id: '$pageview' },
});

/** The intervals are counted back from `date_to`. */
const withoutRange = Object.fromEntries(
  Object.entries(commonParameters).filter(([name]) => !['events', 'date_from', 'interval'].includes(name)),
);

export const retentionParameters: Parameters = {
  target_entity: entity('The event that persons begin with; `$pageview` by default.'),
  returning_entity: entity('What shows that they are back; the target unless said.'),
  period: {
    description: 'Length of an interval.',
    schema: { type: 'string', enum: [...retentionPeriods], default: 'Day' },
  },
  total_intervals: {
    description: 'How many intervals, the last being that of `date_to`.',
    schema: { type: 'integer', minimum: 1, maximum: maxIntervals, default: 11 },
  },
  retention_type: {
    description: 'recurring: every target event begins anew; first_time: only the first of all time does.',
    schema: { type: 'string', enum: [...retentionTypes], default: 'retention_recurring' },
  },
  minimum_occurrences: {
    description: 'So many returning events make an interval count.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  cumulative: {
    description: 'Counts who was back in an interval or any later one.',
    schema: { type: 'boolean', default: false },
  },
  selected_interval: {
    description: 'Persons of this row.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  ...withoutRange,
};
