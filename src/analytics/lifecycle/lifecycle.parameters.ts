import { dateParam, choiceParam } from '../../common/params/parameter.js';
import { commonParameters, eventsParameter } from '../asking/common.parameters.js';

/** What a person is at a point: active for the first time, still, again, or no longer. */
export const states = ['new', 'returning', 'resurrecting', 'dormant'] as const;

export const lifecycleParameters = {
  ...commonParameters,
  events: eventsParameter({ description: 'A list of one: what counts as being active; any event unless said.' }),
  lifecycle_type: choiceParam(states, { description: 'Persons in this state; in any unless said.' }),
  target_date: dateParam({ description: 'Persons at the point that this date lies in; at any point unless said.' }),
};
