import { invalidInput, required } from '../../platform/errors/problem.js';
import { assertOnlyKeys, isFields, type Fields } from '../../platform/fields/fields.js';
import { allOf, everything, isEverything, type Filter } from '../../filters/reading/filter.js';
import { insightFilters } from '../../filters/reading/filter-fields.js';

/** Events of one name, or of any name, that pass a filter. */
export interface RelevantPart {
  /** Null is any event. */
  readonly event: string | null;
  readonly filter: Filter;
  readonly attr: string;
}

const known = ['id', 'name', 'custom_name', 'type', 'order', 'properties', 'any_of', 'uuid', 'math', 'math_property'];
const maxEntities = 50;

/** An event is relevant when it matches any part. Without parts, every event is relevant. */
export const readRelevantEvents = (text: string | undefined): RelevantPart[] => {
  if (text === undefined || text.trim() === '') return [];
  return requireList(jsonOf(text), 'events').flatMap((entity, at) => partsOf(entity, `events.${at}`));
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidInput('events must be JSON: a list such as [{"id": "signed up"}]', 'events');
  }
};

const requireList = (value: unknown, attr: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw invalidInput(`${attr} must be a list`, attr);
  if (value.length > maxEntities) throw invalidInput(`${attr} must have at most ${maxEntities} entries`, attr);
  return value;
};

const requireFields = (value: unknown, attr: string): Fields => {
  if (!isFields(value)) throw invalidInput(`${attr} must be an object such as {"id": "signed up"}`, attr);
  assertOnlyKeys(value, attr, { known });
  return value;
};

const partsOf = (entity: unknown, attr: string): RelevantPart[] => {
  if (typeof entity === 'string') return [{ event: entity, filter: everything, attr }];
  const fields = requireFields(entity, attr);
  if (fields.any_of === undefined) return [partOf(fields, attr)];
  const shared = filterOf(fields, attr);
  return requireList(fields.any_of, `${attr}.any_of`).map((part, at) => {
    const read = partOf(requireFields(part, `${attr}.any_of.${at}`), `${attr}.any_of.${at}`);
    return isEverything(shared) ? read : { ...read, filter: allOf(read.filter, shared) };
  });
};

const partOf = (fields: Fields, attr: string): RelevantPart => {
  const { id } = fields;
  if (id === undefined) throw required(`${attr}.id`);
  if (id !== null && typeof id !== 'string')
    throw invalidInput(`${attr}.id must be the name of an event, or null`, `${attr}.id`);
  return { event: id, filter: filterOf(fields, attr), attr };
};

const filterOf = ({ properties }: Fields, attr: string): Filter =>
  insightFilters.read(properties, `${attr}.properties`);
