import { invalidInput } from '../../common/errors/problem.js';
import { type Params } from '../asking/question-params.js';

/** An item at its place in a path, `2_/pricing`; places count from 1. */
export interface PathKey {
  readonly step: number;
  readonly item: string;
}

/** What stands in a path for items that were left out of its middle. */
export const omission = '...';

export const keyText = ({ step, item }: PathKey): string => `${step}_${item}`;

export const readPathKey = (params: Params, name: string): PathKey | null => {
  const text = params.text(name);
  if (text === undefined) return null;
  const [, step, item] = /^([1-9]\d?)_(.*)$/s.exec(text) ?? [];
  if (step !== undefined && item !== undefined) return { step: Number(step), item };
  throw invalidInput(`${name} must be a place and an item as in the edges, such as 2_/pricing`, name);
};
