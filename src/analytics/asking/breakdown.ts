import { invalidInput, required } from '../../common/errors/problem.js';
import { integerParam, jsonParam, choiceParam } from '../../common/params/parameter.js';
import { readTexts } from '../../common/params/values.js';
import { allOf, type Filter } from '../../filters/filter.js';
import { type Params } from './question-params.js';
import { readSmallId } from '../../common/ids.js';

export const maxBreakdownKeys = 5;
export const maxBreakdownCohorts = 25;

/** Null where no value is named. */
const valueParameter = (description: string, example?: unknown) =>
  jsonParam({ description, example, schema: {} }, (value, attr) =>
    value === undefined ? null : readTexts(value, attr),
  );

export const breakdownParameters = {
  breakdown: jsonParam(
    {
      description: `Property key or list of them, ${maxBreakdownKeys} at most; for cohorts a list of ids, ${maxBreakdownCohorts} at most, \`all\` being everyone.`,
      schema: {},
      example: '$browser',
    },
    (value): readonly unknown[] => (value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value]),
  ),
  breakdown_type: choiceParam(['event', 'person', 'cohort'], {
    description: 'Whose property it is.',
    fallback: 'event',
  }),
  breakdown_value: valueParameter('Persons of this value only; `""` is a missing one.'),
  breakdown_limit: integerParam({
    description: 'The most frequent so many; the rest is "Other".',
    min: 1,
    max: 1000,
    fallback: 25,
  }),
};

/** A funnel knows the value by a second name. */
export const breakdownValueOfStep = {
  funnel_step_breakdown: valueParameter('Another name of `breakdown_value`.', 'Chrome'),
};

/** By which property of the event or its person numbers are split, or by which cohorts. */
export type Breakdown =
  | {
      readonly kind: 'property';
      readonly source: 'event' | 'person';
      readonly keys: readonly string[];
      readonly limit: number;
    }
  | {
      readonly kind: 'cohort';
      /** `all`: everyone. */
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

/** What a scope must look up before the breakdown can be compiled. */
export const filterOfBreakdown = (breakdown: Breakdown | null): Filter =>
  breakdown?.kind !== 'cohort'
    ? allOf()
    : allOf(
        ...breakdown.cohorts.flatMap((cohortId) =>
          cohortId === 'all' ? [] : [{ kind: 'cohort' as const, cohortId, negated: false }],
        ),
      );

/** One value of a breakdown as asked for: a text, or a list of as many texts as there are keys. */
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
