import { type Question } from '../../address/search';
import { completeFilter, readFilter, type FilterGroup } from '../../filters/filter';

/** An event, any event (an id of null) or a saved action, which a series counts or a step waits for. */
export interface Entity {
  readonly type: 'events' | 'actions';
  readonly id: string | number | null;
  readonly name?: string;
  readonly math?: string;
  readonly math_property?: string;
  /** With the math `unique_group`: the index of the type of the accounts that are counted. */
  readonly math_group_type_index?: number;
  readonly properties?: FilterGroup;
  /** Several events as one; the page keeps them as they are. */
  readonly any_of?: unknown;
}

export const anyEvent: Entity = { type: 'events', id: null };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A list in the address: of entities, or of names. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

const read = (value: unknown, type: Entity['type'], index: number): [Entity, number] => {
  if (!isObject(value)) return [{ type, id: type === 'actions' ? Number(value) : String(value) }, index];
  const { order, custom_name, ...fields } = value;
  const filters = value.properties;
  const entity = {
    name: custom_name,
    ...fields,
    type: value.type === 'actions' ? 'actions' : type,
    id: value.id ?? null,
    properties: Array.isArray(filters) ? { type: 'AND', values: filters } : filters,
  } as Entity;
  return [entity, typeof order === 'number' ? order : index];
};

/** The events and actions of the question in their order. */
export const readEntities = (question: Question): Entity[] => {
  const events = listOf(question.events);
  return [
    ...events.map((value, index) => read(value, 'events', index)),
    ...listOf(question.actions).map((value, index) => read(value, 'actions', events.length + index)),
  ]
    .sort(([, a], [, b]) => a - b)
    .map(([entity]) => entity);
};

/** A single event or action, as `target_entity` has it. */
export const readEntity = (value: unknown): Entity | null => (isObject(value) ? read(value, 'events', 0)[0] : null);

const filterOf = (properties: FilterGroup | undefined): FilterGroup | undefined => {
  const filter = completeFilter(readFilter(properties));
  return filter.values.length === 0 ? undefined : filter;
};

/** As a request sends it: without what is still being written. */
export const entityParam = ({ any_of, id, properties, ...entity }: Entity): Record<string, unknown> => ({
  ...(any_of === undefined ? { id } : { any_of }),
  ...Object.fromEntries(Object.entries(entity).filter(([, value]) => value !== undefined && value !== '')),
  ...(filterOf(properties) ? { properties: filterOf(properties) } : {}),
});

const inLists = (entities: readonly Entity[], form: (entity: Entity) => object) => {
  const placed = entities.map((entity, order) => ({ type: entity.type, value: { ...form(entity), order } }));
  const ofType = (type: Entity['type']) => {
    const list = placed.filter((one) => one.type === type).map(({ value }) => value);
    return list.length === 0 ? undefined : list;
  };
  return { events: ofType('events'), actions: ofType('actions') };
};

/** The parameters `events` and `actions`. The order is the index, so that it also is the number of the series in the answer. */
export const entityParams = (entities: readonly Entity[]): Record<string, unknown> => inLists(entities, entityParam);

/** The fields of the address, with what is still being written. */
export const entityFields = (entities: readonly Entity[]): Question => inLists(entities, (entity) => entity);

/** A, B, … as formulas name them. */
export const letterOf = (index: number): string => String.fromCharCode(65 + (index % 26));

/** The name of an entity in lists. */
export const entityName = ({ id, name }: Entity): string => name ?? (id === null ? 'All events' : String(id));
