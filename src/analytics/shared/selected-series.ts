import { invalidInput } from '../../platform/errors/problem.js';
import { field } from '../../platform/fields/field.js';
import { entityTypes, maxOrder, type EntityType } from './entity-fields.js';
import { type ReadEntity, readEntities } from './entity.js';
import { readEventsAndActions } from './common.parameters.js';
import { type Params } from '../../filters/asking/questions.js';

/** The parameters that select a series of the question, by its index or by its event. */
export const selectedSeriesParameters = {
  series: field.position({
    description: 'Only persons of the series at this index; the first by default.',
    example: 0,
  }),
  entity_id: field.text({
    description:
      'Only persons of the series with this event, or this action. Without `events` and `actions`, the question is about it.',
    example: '$pageview',
  }),
  entityId: field.text({ description: 'Another name of `entity_id`.' }),
  entity_type: field.choice(entityTypes, { description: 'With `entity_id`: what it names.' }),
  type: field.choice(entityTypes, { description: 'Another name of `entity_type`.' }),
  entity_order: field.integer({ description: 'With `entity_id`: its order.', min: 0, max: maxOrder }),
};

/** The math of entities, in insights that have one. */
export interface EntityMath {
  /** The math of the selected series; null if the request names none. */
  readonly selected: string | null;
  readonly nameOf: (entity: ReadEntity) => string;
}

interface Selected {
  readonly id: string;
  /** Null: an event, or an action with this id. */
  readonly type: EntityType | null;
}

const readSelected = (params: Params): Selected | null => {
  const read = params.reader(selectedSeriesParameters);
  // Both names of the type are read, because a wrong one would otherwise be ignored.
  const types = [read('entity_type'), read('type')];
  const id = read('entity_id') ?? read('entityId');
  return id === null ? null : { id, type: types[0] ?? types[1] ?? null };
};

/** `entity_id` without `events` and `actions` is a question about that event or action. */
export const readSeries = (params: Params, math?: EntityMath): ReadEntity[] => {
  const entities = readEventsAndActions(params);
  const selected = readSelected(params);
  if (entities.length > 0 || selected === null) return entities;
  const { id, type } = selected;
  const entity = { id, type, ...(math ? { math: math.selected ?? 'total' } : {}) };
  return readEntities([entity], type ?? 'events', { actions: params.actions });
};

const isNamed = ({ name, parts, action }: ReadEntity, { id, type }: Selected): boolean => {
  if (action !== null) return type !== 'events' && (String(action) === id || (type === null && name === id));
  return type !== 'actions' && (name === id || parts.some(({ event }) => event === id));
};

export const readSelectedSeries = (params: Params, entities: readonly ReadEntity[], math?: EntityMath): number => {
  const count = Math.max(1, entities.length);
  const read = params.reader(selectedSeriesParameters);
  const series = read('series', count - 1);
  const selected = readSelected(params);
  const order = read('entity_order');
  const mathName = math?.selected ?? null;
  if (series !== null || (selected === null && mathName === null && order === null)) return series ?? 0;
  const index = entities.findIndex(
    (entity) =>
      (selected === null || isNamed(entity, selected)) &&
      (order === null || entity.order === order) &&
      (mathName === null || math?.nameOf(entity) === mathName),
  );
  if (index >= 0) return index;
  const attr = selected === null ? (order === null ? 'entity_math' : 'entity_order') : 'entity_id';
  const others = math ? 'entity_math and entity_order' : 'entity_order';
  throw invalidInput(`${attr} must name one of the events or actions, together with ${others} if present`, attr);
};
