import { commonParameters, type Parameters } from '../asking/parameter-docs.js';
import { states } from './lifecycle.query.js';

export const lifecycleParameters: Parameters = {
  ...commonParameters,
  events: {
    ...(commonParameters.events as Parameters[string]),
    description: 'A list of one: what counts as being active; any event unless said.',
  },
  lifecycle_type: {
    description: 'Persons in this state; in any unless said.',
    schema: { type: 'string', enum: [...states] },
  },
  target_date: {
    description: 'Persons at the point that this date lies in; at any point unless said.',
    schema: { type: 'string' },
  },
};
