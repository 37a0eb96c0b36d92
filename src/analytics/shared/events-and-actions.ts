import { invalidInput } from '../../platform/errors/problem.js';
import { commonParameters } from './common.parameters.js';
import { type ReadEntity, byOrder, maxEntities } from './entity.js';
import { type Params } from '../../filters/asking/questions.js';

/** The entities of `events` and `actions` in one list, sorted by `order`. */
export const readEventsAndActions = (params: Params): ReadEntity[] => {
  const read = params.reader(commonParameters);
  const events = read('events', params.actions);
  const entities = [...events, ...read('actions', params.actions, events.length)];
  if (entities.length > maxEntities) {
    throw invalidInput(`events and actions must have at most ${maxEntities} entries together`, 'actions');
  }
  return entities.sort(byOrder);
};
