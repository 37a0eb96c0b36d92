import { invalidInput, required } from '../../common/errors/problem.js';
import { integerParam, jsonParam, choiceParam } from '../../common/params/parameter.js';
import { readTexts } from '../../common/params/values.js';
import { allOf, type Filter } from '../../filters/filter.js';
import { type Params } from './question-params.js';
import { readSmallId } from '../../common/ids.js';

export const maxBreakdownKeys = 5;
export const maxBreakdownCohorts = 25;

/** Null without a value. */
const valueParameter = (description: string, example?: unknown) =>
  jsonParam({ description, example, schema: {} }, (value, attr) =>
    value === undefined ? null : readTexts(value, attr),
  );

export const breakdownParameters = {
  breakdown: jsonParam(
    {
      description: `A property key or a list of at most ${maxBreakdownKeys} keys; for cohorts a list of at most ${maxBreakdownCohorts} ids. \`all\` means all persons.`,
      schema: {},
      example: '$browser',
    },
    (value): readonly unknown[] => (value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value]),
  ),
  breakdown_type: choiceParam(['event', 'person', 'cohort'], {
    description: 'The source of the property.',
    fallback: 'event',
  }),
  breakdown_value: valueParameter('Only persons with this value; `""` is a missing property.'),
  breakdown_limit: integerParam({
    description: 'Number of values: the most frequent ones. All others become "Other".',
    min: 1,
    max: 1000,
    fallback: 25,
  }),
};

/** In a funnel the value has a second name. */
export const breakdownValueOfStep = {
  funnel_step_breakdown: valueParameter('Another name of `breakdown_value`.', 'Chrome'),
};

/** The property of events or persons, or the cohorts, by which numbers are split. */
export type Breakdown =
  | {
      readonly kind: 'property';
      readonly source: 'event' | 'person';
      readonly keys: readonly string[];
      readonly limit: number;
    }
  | {
      readonly kind: 'cohort';
      /** `all`: all persons. */
      readonly cohorts: readonly (number | 'all')[];
      readonly limit: number;
    };

export const readBreakdown = (params: Params): Breakdown | null => {
  const read = params.reader(breakdownParameters);
  const items = read('breakdown');
  if (items.length === 0) return null;
  const source = read('breakdown_type');
  const limit = read('breakdown_limit');
  if (source === 'cohort') {
    if (items.length > maxBreakdownCohorts) {
      throw invalidInput(`breakdown must have at most ${maxBreakdownCohorts} cohorts`, 'breakdown');
    }
    return { kind: 'cohort', cohorts: items.map(cohortOf), limit };
  }
  if (items.length > maxBreakdownKeys) {
    throw invalidInput(`breakdown must have at most ${maxBreakdownKeys} properties`, 'breakdown');
  }
  return { kind: 'property', source, keys: items.map(keyOf), limit };
};

const keyOf = (item: unknown, at: number): string => {
  if (typeof item === 'string' && item !== '' && item.length <= 400) return item;
  throw invalidInput('breakdown must be a property key or a list of them', `breakdown.${at}`);
};

const cohortOf = (item: unknown, at: number): number | 'all' => {
  if (item === 'all') return 'all';
  const id = readSmallId(item);
  if (id !== null) return id;
  throw invalidInput('breakdown must be a list of cohort ids, or "all"', `breakdown.${at}`);
};

/** The filter that a question scope must resolve before the breakdown can be compiled. */
export const filterOfBreakdown = (breakdown: Breakdown | null): Filter =>
  breakdown?.kind !== 'cohort'
    ? allOf()
    : allOf(
        ...breakdown.cohorts.flatMap((cohortId) =>
          cohortId === 'all' ? [] : [{ kind: 'cohort' as const, cohortId, negated: false }],
        ),
      );

/** The requested value of a breakdown: one text, or a list with one text for each key. */
export const readBreakdownValue = (
  params: Params,
  name: 'breakdown_value' | 'funnel_step_breakdown' = 'breakdown_value',
): readonly string[] | null => {
  if (params.raw(name) === '') return [''];
  return params.reader({ ...breakdownParameters, ...breakdownValueOfStep })(name);
};

export const demandBreakdown = (breakdown: Breakdown | null): Breakdown => {
  if (breakdown === null) throw required('breakdown');
  return breakdown;
};
