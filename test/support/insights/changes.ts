import fc from 'fast-check';
import { clockChanges, distinctIds, ghost, timeNear, type Stream, type StreamMerge } from './stream.js';

/** A change of persons after the first question: one is merged into another, or is split. */
export type Change =
  | { readonly kind: 'merge'; readonly merge: StreamMerge }
  /** Of the ids of a person this one stays and the others leave, or it leaves alone. */
  | { readonly kind: 'split'; readonly distinctId: string; readonly role: 'stays' | 'leaves' };

const anybody = fc.constantFrom(...distinctIds, ghost);

/** Also of the one who had no person: it gets one then, with all it ever did. */
const mergeNear = (moment: number): fc.Arbitrary<Change> =>
  fc
    .record({
      uuid: fc.uuid({ version: 4 }),
      kind: fc.constantFrom('identify' as const, 'alias' as const),
      distinctId: anybody,
      other: anybody,
      timestamp: timeNear(moment),
    })
    .filter(({ distinctId, other }) => distinctId !== other)
    .map((merge) => ({ kind: 'merge', merge }));

const split: fc.Arbitrary<Change> = fc.record({
  kind: fc.constant('split' as const),
  distinctId: fc.constantFrom(...distinctIds),
  role: fc.constantFrom('stays' as const, 'leaves' as const),
});

/** Each at least once, in any order. */
export const changesOf = ({ zone }: Stream): fc.Arbitrary<readonly Change[]> => {
  const merge = mergeNear(Date.parse(clockChanges[zone]?.[0] ?? ''));
  return fc
    .tuple(merge, split, fc.array(fc.oneof(merge, split), { maxLength: 2 }))
    .chain(([one, other, more]) => fc.shuffledSubarray([one, other, ...more], { minLength: 2 + more.length }));
};
