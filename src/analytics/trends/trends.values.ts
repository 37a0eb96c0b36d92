import { type Breakdown, type CohortPart } from '../shared/breakdown.js';

/**
 * The breakdown values of a series; rows of ClickHouse name values by position, from 1. In a breakdown by cohort alone they
 * are the cohorts of the request. Otherwise they are the most frequent values, as ClickHouse writes them, and position 0 is
 * all other values.
 */
export type TrendsValues =
  | { readonly kind: 'none' }
  | { readonly kind: 'property'; readonly keys: readonly string[]; readonly hasRest: boolean }
  | { readonly kind: 'cohort'; readonly part: CohortPart };

/** The values of a key. Several parts share one key: the JSON of their values. */
export const partsOfKey = (key: string, { parts }: Breakdown): readonly string[] =>
  parts.length === 1 ? [key] : (JSON.parse(key) as string[]);

export const positionsOf = (values: TrendsValues): number[] => {
  if (values.kind === 'none') return [0];
  const count = values.kind === 'property' ? values.keys.length : values.part.cohorts.length;
  const positions = Array.from({ length: count }, (_, at) => at + 1);
  return values.kind === 'property' && values.hasRest ? [...positions, 0] : positions;
};
