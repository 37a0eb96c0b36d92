import { type NamedActions } from '../../filters/actions/action-lookup.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Parameters, fieldReader } from '../../platform/fields/declaration.js';
import {
  type EventMatch,
  type Filter,
  allOf,
  everything,
  isEverything,
  namesOfMatches,
} from '../../filters/reading/filter.js';
import { type Fields, requireFields, requireList, requireObject } from '../../platform/fields/values.js';
import { type EntityType, entityFields, entityPart, keysOfEntity, maxParts } from './entity-fields.js';
import { matchesEvent } from '../../filters/compile/event-match.sql.js';
import { type Sql, join, sql } from '../../platform/clickhouse/sql.js';
import { type QuestionScope, eventSource, questionFilterScope } from './question-scopes.js';

/** The events that a question counts: those that match at least one part. */
export interface Entity {
  readonly name: string;
  readonly order: number;
  readonly parts: readonly EventMatch[];
  /** True if only the first event ever of each actor with one of the names matches. */
  readonly isFirst?: boolean;
}

/** An entity as the request has it: `fields` also has the extra keys that the insight reads. */
export interface ReadEntity extends Entity {
  readonly attr: string;
  readonly fields: Fields;
  /** The id of the action that the entity names; null for events. */
  readonly action: number | null;
}

export const maxEntities = 50;

/** How a list or a parameter reads its entities. */
interface EntityReading {
  readonly actions: NamedActions;
  /** The fields that this insight adds to entities. */
  readonly extra?: Parameters;
  /** The type of an entity that names none. */
  readonly type?: EntityType;
  /** The `order` of the first entity that names none. */
  readonly firstOrder?: number;
}

/** Reads a list of entities, and sorts it by `order`. */
export const readEntities = (value: unknown, attr: string, reading: EntityReading): ReadEntity[] =>
  requireList(value, attr, maxEntities, reading.type === 'actions' ? '[{"id": 7}]' : '[{"id": "signed up"}]')
    .map((entity, at) => readEntity(entity, `${attr}.${at}`, reading, at))
    .sort(byOrder);

export const byOrder = (a: Entity, b: Entity): number => a.order - b.order;

export const readEntity = (value: unknown, attr: string, reading: EntityReading, at = 0): ReadEntity => {
  const { actions, extra = {}, type: usual = 'events', firstOrder = 0 } = reading;
  // A plain id is the short form of `{ id }`.
  const isShort = typeof value === 'string' || (usual === 'actions' && typeof value === 'number');
  const fields = isShort ? { id: value } : requireFields(value, attr, keysOfEntity(extra));
  const read = fieldReader(entityFields, fields, attr);
  const type = read('type') ?? usual;
  if (type === 'events' && usual === 'actions') {
    throw invalidInput(`${attr}.type must be actions: list events in the parameter events`, `${attr}.type`);
  }
  const { action, name, parts } =
    type === 'actions' ? actionOf(read, fields, attr, actions) : eventsOf(read, fields, attr);
  return {
    name: read('custom_name') ?? read('name') ?? name,
    order: read('order') ?? firstOrder + at,
    parts,
    attr,
    fields,
    action,
  };
};

type Read = ReturnType<typeof fieldReader<typeof entityFields>>;

type Named = Pick<ReadEntity, 'name' | 'parts' | 'action'>;

/** Reads an action; the filters of the entity restrict each step of the action. */
const actionOf = (read: Read, fields: Fields, attr: string, actions: NamedActions): Named => {
  if (fields.any_of !== undefined)
    throw invalidInput(`${attr}.any_of is not allowed beside an action`, `${attr}.any_of`);
  if ((fields.id ?? null) === null) throw required(`${attr}.id`);
  const own = read('properties');
  const { id, name, matches } = actions.get(fields.id, `${attr}.id`);
  const parts = isEverything(own)
    ? matches
    : matches.map(({ event, filter }) => ({ event, filter: allOf(filter, own) }));
  return { name, parts, action: id };
};

const eventsOf = (read: Read, fields: Fields, attr: string): Named => {
  const parts = partsOf(read, fields, attr);
  return { name: parts[0]?.event ?? 'All events', parts, action: null };
};

const partsOf = (read: Read, fields: Fields, attr: string): EventMatch[] => {
  const filter = read('properties');
  if (fields.any_of === undefined) {
    if (!Object.hasOwn(fields, 'id')) throw required(`${attr}.id`);
    return [{ event: read('id'), filter }];
  }
  if (Object.hasOwn(fields, 'id') && fields.id !== null) {
    throw invalidInput(`${attr} must have either id or any_of`, `${attr}.any_of`);
  }
  if (read('name') === null) throw required(`${attr}.name`);
  const alternatives = requireList(fields.any_of, `${attr}.any_of`, maxParts);
  if (alternatives.length === 0) throw invalidInput(`${attr}.any_of must name at least one event`, `${attr}.any_of`);
  return alternatives.map((part, at) => {
    const partAttr = `${attr}.any_of.${at}`;
    const partFields = requireObject(part, partAttr);
    const readPart = entityPart.reader(part, partAttr);
    if (!Object.hasOwn(partFields, 'id')) throw required(`${partAttr}.id`);
    if (entityFields.type.read(partFields.type, `${partAttr}.type`) === 'actions') {
      throw invalidInput(`${partAttr}.type must be events: any_of has events only`, `${partAttr}.type`);
    }
    return { event: readPart('id'), filter: allOf(readPart('properties'), filter) };
  });
};

/** The event names that a question must read; null: all names, because one entity is any event. */
export const eventNames = (entities: readonly Entity[]): readonly string[] | null =>
  namesOfMatches(eventMatches(entities));

export const eventMatches = (entities: readonly Entity[]): readonly EventMatch[] =>
  entities.flatMap(({ parts }) => parts);

/** True if the event name alone decides, so that no entity has a filter to check. */
export const areNamesOnly = (entities: readonly Entity[]): boolean =>
  entities.every(
    ({ parts, isFirst }) => !isFirst && parts.every(({ event, filter }) => event !== null && isEverything(filter)),
  );

export const filtersOf = (entities: readonly Entity[]): Filter[] =>
  entities.flatMap(({ parts }) => parts.map(({ filter }) => filter));

/** True if the event `e` matches the entity. */
export const matchesEntity = (entity: Entity, scope: QuestionScope): Sql => {
  const matches = matchesEvent(entity.parts, questionFilterScope(scope));
  if (!entity.isFirst) return matches;
  const { from, where, actor } = eventSource(scope, { range: null, names: eventNames([entity]), filter: everything });
  const first = sql`SELECT ${actor}, min(e.timestamp) FROM ${from} WHERE ${where} GROUP BY ${actor}`;
  return sql`(${matches} AND (${actor}, e.timestamp) GLOBAL IN (${first}))`;
};

/** True if the event `e`, already restricted to the names of the entities, matches one of them; null: always. */
export const matchesAny = (entities: readonly Entity[], scope: QuestionScope): Sql | null =>
  areNamesOnly(entities)
    ? null
    : sql`(${join(
        entities.map((entity) => matchesEntity(entity, scope)),
        sql` OR `,
      )})`;
