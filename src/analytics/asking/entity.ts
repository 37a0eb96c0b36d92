import { invalidInput, required } from '../../common/errors/problem.js';
import { isEverything, type Filter } from '../../filters/filter.js';
import { parseFilters } from '../../filters/parse.js';
import { demandFields, demandList, integerField, textField, type Fields } from '../../common/params/fields.js';

/** Events of one name, or of any name, that pass a filter. */
export interface EntityPart {
  /** Null: any event. */
  readonly event: string | null;
  readonly filter: Filter;
}

/** The events that a question counts: those that match at least one part. */
export interface Entity {
  readonly name: string;
  readonly order: number;
  readonly parts: readonly EntityPart[];
}

/** An entity as the request has it: `fields` also has the extra keys that the insight reads. */
export interface ReadEntity extends Entity {
  readonly attr: string;
  readonly fields: Fields;
}

const common = [
  'id',
  'name',
  'custom_name',
  'type',
  'order',
  'properties',
  'any_of',
  'uuid',
  'math',
  'math_property',
  'math_group_type_index',
];
export const maxEntities = 50;
const maxParts = 50;
export const maxOrder = 1000;
/** The limit for all entities of a question together, steps and exclusions included. */
export const maxAlternatives = 500;

/** Sorted by `order`. `extra`: the keys that this insight allows in entities in addition to the common ones. */
export const readEntities = (value: unknown, attr: string, extra: readonly string[] = []): ReadEntity[] =>
  demandList(value, attr, maxEntities)
    .map((entity, at) => readEntity(entity, `${attr}.${at}`, at, extra))
    .sort((a, b) => a.order - b.order);

export const readEntity = (value: unknown, attr: string, at = 0, extra: readonly string[] = []): ReadEntity => {
  // A plain text is the short form of `{ id }`.
  const fields = typeof value === 'string' ? { id: value } : demandFields(value, attr, [...common, ...extra]);
  const parts = partsOf(fields, attr);
  const name = textField(fields, 'custom_name', attr) ?? textField(fields, 'name', attr) ?? nameOf(parts);
  const order = integerField(fields, 'order', attr, { min: 0, max: maxOrder }) ?? at;
  return { name, order, parts, attr, fields };
};

const nameOf = ([first]: readonly EntityPart[]): string => first?.event ?? 'All events';

const partsOf = (fields: Fields, attr: string): EntityPart[] => {
  const filter = filterOf(fields, attr);
  if (fields.any_of === undefined) {
    if (!Object.hasOwn(fields, 'id')) throw required(`${attr}.id`);
    return [{ event: eventOf(fields, attr), filter }];
  }
  if (Object.hasOwn(fields, 'id') && fields.id !== null) {
    throw invalidInput(`${attr} must have either id or any_of`, `${attr}.any_of`);
  }
  if (textField(fields, 'name', attr) === null) throw required(`${attr}.name`);
  const alternatives = demandList(fields.any_of, `${attr}.any_of`, maxParts);
  if (alternatives.length === 0) throw invalidInput(`${attr}.any_of must name at least one event`, `${attr}.any_of`);
  return alternatives.map((part, at) => {
    const partAttr = `${attr}.any_of.${at}`;
    const partFields = demandFields(part, partAttr, ['id', 'name', 'type', 'properties']);
    if (!Object.hasOwn(partFields, 'id')) throw required(`${partAttr}.id`);
    const own = filterOf(partFields, partAttr);
    return { event: eventOf(partFields, partAttr), filter: { kind: 'group', combine: 'AND', parts: [own, filter] } };
  });
};

const eventOf = (fields: Fields, attr: string): string | null => textField(fields, 'id', attr);

const filterOf = (fields: Fields, attr: string): Filter => readEventFilter(fields.properties, `${attr}.properties`);

/** A filter of events. Without filters every event passes. */
export const readEventFilter = (value: unknown, attr: string): Filter =>
  parseFilters(value, attr, { defaultType: 'event', allowed: ['event', 'person', 'cohort', 'event_metadata'] });

/** The event names that a question must read; null: all names, because one entity is any event. */
export const eventNames = (entities: readonly Entity[]): readonly string[] | null => {
  const names = entities.flatMap(({ parts }) => parts.map(({ event }) => event));
  return names.includes(null) ? null : [...new Set(names as string[])];
};

/** Whether the event name alone decides, so that no entity has a filter to check. */
export const areNamesOnly = (entities: readonly Entity[]): boolean =>
  entities.every(({ parts }) => parts.every(({ event, filter }) => event !== null && isEverything(filter)));

export const filtersOf = (entities: readonly Entity[]): Filter[] =>
  entities.flatMap(({ parts }) => parts.map(({ filter }) => filter));
