import { invalidInput } from '../../platform/errors/problem.js';
import { type Filter, type FilterLeaf, type PropertyFilter } from './filter.js';

/** The limits on the sum of all filters of one question or one cohort definition. */
export const filterLimits = {
  filters: 500,
  values: 5_000,
  /** `exact` and `is_not` look up a value in a list; every other operator compares with each of its values. */
  comparisons: 1_000,
  characters: 500_000,
  patterns: 200,
} as const;

type Limit = keyof typeof filterLimits;

const meanings: Readonly<Record<Limit, string>> = {
  filters: 'filters; filters beside any_of count once for each of its parts',
  values: 'values in filters',
  comparisons: 'values in filters with operators other than exact and is_not',
  characters: 'characters in the keys and values of filters',
  patterns: 'regular expressions in filters',
};

const limits = Object.keys(filterLimits) as Limit[];

/** Checks the sum of all lists; each list has a limit of its own where it is read. `subject` names the owner of the filters. */
export const assertWithinLimits = (filter: Filter, attr: string, subject = 'The question'): void => {
  const sums: Record<Limit, number> = { filters: 0, values: 0, comparisons: 0, characters: 0, patterns: 0 };
  const count = (part: Filter): void => {
    if (part.kind === 'group') return part.parts.forEach(count);
    const sizes = sizesOf(part);
    for (const limit of limits) {
      sums[limit] += sizes[limit];
      if (sums[limit] <= filterLimits[limit]) continue;
      const most = filterLimits[limit].toLocaleString('en');
      throw invalidInput(`${subject} must have at most ${most} ${meanings[limit]}`, attr);
    }
  };
  count(filter);
};

const sizesOf = (leaf: FilterLeaf): Readonly<Record<Limit, number>> => {
  if (leaf.kind === 'cohort') return { filters: 1, values: 1, comparisons: 0, characters: 0, patterns: 0 };
  if (leaf.kind === 'expression')
    return { filters: 1, values: 0, comparisons: 0, characters: leaf.text.length, patterns: 0 };
  const values = leaf.values.length;
  return {
    filters: 1,
    values,
    comparisons: isLookUp(leaf) ? 0 : values,
    characters: leaf.values.reduce<number>((sum, value) => sum + String(value).length, leaf.key.length),
    patterns: isRegex(leaf) ? values : 0,
  };
};

const isLookUp = ({ operator, source, key }: PropertyFilter): boolean =>
  (operator === 'exact' || operator === 'is_not') && !(source === 'event_metadata' && key === 'timestamp');

export const isRegex = ({ operator }: PropertyFilter): boolean => operator === 'regex' || operator === 'not_regex';
