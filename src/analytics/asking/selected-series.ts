import { invalidInput } from '../../common/errors/problem.js';
import { choiceParam, integerParam, placeParam, textParam } from '../../common/params/parameter.js';
import { eventsParameter } from './common.parameters.js';
import { maxOrder, readEntities, type ReadEntity } from './entity.js';
import { type Params } from './question-params.js';

const entityTypes = ['events'] as const;

/** The parameters that select a series of the question, by its place or by its event. */
export const selectedSeriesParameters = {
  series: placeParam({ description: 'Only persons of the series at this place; the first by default.', example: 0 }),
  entity_id: textParam({
    description: 'Only persons of the series with this event. Without `events`, the question is about this event.',
    example: '$pageview',
  }),
  entityId: textParam({ description: 'Another name of `entity_id`.' }),
  entity_type: choiceParam(entityTypes, { description: 'With `entity_id`: what it names.' }),
  type: choiceParam(entityTypes, { description: 'Another name of `entity_type`.' }),
  entity_order: integerParam({ description: 'With `entity_id`: its order.', min: 0, max: maxOrder }),
};

/** The math of entities, in insights that have one. */
export interface EntityMath {
  /** The math of the selected series; null if the request names none. */
  readonly selected: string | null;
  readonly nameOf: (entity: ReadEntity) => string;
}

const declared = { events: eventsParameter({ description: '' }), ...selectedSeriesParameters };

const readId = (params: Params): string | null => {
  const read = params.reader(declared);
  // Both names of the type are read, because a wrong one would otherwise be ignored.
  read('entity_type');
  read('type');
  return read('entity_id') ?? read('entityId');
};

/** `entity_id` without `events` is a question about that event. */
export const readSeries = (params: Params, math?: EntityMath): ReadEntity[] => {
  const entities = params.reader(declared)('events');
  const id = readId(params);
  if (entities.length > 0 || id === null) return entities;
  return readEntities([{ id, ...(math ? { math: math.selected ?? 'total' } : {}) }], 'events');
};

export const readSelectedSeries = (params: Params, entities: readonly ReadEntity[], math?: EntityMath): number => {
  const count = Math.max(1, entities.length);
  const read = params.reader(declared);
  const series = read('series', count - 1);
  const id = readId(params);
  const order = read('entity_order');
  const mathName = math?.selected ?? null;
  if (series !== null || (id === null && mathName === null && order === null)) return series ?? 0;
  const index = entities.findIndex(
    (entity) =>
      (id === null || entity.name === id || entity.parts.some(({ event }) => event === id)) &&
      (order === null || entity.order === order) &&
      (mathName === null || math?.nameOf(entity) === mathName),
  );
  if (index >= 0) return index;
  const attr = id === null ? (order === null ? 'entity_math' : 'entity_order') : 'entity_id';
  const others = math ? 'entity_math and entity_order' : 'entity_order';
  throw invalidInput(`${attr} must name one of the events, together with ${others} if present`, attr);
};
