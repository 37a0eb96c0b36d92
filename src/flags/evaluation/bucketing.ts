import { hash } from 'node:crypto';
import { type Variant } from '../definition/rules.js';

/** The largest number of 15 hexadecimal digits, which SDKs round to this. */
export const largest = 2 ** 60;

/** A number from 0 to 1 that follows from the text alone: the same for everyone who computes it, in any SDK. */
const shareOf = (text: string): number => Number.parseInt(hash('sha1', text).slice(0, 15), 16) / largest;

/** `id` is the distinct id of a person or the key of a group. Published by the reference product, whose SDKs compute it, too. */
export const isWithin = (key: string, id: string, percentage: number): boolean =>
  percentage >= 100 || shareOf(`${key}.${id}`) <= percentage / 100;

export const isHeldOut = (id: string, percentage: number): boolean =>
  percentage >= 100 || shareOf(`holdout-${id}`) <= percentage / 100;

/** The variant whose part of the range contains the number of the id; null if there is none. */
export const variantFor = (key: string, id: string, variants: readonly Variant[]): string | null => {
  if (variants.length === 0) return null;
  const share = shareOf(`${key}.${id}variant`);
  let from = 0;
  for (const { key: name, rollout_percentage: percentage } of variants) {
    const until = from + percentage / 100;
    if (share >= from && share < until) return name;
    from = until;
  }
  return null;
};
