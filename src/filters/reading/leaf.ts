import { invalidInput, required } from '../../platform/errors/problem.js';
import { absoluteDate, isRelativeDate } from './date-operand.js';
import {
  type Filter,
  type FilterValue,
  type Operator,
  type PropertySource,
  everything,
  groupKey,
  operatorNamed,
  operators,
  synonyms,
} from './filter.js';
import { type Field, type Parameters } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { type Fields, readChoice } from '../../platform/fields/values.js';
import { type Schema, type Schemas, listSchema, orElse, orText, schemaNamed } from '../../platform/fields/schema.js';
import { maxGroupTypes } from '../../kernel/projection/named-groups.js';
import { readSmallId } from '../../platform/values/ids.js';

const maxValues = 5_000;
export const maxTextLength = 1_000;
export const maxPatternLength = 8_000;
export const maxExpressionLength = 4_000;

/** Describes why a value does not fit its operator; null if it fits. */
type Fault = (value: FilterValue) => string | null;

const fitting: Fault = (value) =>
  typeof value === 'string' && value.length > maxTextLength ? `must have at most ${maxTextLength} characters` : null;

const pattern: Fault = (value) => {
  const text = String(value);
  if (text.length > maxPatternLength) return `must be a regular expression of at most ${maxPatternLength} characters`;
  return text.includes('\0') ? 'must be a regular expression without NUL characters' : null;
};

const comparable: Fault = (value) =>
  typeof value === 'boolean' ? 'must be a number, a date or text: true and false have no order' : fitting(value);

const date: Fault = (value) =>
  typeof value === 'string' && (absoluteDate(value) !== null || isRelativeDate(value))
    ? null
    : 'must be an ISO 8601 date such as 2024-01-31 or 2024-01-31T10:00:00Z, or a relative one such as -7d (h, d, w, m, y)';

const instant: Fault = (value) =>
  typeof value === 'string' && absoluteDate(value) !== null
    ? null
    : 'must be an ISO 8601 date such as 2024-01-31 or 2024-01-31T10:00:00Z';

const faults: Readonly<Record<Operator, Fault>> = {
  exact: fitting,
  is_not: fitting,
  icontains: fitting,
  not_icontains: fitting,
  regex: pattern,
  not_regex: pattern,
  gt: comparable,
  gte: comparable,
  lt: comparable,
  lte: comparable,
  between: comparable,
  not_between: comparable,
  is_set: fitting,
  is_not_set: fitting,
  is_date_exact: date,
  is_date_before: date,
  is_date_after: date,
};

const comparing: readonly Operator[] = ['exact', 'is_not', 'gt', 'gte', 'lt', 'lte', 'between', 'not_between'];

const isScalar = (value: unknown): value is FilterValue =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Tells `readValues` that the property is the time of an event. */
interface OfTime {
  readonly ofTime: boolean;
}

/** Reads the values of a leaf and checks each for the operator. */
const readValues = (input: unknown, attr: string, operator: Operator, { ofTime }: OfTime): readonly FilterValue[] => {
  if (operator === 'is_set' || operator === 'is_not_set') return [];
  if (input === undefined || input === null) throw required(attr);
  const pair = operator === 'between' || operator === 'not_between';
  if (pair && (!Array.isArray(input) || input.length !== 2)) {
    throw invalidInput(`${attr} must be a list of two values, the lowest and the highest`, attr);
  }
  const values: readonly unknown[] = Array.isArray(input) ? input : [input];
  if (values.length > maxValues) throw invalidInput(`${attr} must be a list of at most ${maxValues} values`, attr);
  const fault = ofTime && comparing.includes(operator) ? instant : faults[operator];
  return values.map((value, at) => readValue(value, Array.isArray(input) ? `${attr}.${at}` : attr, fault));
};

const readValue = (value: unknown, attr: string, fault: Fault): FilterValue => {
  if (!isScalar(value)) throw invalidInput(`${attr} must be text, a number, true or false, or a list of these`, attr);
  const reason = fault(value);
  if (reason !== null) throw invalidInput(`${attr} ${reason}`, attr);
  return value;
};

export type FilterType = 'event' | 'person' | 'cohort' | 'event_metadata' | 'group' | 'hogql';

export interface FilterOptions {
  /** The type of a filter that names none. */
  readonly defaultType: 'person' | 'event' | 'group';
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
const leaf = <const Declared extends Parameters>(
  declared: Declared,
  description: string,
  more: readonly string[] = [],
) =>
  field.record(declared, {
    description,
    rule: `a filter has ${Object.keys(declared).join(', ')}`,
    ignored: [
      ...['label', 'cohort_name', 'group_key_names', 'property_type', 'property_type_format'],
      // The reference product adds these to each criterion of a cohort that it has saved.
      ...['bytecode', 'bytecode_error', 'conditionHash', 'sort_key'],
      ...more,
    ],
    ignoredNulls: Object.hasOwn(declared, 'group_type_index') ? [] : ['group_type_index'],
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

/** The index of a type of groups, wherever a question names one. */
export const groupTypeIndex = <const More extends { readonly required?: true }>(more: More) =>
  field.integer({
    min: 0,
    max: maxGroupTypes - 1,
    description: 'The index of a type of groups, as `groups_types` lists them.',
    example: 0,
    ...more,
  });

const groupProperty = leaf(
  {
    type: field.choice(['group'], { required: true }),
    group_type_index: groupTypeIndex({ required: true }),
    key: field.text({
      required: true,
      max: maxTextLength,
      description: `The key of the property. \`${groupKey}\` is the key of the group itself.`,
      example: 'plan',
    }),
    operator,
    value,
    negation,
  },
  'A filter on a property of the group that the event names, such as its company.',
);

const cohortId = orText({ type: 'integer', minimum: 1, example: 3 });

/** The field `at` of filters and breakdowns. */
export const membershipTime = field.choice(membershipTimes, {
  description:
    'With `event`, in trends only: who was in the cohort at the time of the event. Without it: who is in the cohort now. A group that was deleted was in it at no time.',
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
  'A filter on the membership in a cohort: of the person or, for a cohort of groups, of the group of its type that the event names.',
);

/** The text of an expression of the SQL dialect. */
export const expressionText = <const More extends { readonly description: string; readonly example: string }>(
  more: More,
) => field.text({ min: 1, max: maxExpressionLength, required: true, ...more });

const expression = leaf(
  {
    type: field.choice(['hogql'], { required: true }),
    key: expressionText({
      description: 'A condition on the event, its person, groups and cohorts, as in a question in SQL.',
      example: 'toFloat(properties.price) > 10',
    }),
    negation,
  },
  'In insights only: a condition in the SQL dialect, without a SELECT or an aggregate.',
  // Clients of the reference product send both, without a meaning.
  ['value', 'operator'],
);

const properties = {
  event: property('event', 'A filter on a property of the event.'),
  person: property('person', 'A filter on a property of the person.'),
  event_metadata: property('event_metadata', 'A filter on a column of the event itself.'),
  group: groupProperty,
};

export const readLeaf = (sent: Fields, attr: string, options: FilterOptions): Filter => {
  // Refuses unknown keys before an unknown type.
  const keys = isCohortType(sent.type) ? cohort : sent.type === 'group' ? properties.group : properties.event;
  if (sent.type !== 'hogql') keys.reader(sent, attr);
  const type = readType(sent.type, `${attr}.type`, options);
  if (type === 'cohort') return readCohort(sent, attr, options);
  if (type === 'hogql') {
    const read = expression.reader(sent, attr);
    return { kind: 'expression', text: read('key'), negated: read('negation'), at: attr };
  }
  const index = type === 'event' && options.allowed.includes('group') ? groupColumn(sent.key) : null;
  if (index === null) return readProperty(sent, type, attr);
  return readProperty({ ...sent, type: 'group', key: groupKey, group_type_index: index }, 'group', attr);
};

/** In the reference product the key of an event's group is a property of the event, such as `$group_0`; null for others. */
const groupColumn = (key: unknown): number | null => {
  const [, index] = /^\$group_(\d|1\d)$/.exec(String(key)) ?? [];
  return index === undefined ? null : Number(index);
};

export const isCohortType = (type: unknown): boolean => cohortTypes.some((one) => one === type);

const readType = (type: unknown, attr: string, { defaultType, allowed }: FilterOptions): FilterType =>
  readChoice(isCohortType(type) ? 'cohort' : (type ?? defaultType), attr, allowed);

const readProperty = (sent: Fields, source: PropertySource, attr: string): Filter => {
  const read = properties[source].reader(sent, attr);
  const ofGroup = source === 'group' ? { groupType: groupProperty.reader(sent, attr)('group_type_index') } : {};
  const key = read('key');
  const named = read('operator');
  const ofTime = source === 'event_metadata' && key === 'timestamp';
  const values = read('value', named, { ofTime });
  const filter = { kind: 'property', source, ...ofGroup, key, operator: named, values, at: attr } as const;
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
  group: 'GroupPropertyFilter',
  hogql: 'ExpressionFilter',
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
  [leafNames.group]: groupProperty.schema,
  [leafNames.hogql]: expression.schema,
  [untypedLeaf]: orElse(untyped({}), untyped({ type: noType })),
};
