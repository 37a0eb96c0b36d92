import { type Question } from '../../address/search';
import { readEntity, type Entity } from '../question/entities';

/** An event that ends an attempt if it happens between two steps, whose indexes count from 0. */
export interface Exclusion extends Entity {
  readonly funnel_from_step?: number;
  readonly funnel_to_step?: number;
}

export const maxExclusions = 10;

export const readExclusions = ({ exclusions }: Question): Exclusion[] =>
  Array.isArray(exclusions) ? exclusions.map(readEntity).filter((entity) => entity !== null) : [];

/** Without those between steps that the funnel does not have. */
export const fittedExclusions = (exclusions: readonly Exclusion[], steps: number): Exclusion[] | undefined => {
  const fitting = exclusions.filter(({ funnel_from_step = 0, funnel_to_step = steps - 1 }) => {
    return funnel_to_step < steps && funnel_from_step < funnel_to_step;
  });
  return fitting.length === 0 ? undefined : fitting;
};
