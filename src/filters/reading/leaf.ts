import { invalidInput } from '../../platform/errors/problem.js';
import { type Field, type Parameters } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { type Fields, readChoice } from '../../platform/fields/values.js';
import { listSchema, orElse, orText, schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { readSmallId } from '../../platform/values/ids.js';
import { type Filter, type FilterValue, type PropertySource, everything } from './filter.js';
import { maxTextLength, maxValues, readValues, type OfTime } from './leaf-values.js';
import { operatorNamed, operators, synonyms, type Operator } from './operators.js';

export type FilterType = 'event' | 'person' | 'cohort' | 'event_metadata';

export interface FilterOptions {
  /** The type of a filter that names none. */
  readonly defaultType: 'person' | 'event';
  readonly allowed: readonly FilterType[];
  /** True if the filters were accepted and stored before, so that their cohorts may have been deleted since. */
  readonly stored?: boolean;
}

const membershipTimes = ['event'] as const;

/** The names of the type `cohort`, which all mean the same. */
export const cohortTypes = ['cohort', 'static-cohort', 'dynamic-cohort', 'precalculated-cohort'] as const;
const metadataKeys = ['timestamp', 'distinct_id', 'event'] as const;

/** Splits `age__gte` into the key `age` and an operator. A suffix that is no operator belongs to the key. */
export const keyAndOperator = (name: string): { readonly key: string; readonly operator?: Operator } => {
  const at = name.lastIndexOf('__');
  const operator = at < 0 ? null : operatorNamed(name.slice(at + 2));
  return operator ? { key: name.slice(0, at), operator } : { key: name };
};

const operator: Field<Operator> = {
  schema: { type: 'string', enum: [...operators, ...Object.keys(synonyms)], default: 'exact' },
  description: 'How the property is compared. `in` is `exact`, and `not_in` is `is_not`.',
  read: (value, attr) => {
    const named = operatorNamed(value ?? 'exact');
    if (!named) throw invalidInput(`${attr} must be one of ${[...operators, 'in', 'not_in'].join(', ')}`, attr);
    return named;
  },
};

const filterValue = schemaNamed('FilterValue');

const value: Field<readonly FilterValue[], readonly [operator: Operator, of: OfTime]> = {
  schema: { anyOf: [filterValue, listSchema(filterValue, maxValues)] },
  description:
    'A value, or a list: the filter holds if any of them matches, or with a negative operator if none does. ' +
    '`between` and `not_between` have two; `is_set` and `is_not_set` need none.',
  example: ['pro'],
  read: readValues,
};

const negation = field.jsonBoolean({ description: 'Inverts the filter.', fallback: false });

const anyKey = field.text({
  required: true,
  max: maxTextLength,
  description: 'The key of the property.',
  example: 'plan',
});

const metadataKey = field.choice(metadataKeys, { required: true, example: 'timestamp' });

/** The fields of a filter. The ignored ones are sent by clients of the reference product. */
const leaf = <const Declared extends Parameters>(declared: Declared, description: string) =>
  field.record(declared, {
    description,
    rule: `a filter has ${Object.keys(declared).join(', ')}`,
    ignored: ['label', 'cohort_name', 'group_key_names', 'property_type', 'property_type_format'],
    ignoredNulls: ['group_type_index'],
  });

const property = (type: PropertySource, description: string) =>
  leaf(
    {
      type: field.choice([type], { required: true }),
      key: type === 'event_metadata' ? metadataKey : anyKey,
      operator,
      value,
      negation,
    },
    description,
  );

const cohortId = orText({ type: 'integer', minimum: 1, example: 3 });

/** The field `at` of filters and breakdowns. */
export const membershipTime = field.choice(membershipTimes, {
  description:
    'With `event`, in trends only: whether the person was in the cohort at the time of the event. Without it: whether the person is in the cohort now.',
});

const cohort = leaf(
  {
    type: field.choice(cohortTypes, { required: true, description: 'All of them mean the same.' }),
    key: field.choice(['id'], { says: 'must be "id" for a cohort' }),
    operator: field.choice(['in', 'not_in', 'exact', 'is_not'], { says: 'must be in or not_in for a cohort' }),
    value: field.any({
      required: true,
      schema: { anyOf: [cohortId, listSchema(cohortId)] },
      description: 'The id of a cohort, or a list: membership in any of them.',
      example: 3,
    }),
    negation,
    at: membershipTime,
  },
  'A filter on the membership in a cohort.',
);

const properties = {
  event: property('event', 'A filter on a property of the event.'),
  person: property('person', 'A filter on a property of the person.'),
  event_metadata: property('event_metadata', 'A filter on a column of the event itself.'),
};

export const readLeaf = (sent: Fields, attr: string, options: FilterOptions): Filter => {
  // Refuses unknown keys before an unknown type.
  const keys = isCohortType(sent.type) ? cohort : properties.event;
  keys.reader(sent, attr);
  const type = readType(sent.type, `${attr}.type`, options);
  return type === 'cohort' ? readCohort(sent, attr, options) : readProperty(sent, type, attr);
};

export const isCohortType = (type: unknown): boolean => cohortTypes.some((one) => one === type);

const readType = (type: unknown, attr: string, { defaultType, allowed }: FilterOptions): FilterType =>
  readChoice(isCohortType(type) ? 'cohort' : (type ?? defaultType), attr, allowed);

const readProperty = (sent: Fields, source: PropertySource, attr: string): Filter => {
  const read = properties[source].reader(sent, attr);
  const key = read('key');
  const named = read('operator');
  const ofTime = source === 'event_metadata' && key === 'timestamp';
  const values = read('value', named, { ofTime });
  const filter = { kind: 'property', source, key, operator: named, values, at: attr } as const;
  return read('negation') ? { ...filter, negated: true } : filter;
};

const readCohort = (sent: Fields, attr: string, { stored }: FilterOptions): Filter => {
  const read = cohort.reader(sent, attr);
  read('key');
  const isNot = operatorNamed(read('operator')) === 'is_not';
  const sentIds = read('value');
  const negated = isNot !== read('negation');
  const ids = Array.isArray(sentIds) ? (sentIds as readonly unknown[]) : [sentIds];
  const atEvent = read('at') === 'event';
  if (ids.length === 0) return everything;
  const common = { kind: 'cohort', negated, stored, at: attr, ...(atEvent && { atEvent }) } as const;
  const parts = ids.map((id) => ({ ...common, cohortId: readCohortId(id, `${attr}.value`) }));
  if (parts.length === 1 && parts[0]) return parts[0];
  return { kind: 'group', combine: negated ? 'AND' : 'OR', parts };
};

const readCohortId = (sent: unknown, attr: string): number => {
  const id = readSmallId(sent);
  if (id === null) throw invalidInput(`${attr} must be the id of a cohort, an integer`, attr);
  return id;
};

/** The names of the schemas of filters in the OpenAPI document, by type. */
export const leafNames: Readonly<Record<FilterType, string>> = {
  event: 'EventPropertyFilter',
  person: 'PersonPropertyFilter',
  event_metadata: 'EventMetadataFilter',
  cohort: 'CohortFilter',
};

export const untypedLeaf = 'UntypedFilter';

const untyped = (type: Parameters): Schema =>
  leaf(
    { ...type, key: anyKey, operator, value, negation },
    'A filter on a property: of the event in insights, of the person where filters select persons.',
  ).schema;

const noType = field.any({ schema: { nullable: true, enum: [null] } });

export const leafSchemas: Schemas = {
  FilterValue: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }], example: 'pro' },
  [leafNames.event]: properties.event.schema,
  [leafNames.person]: properties.person.schema,
  [leafNames.event_metadata]: properties.event_metadata.schema,
  [leafNames.cohort]: cohort.schema,
  [untypedLeaf]: orElse(untyped({}), untyped({ type: noType })),
};
