import { invalidInput } from '../../common/errors/problem.js';

/** An item at its place in a path, `2_/pricing`; places count from 1. */
export interface PathKey {
  readonly step: number;
  readonly item: string;
}

/** What stands in a path for items that were left out of its middle. */
export const omission = '...';

export const keyText = ({ step, item }: PathKey): string => `${step}_${item}`;

export const readPathKey = (text: string, attr: string): PathKey => {
  const [, step, item] = /^([1-9]\d?)_(.*)$/s.exec(text) ?? [];
  if (step !== undefined && item !== undefined) return { step: Number(step), item };
  throw invalidInput(`${attr} must be a place and an item as in the edges, such as 2_/pricing`, attr);
};
