import { invalidInput, required } from '../../platform/errors/problem.js';
import { expressionText, groupTypeIndex, membershipTime } from '../../filters/reading/leaf.js';
import { readSmallId } from '../../platform/values/ids.js';
import { readChoice, readTexts, requireList, requireObject } from '../../platform/fields/values.js';
import { type Parameters } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { listSchema, orElse, orText, schemaNamed, type Schemas } from '../../platform/fields/schema.js';
import { requireValueOf, type Breakdown, type BreakdownPart, type CohortPart } from './breakdown.js';
import { type Params } from '../../filters/asking/questions.js';

const maxBreakdownKeys = 5;
const maxBreakdownCohorts = 25;
const maxKeyLength = 400;
const bins = { min: 1, max: 100 };

const sources = ['event', 'person', 'cohort', 'group', 'hogql'] as const;

type Source = (typeof sources)[number];

const textOrTexts = orElse({ anyOf: [{ type: 'string' }, listSchema({ type: 'string' })] }, {});

/** A parameter for a value of the breakdown; null if the request has none. */
const valueParameter = (description: string, example?: unknown) =>
  field.json({ description, example, schema: textOrTexts }, (value, attr) =>
    value === undefined ? null : readTexts(value, attr),
  );

/** One entry of `breakdowns`. Where a field is null, the parameter of the whole question counts. */
interface Entry {
  readonly source: Source;
  readonly property: unknown;
  /** The index of the type of a `group`. */
  readonly groupType: number | null;
  readonly attr: string;
  readonly normalizesUrl: boolean | null;
  readonly binCount: number | null;
  /** True if the members of cohorts at the time of the event count. */
  readonly atEvent: boolean;
}

const cohortSchema = orText({ anyOf: [{ type: 'integer' }, { type: 'string', enum: ['all'] }] });

const key = field.any({
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: maxKeyLength },
  description: 'A key.',
  example: '$browser',
});

const expression = expressionText({
  description: 'The expression.',
  example: "if(toFloat(properties.price) > 10, 'high', 'low')",
});

const cohorts = field.any({
  required: true,
  schema: { anyOf: [cohortSchema, listSchema(cohortSchema, maxBreakdownCohorts)] },
  example: [3, 'all'],
});

/**
 * Declares the fields of an entry. Clients of the reference product also send null in `group_type_index`, which only groups
 * have.
 */
const entry = <const Own extends Parameters, const More extends Parameters>(type: string, own: Own, more: More) =>
  field.record(
    {
      ...own,
      normalize_url: field.jsonBoolean({
        description: 'As `breakdown_normalize_url`, for this entry.',
        example: false,
      }),
      histogram_bin_count: field.integer({
        ...bins,
        description: 'As `breakdown_histogram_bin_count`, for this entry.',
        example: 10,
      }),
      ...more,
    },
    {
      description: `The values of ${type}.`,
      ignoredNulls: Object.hasOwn(more, 'group_type_index') ? [] : ['group_type_index'],
    },
  );

const entries = {
  event: entry('a property of events', { property: key, type: field.choice(['event'], {}) }, {}),
  person: entry('a property of persons', { property: key, type: field.choice(['person'], { required: true }) }, {}),
  group: entry(
    'a property of the groups that events name',
    { property: key, type: field.choice(['group'], { required: true }) },
    { group_type_index: groupTypeIndex({ required: true }) },
  ),
  hogql: entry(
    'an expression of the SQL dialect about an event',
    {
      property: expression,
      type: field.choice(['hogql'], { required: true }),
    },
    {},
  ),
  cohort: entry(
    'the membership in cohorts',
    { property: cohorts, type: field.choice(['cohort'], { required: true }) },
    { at: membershipTime },
  ),
};

const readEntry = (value: unknown, attr: string): Entry => {
  const { type, property } = requireObject(value, attr);
  const [isOfCohorts, isOfGroups] = [type === 'cohort', type === 'group'];
  const read = (isOfCohorts ? entries.cohort : isOfGroups ? entries.group : entries.event).reader(value, attr);
  return {
    source: (type ?? null) === null ? 'event' : readChoice(type, `${attr}.type`, sources),
    property,
    groupType: isOfGroups ? entries.group.reader(value, attr)('group_type_index') : null,
    attr: `${attr}.property`,
    normalizesUrl: read('normalize_url'),
    binCount: read('histogram_bin_count'),
    atEvent: isOfCohorts && entries.cohort.reader(value, attr)('at') === 'event',
  };
};

export const breakdownSchemas: Schemas = {
  EventBreakdown: entries.event.schema,
  PersonBreakdown: entries.person.schema,
  CohortBreakdown: entries.cohort.schema,
  GroupBreakdown: entries.group.schema,
  ExpressionBreakdown: entries.hogql.schema,
  Breakdown: {
    anyOf: ['EventBreakdown', 'PersonBreakdown', 'CohortBreakdown', 'GroupBreakdown', 'ExpressionBreakdown'].map(
      schemaNamed,
    ),
  },
};

export const breakdownParameters = {
  breakdown: field.json(
    {
      description: `A property key or a list of at most ${maxBreakdownKeys} keys; for cohorts a list of at most ${maxBreakdownCohorts} ids. \`all\` means everyone. A cohort of groups splits by the group of its type that the event names; a funnel, and first times, by cohorts of those whom they count.`,
      schema: {
        anyOf: [
          { type: 'string' },
          { type: 'integer' },
          listSchema({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, maxBreakdownCohorts),
        ],
      },
      example: '$browser',
    },
    (value): readonly unknown[] => (value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value]),
  ),
  breakdown_type: field.choice(sources, {
    description: 'The source of the property. With `hogql`, `breakdown` is an expression of the SQL dialect.',
    fallback: 'event',
  }),
  breakdown_group_type_index: {
    ...groupTypeIndex({}),
    description: 'With `breakdown_type=group`: the type of the groups.',
  },
  breakdowns: field.json(
    {
      description: `In place of \`breakdown\`: at most ${maxBreakdownKeys} properties of different types, \`{"property":"$browser","type":"event"}\`. With type \`cohort\`, \`property\` is an id, \`all\` or a list of them, and who is in several cohorts has each of them as a value; who is in none does not count. All cohorts together have at most ${maxBreakdownCohorts} combinations. In trends \`"at":"event"\` beside it means the members at the time of the event. An entry may have \`normalize_url\` and \`histogram_bin_count\` of its own.`,
      schema: listSchema(schemaNamed('Breakdown'), maxBreakdownKeys),
      example: [],
    },
    (value, attr) => requireList(value, attr, maxBreakdownKeys).map((entry, at) => readEntry(entry, `${attr}.${at}`)),
  ),
  breakdown_value: valueParameter(
    'Only persons with this value, a list of values for several properties; `""` is a missing property.',
  ),
  breakdown_limit: field.integer({
    description:
      'Number of values: the most frequent ones. All others become "Other". Without this parameter a histogram has all of its bins.',
    min: 1,
    max: 1000,
    fallback: 25,
  }),
  breakdown_normalize_url: field.boolean({
    description:
      'Leaves out `/`, `?` and `#` at the end of values, so that `/pricing/` and `/pricing?` are `/pricing`; what is empty then is `/`.',
    fallback: false,
    example: false,
  }),
  breakdown_histogram_bin_count: field.integer({
    description:
      'Splits by this many bins of equal width, from the lowest to the highest number of the property among the events of the question. A value is `[10.0,17.5]`, its first bound included and its second one not; bounds are rounded down to two decimals (more for narrow bins), and the last one lies above the highest number. Values that are no numbers are missing values.',
    ...bins,
  }),
};

/** In a funnel the value has a second name. */
export const breakdownValueOfStep = {
  funnel_step_breakdown: valueParameter('Another name of `breakdown_value`.', 'Chrome'),
};

export const readBreakdown = (params: Params): Breakdown | null => {
  const read = params.reader(breakdownParameters);
  const several = read('breakdowns');
  // It is read in any case, because a wrong one would otherwise be ignored.
  read('breakdown_group_type_index');
  const [normalizesUrl, binCount] = [read('breakdown_normalize_url'), read('breakdown_histogram_bin_count')];
  const entries = several.length > 0 ? several : entriesOf(params);
  if (several.length > 0 && read('breakdown').length > 0) {
    throw invalidInput('a question must have either breakdown or breakdowns', 'breakdowns');
  }
  if (entries.length === 0) return null;
  const parts = entries.map((entry): BreakdownPart => {
    if (entry.source === 'cohort') return cohortPart(entry);
    return {
      kind: 'property',
      source: entry.source,
      ...(entry.groupType !== null && { groupType: entry.groupType }),
      key: keyOf(entry),
      ...(entry.source === 'hogql' && { attr: entry.attr }),
      normalizesUrl: entry.normalizesUrl ?? normalizesUrl,
      bins: entry.binCount ?? binCount,
    };
  });
  assertFewCohorts(parts, several.length > 0 ? 'breakdowns' : 'breakdown');
  return { parts, limit: limitOf(params, parts) };
};

/** The entries that `breakdown` stands for: one for each property, or one for all cohorts. */
const entriesOf = (params: Params): Entry[] => {
  const read = params.reader(breakdownParameters);
  const items = read('breakdown');
  if (items.length === 0) return [];
  const source = read('breakdown_type');
  const entry = { source, groupType: readTypeOf(source, params), normalizesUrl: null, binCount: null, atEvent: false };
  if (source === 'cohort') return [{ ...entry, property: items, attr: 'breakdown' }];
  if (items.length > maxBreakdownKeys) {
    throw invalidInput(`breakdown must have at most ${maxBreakdownKeys} properties`, 'breakdown');
  }
  return items.map((property, at) => ({ ...entry, property, attr: `breakdown.${at}` }));
};

const readTypeOf = (source: Source, params: Params): number | null => {
  const index = params.reader(breakdownParameters)('breakdown_group_type_index');
  if (source !== 'group') return null;
  if (index === null) throw required('breakdown_group_type_index');
  return index;
};

const limitOf = (params: Params, [first, ...others]: readonly BreakdownPart[]): number => {
  const limit = params.reader(breakdownParameters)('breakdown_limit');
  const isHistogram = first?.kind === 'property' && typeof first.bins === 'number' && others.length === 0;
  // The limit has room for all bins and for the missing values.
  return isHistogram && !params.has('breakdown_limit') ? Math.max(limit, Number(first.bins) + 1) : limit;
};

const keyOf = ({ property, attr, source }: Entry): string => {
  if (source === 'hogql') return expression.read(property, attr);
  if (typeof property === 'string' && property !== '' && property.length <= maxKeyLength) return property;
  throw invalidInput(`${attr} must be a property key, a text of 1 to ${maxKeyLength} characters`, attr);
};

const cohortPart = ({ property, attr, atEvent }: Entry): CohortPart => {
  const ids = Array.isArray(property) ? (property as unknown[]) : [property];
  if (ids.length === 0 || ids.length > maxBreakdownCohorts) {
    throw invalidInput(`${attr} must have at least one cohort and at most ${maxBreakdownCohorts} cohorts`, attr);
  }
  return {
    kind: 'cohort',
    atEvent,
    cohorts: ids.map((id, at) => cohortOf(id, Array.isArray(property) ? `${attr}.${at}` : attr)),
  };
};

const cohortOf = (item: unknown, attr: string): number | 'all' => {
  if (item === 'all') return 'all';
  const id = readSmallId(item);
  if (id !== null) return id;
  throw invalidInput(`${attr} must be the id of a cohort, or "all"`, attr);
};

/** Refuses too many combinations of cohorts: several entries multiply, because each combination of their cohorts is a value. */
const assertFewCohorts = (parts: readonly BreakdownPart[], attr: string): void => {
  const combinations = parts.reduce((product, part) => product * (part.kind === 'cohort' ? part.cohorts.length : 1), 1);
  if (combinations <= maxBreakdownCohorts) return;
  throw invalidInput(`${attr} must have at most ${maxBreakdownCohorts} combinations of cohorts`, attr);
};

/** The requested value of a breakdown: one text for each of its parts. */
export const readBreakdownValue = (
  params: Params,
  name: 'breakdown_value' | 'funnel_step_breakdown' = 'breakdown_value',
): readonly string[] | null => {
  if (params.raw(name) === '') return [''];
  return params.reader({ ...breakdownParameters, ...breakdownValueOfStep })(name);
};

/** The value whose persons are selected; null: any. */
export const readSelectedValue = (params: Params, breakdown: Breakdown | null): readonly string[] | null => {
  const value = readBreakdownValue(params);
  // An empty value without a breakdown is a parameter that the client left empty.
  if (value === null || (breakdown === null && !params.has('breakdown_value'))) return null;
  return requireValueOf(breakdown, value, 'breakdown_value');
};
