import { type Checked, accept } from './checked.js';
import { cookielessId, cookielessWarning, distinctIdText, isIllegalDistinctId } from './distinct-id.js';
import { type JsonObject } from './json.js';
import { type EventWarnings, noWarnings } from './warning.js';

/** An event's request that the person of `otherDistinctId` becomes part of the event's own person. */
export interface MergeRequest {
  kind: 'identify' | 'alias' | 'merge_dangerously';
  otherDistinctId: string;
}

const mergingEvents = new Map<string, { kind: MergeRequest['kind']; property: string }>([
  ['$identify', { kind: 'identify', property: '$anon_distinct_id' }],
  ['$create_alias', { kind: 'alias', property: 'alias' }],
  ['$merge_dangerously', { kind: 'merge_dangerously', property: 'alias' }],
]);

export const needsPersonProfile = (event: string): boolean => mergingEvents.has(event) || event === '$groupidentify';

interface MergeOutcome {
  merge: MergeRequest | null;
  warnings: EventWarnings;
}

const noMerge: MergeOutcome = { merge: null, warnings: noWarnings };

/** Checks what can be decided without the persons; whether an identified person may be merged is decided later. */
export const mergeRequest = (event: string, distinctId: string, sent: JsonObject): Checked<MergeOutcome> => {
  const merging = mergingEvents.get(event);
  if (!merging) return accept(noMerge);
  const other = distinctIdText(sent[merging.property], `properties.${merging.property}`);
  if (!other.ok) return other;
  if (other.value === null) return accept(merging.kind === 'identify' ? noMerge : nothingToMerge(event));
  if (other.value === distinctId) return accept(noMerge);
  if (other.value === cookielessId) return accept({ merge: null, warnings: cookielessWarning });
  const illegal = [distinctId, other.value].find(isIllegalDistinctId);
  if (illegal !== undefined) return accept(illegalMerge(illegal));
  return accept({ merge: { kind: merging.kind, otherDistinctId: other.value }, warnings: noWarnings });
};

const nothingToMerge = (event: string): MergeOutcome => ({
  merge: null,
  warnings: [{ type: 'merge_without_other_distinct_id', detail: `${event} without properties.alias merges nothing` }],
});

const illegalMerge = (illegal: string): MergeOutcome => ({
  merge: null,
  warnings: [
    {
      type: 'cannot_merge_with_illegal_distinct_id',
      detail: `${JSON.stringify(illegal)} is shared by many users by mistake, persons are not merged by it`,
    },
  ],
});
