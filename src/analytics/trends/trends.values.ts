import { type Breakdown } from '../asking/breakdown.js';

/**
 * The values that a series is split by; rows of the store name them by their place. Of a property they are the most frequent ones,
 * as the store writes them: place 0 is everything else. Of cohorts: those asked for, from 1.
 */
export type TrendsValues =
  | { readonly kind: 'none' }
  | { readonly kind: 'property'; readonly keys: readonly string[]; readonly hasRest: boolean }
  | { readonly kind: 'cohort'; readonly cohorts: readonly (number | 'all')[] };

/** Several properties make one text: the JSON of their values. */
export const partsOfKey = (key: string, { keys }: Extract<Breakdown, { kind: 'property' }>): readonly string[] =>
  keys.length === 1 ? [key] : (JSON.parse(key) as string[]);

export const placesOf = (values: TrendsValues): number[] => {
  if (values.kind === 'none') return [0];
  const count = values.kind === 'property' ? values.keys.length : values.cohorts.length;
  const places = Array.from({ length: count }, (_, at) => at + 1);
  return values.kind === 'property' && values.hasRest ? [...places, 0] : places;
};
