import { invalidInput, required } from '../../common/errors/problem.js';
import { allOf, type Filter } from '../../filters/filter.js';
import { type Params } from './question-params.js';
import { readSmallId } from '../../common/ids.js';

export const maxBreakdownLimit = 1000;
export const maxBreakdownKeys = 5;
export const maxBreakdownCohorts = 25;

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
  const given = params.json('breakdown');
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return null;
  const source = params.choice('breakdown_type', ['event', 'person', 'cohort'], 'event');
  const limit = params.integer('breakdown_limit', { min: 1, max: maxBreakdownLimit, fallback: 25 });
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
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
export const readBreakdownValue = (params: Params, name = 'breakdown_value'): readonly string[] | null => {
  if (params.raw(name) === '') return [''];
  return params.texts(name) ?? null;
};

export const demandBreakdown = (breakdown: Breakdown | null): Breakdown => {
  if (breakdown === null) throw required('breakdown');
  return breakdown;
};
