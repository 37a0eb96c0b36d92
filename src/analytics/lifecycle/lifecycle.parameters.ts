import { field } from '../../platform/fields/field.js';
import { commonParameters, eventsParameter } from '../shared/common.parameters.js';

/** The states of a person at a point: active for the first time, still active, active again, no longer active. */
export const states = ['new', 'returning', 'resurrecting', 'dormant'] as const;

export const lifecycleParameters = {
  ...commonParameters,
  events: eventsParameter({
    description: 'A list of one, here or in `actions`: the event that makes a person active; any event by default.',
  }),
  lifecycle_type: field.choice(states, { description: 'Only persons in this state; in any state by default.' }),
  target_date: field.date({
    description: 'Only persons at the point that contains this date; at any point by default.',
  }),
};
