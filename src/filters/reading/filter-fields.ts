import { type Field } from '../../platform/fields/declaration.js';
import { listSchema, orElse, schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { type Filter } from './filter.js';
import { filterLimits } from './filter-limits.js';
import { cohortTypes, leafNames, leafSchemas, untypedLeaf, type FilterOptions, type FilterType } from './leaf.js';
import { parseFilters } from './parse.js';

/** The filters that a field takes; `name` is the beginning of the names of their schemas in the OpenAPI document. */
interface Taken extends Pick<FilterOptions, 'defaultType' | 'allowed'> {
  readonly name: string;
  readonly description: string;
}

const inInsights: Taken = {
  name: 'InsightFilter',
  allowed: ['event', 'person', 'cohort', 'event_metadata'],
  defaultType: 'event',
  description: 'Filters on events, their persons and cohorts. A filter without a type is one on the event.',
};

const ofPersons: Taken = {
  name: 'PersonFilter',
  allowed: ['person', 'cohort'],
  defaultType: 'person',
  description: 'Filters on persons and cohorts. A filter without a type is one on the person.',
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

const combinations = '^([aA][nN][dD]|[oO][rR])$';

const combination = orElse(
  { type: 'string', enum: ['AND', 'OR'], description: 'Whether all parts must hold, or at least one.' },
  { type: 'string', pattern: combinations },
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
      { required: ['type'], properties: { type: { type: 'string', pattern: combinations } } },
      { required: ['key'], anyOf: ['value', 'operator', 'type'].map((field) => ({ required: [field] })) },
    ],
  },
};

const exampleOf = ([type]: readonly FilterType[]) => ({ type, key: 'plan', operator: 'exact', value: ['pro'] });

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
  ...schemasOf(inInsights),
  ...schemasOf(ofPersons),
  ...schemasOf(ofEvents),
};

/** `stored`: the filters were accepted and stored before, so that a cohort may have been deleted since. */
const filters = ({ name, ...options }: Taken): Field<Filter, readonly [stored?: boolean]> => ({
  schema: schemaNamed(`${name}s`),
  json: true,
  read: (value, attr, stored) => parseFilters(value, attr, { ...options, ...(stored && { stored }) }),
});

export const insightFilters = filters(inInsights);
export const personFilters = filters(ofPersons);
export const eventFilters = filters(ofEvents);
