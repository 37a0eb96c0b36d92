import { invalidInput } from '../../platform/errors/problem.js';

/** An item with its step in a path, such as `2_/pricing`; steps count from 1. */
export interface PathKey {
  readonly step: number;
  readonly item: string;
}

/** The item that stands for the omitted middle of a path. */
export const omission = '...';

export const keyText = ({ step, item }: PathKey): string => `${step}_${item}`;

export const readPathKey = (text: string, attr: string): PathKey => {
  const [, step, item] = /^([1-9]\d?)_(.*)$/s.exec(text) ?? [];
  if (step !== undefined && item !== undefined) return { step: Number(step), item };
  throw invalidInput(`${attr} must be a step and an item as in the edges, such as 2_/pricing`, attr);
};
