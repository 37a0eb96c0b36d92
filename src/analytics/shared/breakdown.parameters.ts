import { invalidInput } from '../../platform/errors/problem.js';
import { membershipTimes } from '../../filters/reading/leaf.js';
import { readSmallId } from '../../platform/values/ids.js';
import { requireList, requireObject, assertOnlyKeys } from '../../platform/fields/fields.js';
import { booleanParam, choiceParam, integerParam, jsonParam } from '../../platform/fields/parameter.js';
import { listSchema, schemaNamed } from '../../platform/fields/schema.js';
import { readChoice, readInteger, readJsonBoolean, readTexts } from '../../platform/fields/values.js';
import { type Breakdown, type BreakdownPart, type CohortPart } from './breakdown.js';
import { bins, breakdownSchema, maxBreakdownCohorts, maxBreakdownKeys, textOrTexts } from './breakdown.schemas.js';
import { type Params } from '../../filters/asking/question-params.js';

const sources = ['event', 'person', 'cohort'] as const;

type Source = (typeof sources)[number];

/** Null without a value. */
const valueParameter = (description: string, example?: unknown) =>
  jsonParam({ description, example, schema: textOrTexts }, (value, attr) =>
    value === undefined ? null : readTexts(value, attr),
  );

/** One entry of `breakdowns`. Null: as the parameter of the whole question has it. */
interface Entry {
  readonly source: Source;
  readonly property: unknown;
  readonly attr: string;
  readonly normalizesUrl: boolean | null;
  readonly binCount: number | null;
  /** Of cohorts: those at the time of the event. */
  readonly atEvent: boolean;
}

const entryKeys = ['property', 'type', 'normalize_url', 'histogram_bin_count'];
const entryKeysOfCohort = [...entryKeys, 'at'];

const readEntry = (value: unknown, attr: string): Entry => {
  const fields = requireObject(value, attr);
  // Clients of the reference product send a null for what only groups have.
  const isIgnored = (key: string, sent: unknown) => key === 'group_type_index' && sent === null;
  const known = fields.type === 'cohort' ? entryKeysOfCohort : entryKeys;
  assertOnlyKeys(fields, attr, { known, isIgnored });
  const { property, type, normalize_url: normalizesUrl, histogram_bin_count: binCount, at } = fields;
  return {
    source: (type ?? null) === null ? 'event' : readChoice(type, `${attr}.type`, sources),
    property,
    attr: `${attr}.property`,
    normalizesUrl: (normalizesUrl ?? null) === null ? null : readJsonBoolean(normalizesUrl, `${attr}.normalize_url`),
    binCount: (binCount ?? null) === null ? null : readInteger(binCount, `${attr}.histogram_bin_count`, bins),
    atEvent: (at ?? null) !== null && readChoice(at, `${attr}.at`, membershipTimes) === 'event',
  };
};

export const breakdownParameters = {
  breakdown: jsonParam(
    {
      description: `A property key or a list of at most ${maxBreakdownKeys} keys; for cohorts a list of at most ${maxBreakdownCohorts} ids. \`all\` means all persons.`,
      schema: breakdownSchema,
      example: '$browser',
    },
    (value): readonly unknown[] => (value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value]),
  ),
  breakdown_type: choiceParam(sources, { description: 'The source of the property.', fallback: 'event' }),
  breakdowns: jsonParam(
    {
      description: `In place of \`breakdown\`: at most ${maxBreakdownKeys} properties of different types, \`{"property":"$browser","type":"event"}\`. With type \`cohort\`, \`property\` is an id, \`all\` or a list of them, and a person has each cohort it is in as a value; persons in none of them do not count. All cohorts together have at most ${maxBreakdownCohorts} combinations. In trends \`"at":"event"\` beside it means the cohorts that the person was in at the time of the event. An entry may have \`normalize_url\` and \`histogram_bin_count\` of its own.`,
      schema: listSchema(schemaNamed('Breakdown'), maxBreakdownKeys),
      example: [],
    },
    (value, attr) => requireList(value, attr, maxBreakdownKeys).map((entry, at) => readEntry(entry, `${attr}.${at}`)),
  ),
  breakdown_value: valueParameter(
    'Only persons with this value, a list of values for several properties; `""` is a missing property.',
  ),
  breakdown_limit: integerParam({
    description:
      'Number of values: the most frequent ones. All others become "Other". Without this parameter a histogram has all of its bins.',
    min: 1,
    max: 1000,
    fallback: 25,
  }),
  breakdown_normalize_url: booleanParam({
    description:
      'Leaves out `/`, `?` and `#` at the end of values, so that `/pricing/` and `/pricing?` are `/pricing`; what is empty then is `/`.',
    fallback: false,
    example: false,
  }),
  breakdown_histogram_bin_count: integerParam({
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
      key: keyOf(entry),
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
  const entry = { source, normalizesUrl: null, binCount: null, atEvent: false };
  if (source === 'cohort') return [{ ...entry, property: items, attr: 'breakdown' }];
  if (items.length > maxBreakdownKeys) {
    throw invalidInput(`breakdown must have at most ${maxBreakdownKeys} properties`, 'breakdown');
  }
  return items.map((property, at) => ({ ...entry, property, attr: `breakdown.${at}` }));
};

const limitOf = (params: Params, [first, ...others]: readonly BreakdownPart[]): number => {
  const limit = params.reader(breakdownParameters)('breakdown_limit');
  const isHistogram = first?.kind === 'property' && typeof first.bins === 'number' && others.length === 0;
  // All bins, and the missing values.
  return isHistogram && !params.has('breakdown_limit') ? Math.max(limit, Number(first.bins) + 1) : limit;
};

const keyOf = ({ property, attr }: Entry): string => {
  if (typeof property === 'string' && property !== '' && property.length <= 400) return property;
  throw invalidInput(`${attr} must be a property key, a text of 1 to 400 characters`, attr);
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

/** Several entries of cohorts multiply: each combination of their cohorts is a value. */
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
