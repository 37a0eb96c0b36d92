import { invalidInput, required } from '../../platform/errors/problem.js';
import { readJsonText } from '../../platform/values/json.js';
import { type Filter, everything, leavesOf } from './filter.js';
import { filterLimits } from './filter-limits.js';
import { type Fields, assertOnlyKeys, isFields } from '../../platform/fields/values.js';
import {
  type FilterOptions,
  type FilterType,
  cohortTypes,
  isCohortType,
  keyAndOperator,
  leafNames,
  leafSchemas,
  readLeaf,
  untypedLeaf,
} from './leaf.js';
import { type Field } from '../../platform/fields/declaration.js';
import { type Schema, type Schemas, listSchema, orElse, schemaNamed } from '../../platform/fields/schema.js';

const maxDepth = 20;

/**
 * Parses a `properties` parameter, a JSON text or a value: a list, a group, a single filter, or the oldest form, an object
 * whose keys may end in `__operator`. A missing value is the filter that always holds.
 */
export const parseFilters = (input: unknown, attr: string, options: FilterOptions): Filter => {
  const filter = readContainer(jsonOf(input, attr), attr, options);
  assertAtMost(leavesOf(filter).length, attr);
  return filter;
};

const assertAtMost = (filters: number, attr: string): void => {
  const most = filterLimits.filters;
  if (filters > most) throw invalidInput(`${attr} must hold at most ${most} filters`, attr);
};

const jsonOf = (input: unknown, attr: string): unknown => {
  if (typeof input !== 'string') return input;
  if (input.trim() === '') return null;
  return readJsonText(input, attr, () =>
    invalidInput(`${attr} must be JSON: a list of filters, or a group {"type": "AND", "values": […]}`, attr),
  );
};

const readContainer = (json: unknown, attr: string, options: FilterOptions): Filter => {
  if (json === undefined || json === null) return everything;
  if (Array.isArray(json)) return readParts(json, 'AND', attr, options, 1);
  if (!isFields(json)) throw invalidInput(`${attr} must be a list of filters, or a group of them`, attr);
  if (isFilterGroup(json)) return readGroup(json, attr, options, 1);
  return isSingleFilter(json) ? readLeaf(json, attr, options) : readMap(json, attr, options);
};

const combinations: Readonly<Record<string, 'AND' | 'OR'>> = { AND: 'AND', OR: 'OR' };

const combinationOf = (type: unknown): 'AND' | 'OR' | null =>
  typeof type === 'string' ? (combinations[type.toUpperCase()] ?? null) : null;

export const isFilterGroup = (json: Fields): boolean =>
  !Object.hasOwn(json, 'key') && (Object.hasOwn(json, 'values') || combinationOf(json.type) !== null);

/**
 * True for a single filter. `{key: …}` alone is none, but the oldest form with a property named `key`. A filter on the
 * membership at the time of an event needs no key.
 */
export const isSingleFilter = (json: Fields): boolean =>
  (Object.hasOwn(json, 'key') && ['value', 'operator', 'type'].some((field) => Object.hasOwn(json, field))) ||
  (isCohortType(json.type) && json.at === 'event');

const readGroup = (group: Fields, attr: string, options: FilterOptions, depth: number): Filter => {
  assertOnlyKeys(group, attr, { known: ['type', 'values'], rule: 'a group has type and values' });
  const combine = combinationOf(group.type);
  if (!combine) throw invalidInput(`${attr}.type must be AND or OR`, `${attr}.type`);
  if (group.values === undefined) throw required(`${attr}.values`);
  if (!Array.isArray(group.values)) throw invalidInput(`${attr}.values must be a list`, `${attr}.values`);
  return readParts(group.values, combine, `${attr}.values`, options, depth);
};

const readParts = (
  values: readonly unknown[],
  combine: 'AND' | 'OR',
  attr: string,
  options: FilterOptions,
  depth: number,
): Filter => {
  if (depth > maxDepth) throw invalidInput(`${attr} must be nested at most ${maxDepth} deep`, attr);
  assertAtMost(values.length, attr);
  const objects = values.map((value, at) => {
    if (!isFields(value)) throw invalidInput(`${attr}.${at} must be a filter, an object`, `${attr}.${at}`);
    return value;
  });
  const groups = objects.filter(isFilterGroup).length;
  if (groups > 0 && groups < objects.length) {
    throw invalidInput(`${attr} must hold either filters or groups, not both: put the filters into a group`, attr);
  }
  const parts = objects.map((object, at) =>
    isFilterGroup(object)
      ? readGroup(object, `${attr}.${at}`, options, depth + 1)
      : readLeaf(object, `${attr}.${at}`, options),
  );
  return { kind: 'group', combine, parts };
};

const readMap = (map: Fields, attr: string, options: FilterOptions): Filter => {
  const entries = Object.entries(map);
  assertAtMost(entries.length, attr);
  const parts = entries.map(([name, value]) =>
    readLeaf({ ...keyAndOperator(name), value }, `${attr}.${name.slice(0, 100)}`, options),
  );
  return { kind: 'group', combine: 'AND', parts };
};

/** The filters that a field takes; `name` is the beginning of the names of their schemas in the OpenAPI document. */
interface Taken extends Pick<FilterOptions, 'defaultType' | 'allowed'> {
  readonly name: string;
  readonly description: string;
}

const inInsights: Taken = {
  name: 'InsightFilter',
  allowed: ['event', 'person', 'cohort', 'event_metadata', 'group', 'hogql'],
  defaultType: 'event',
  description: 'Filters on events, their persons, groups and cohorts. A filter without a type is one on the event.',
};

const ofPersons: Taken = {
  name: 'PersonFilter',
  allowed: ['person', 'cohort'],
  defaultType: 'person',
  description: 'Filters on persons and cohorts. A filter without a type is one on the person.',
};

const ofActors: Taken = {
  name: 'ActorFilter',
  allowed: ['person', 'cohort', 'group'],
  defaultType: 'person',
  description: 'Filters on whom the question counts, persons or groups. A filter without a type is one on these, too.',
};

const ofEvents: Taken = {
  name: 'EventFilter',
  allowed: ['event', 'event_metadata'],
  defaultType: 'event',
  description: 'Filters on the event alone. A filter without a type is one on the event.',
};

const typesOf = (type: FilterType): readonly string[] => (type === 'cohort' ? cohortTypes : [type]);

/** A filter of one of these types; its field `type` tells them apart. */
const byType = (types: readonly FilterType[]): Schema => ({
  oneOf: types.map((type) => schemaNamed(leafNames[type])),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      types.flatMap((type) => typesOf(type).map((name) => [name, `#/components/schemas/${leafNames[type]}`])),
    ),
  },
});

const combinationPattern = '^([aA][nN][dD]|[oO][rR])$';

const combination = orElse(
  { type: 'string', enum: ['AND', 'OR'], description: 'Whether all parts must hold, or at least one.' },
  { type: 'string', pattern: combinationPattern },
);

/** A group of leaves or of groups, never of both. */
export const groupSchema = (leaf: Schema, group: Schema, most: number, example: object): Schema => ({
  type: 'object',
  properties: {
    type: combination,
    values: {
      anyOf: [listSchema(leaf, most), listSchema(group, most)],
      description: 'Either leaves or groups.',
      example: [example],
    },
  },
  required: ['type', 'values'],
});

/** The oldest form: an object of keys and values, in which a key may end in `__operator`. */
const map: Schema = {
  type: 'object',
  additionalProperties: { anyOf: [schemaNamed('FilterValue'), listSchema(schemaNamed('FilterValue'))] },
  not: {
    anyOf: [
      { required: ['values'], not: { required: ['key'] } },
      { required: ['type'], properties: { type: { type: 'string', pattern: combinationPattern } } },
      { required: ['key'], anyOf: ['value', 'operator', 'type'].map((field) => ({ required: [field] })) },
    ],
  },
};

const exampleOf = ([type]: readonly FilterType[]) => ({ type, key: 'plan', operator: 'exact', value: ['pro'] });

/** Filters of questions, which may be expressions. Other requests and all answers have the schemas of `inInsights`. */
const inQuestions: Taken = { ...inInsights, name: 'QuestionFilter' };

const schemasOf = ({ name, allowed, description }: Taken): Schemas => {
  const [leaf, group] = [schemaNamed(name), schemaNamed(`${name}Group`)];
  return {
    [`Typed${name}`]: byType(allowed),
    [name]: { anyOf: [schemaNamed(`Typed${name}`), schemaNamed(untypedLeaf)] },
    [`${name}Group`]: groupSchema(leaf, group, filterLimits.filters, exampleOf(allowed)),
    [`${name}s`]: orElse(
      {
        description: `${description} A list, all of which must hold, or a group.`,
        anyOf: [listSchema(leaf, filterLimits.filters), group],
      },
      { anyOf: [leaf, map, { type: 'string' }, { nullable: true, enum: [null] }] },
    ),
  };
};

export const filterSchemas: Schemas = {
  ...leafSchemas,
  ...schemasOf({ ...inInsights, allowed: inInsights.allowed.filter((type) => type !== 'hogql') }),
  ...schemasOf(inQuestions),
  ...schemasOf(ofPersons),
  ...schemasOf(ofActors),
  ...schemasOf(ofEvents),
};

/** `stored`: the filters were accepted and stored before, so that a cohort may have been deleted since. */
const filters = ({ name, ...options }: Taken): Field<Filter, readonly [stored?: boolean]> => ({
  schema: schemaNamed(`${name}s`),
  json: true,
  read: (value, attr, stored) => parseFilters(value, attr, { ...options, ...(stored && { stored }) }),
});

export const insightFilters = filters(inQuestions);

/** The same without expressions. */
export const plainFilters: Schema = schemaNamed(`${inInsights.name}s`);
export const personFilters = filters(ofPersons);
export const actorFilters = filters(ofActors);
export const eventFilters = filters(ofEvents);
