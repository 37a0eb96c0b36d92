import { type MergeRecord, type Side } from './merge-records.js';
import { type ReplayedId, type ReplayedMerge } from './replay.js';

/** The record that has the state from which a person is replayed. */
export interface BaseRecord {
  readonly record: MergeRecord;
  readonly side: Side;
}

export interface HistoryPlan {
  /** The records from the first one that matters, in the order of the merges, those of undone merges too. */
  readonly records: readonly MergeRecord[];
  readonly bases: ReadonlyMap<string, BaseRecord>;
  readonly merges: readonly ReplayedMerge[];
}

/**
 * Chooses the records that the history since a moment needs. What a record says about a person is of no use when it was
 * written while a merge was in effect that is undone now: the history then begins with that merge.
 */
export const planHistory = (
  all: readonly MergeRecord[],
  root: string,
  since: { id: string; at: Date },
): HistoryPlan => {
  let from = firstOf(all, since);
  for (;;) {
    const earlier = all.find(({ id, undone_at }) => isBefore(id, from.id) && undone_at !== null && undone_at > from.at);
    if (!earlier) break;
    from = firstOf(all, { id: earlier.id, at: earlier.merged_at });
  }
  const records = all.filter(({ id }) => !isBefore(id, from.id));
  const merges = records.filter(({ undone_at }) => undone_at === null);
  const bases = new Map<string, BaseRecord>();
  for (const person of new Set([root, ...merges.flatMap(({ merged, survivor }) => [merged, survivor])])) {
    const record = records.find(({ survivor, merged }) => survivor === person || merged === person);
    if (record) bases.set(person, { record, side: record.merged === person ? 'merged' : 'survivor' });
  }
  return {
    records,
    bases,
    merges: merges.map(({ id, survivor, merged, reason, event_uuid, merged_at }) => ({
      id,
      survivor,
      merged,
      reason,
      eventUuid: event_uuid,
      mergedAt: merged_at,
    })),
  };
};

const isBefore = (a: string, b: string): boolean => BigInt(a) < BigInt(b);

/** The states of all records of one commit are those before the commit. */
const firstOf = (all: readonly MergeRecord[], { id, at }: { id: string; at: Date }): { id: string; at: Date } => {
  const first = all.find(({ merged_at }) => merged_at.getTime() === at.getTime());
  return { id: first && isBefore(first.id, id) ? first.id : id, at };
};

export interface PlacedId {
  readonly distinct_id: string;
  readonly position: string;
}

/**
 * Whose the distinct ids of the person were: the person with which each first came. A merge that is undone says nothing about that
 * any longer, because ids that it brought may have gone to other persons by a later undo.
 */
export const homesOf = (
  { records, bases }: Pick<HistoryPlan, 'records' | 'bases'>,
  root: string,
  ids: readonly PlacedId[],
): Map<string, ReplayedId> => {
  const first = new Map<string, string>();
  for (const { merged, distinct_ids, undone_at } of records) {
    if (undone_at !== null || !bases.has(merged)) continue;
    for (const distinctId of distinct_ids) if (!first.has(distinctId)) first.set(distinctId, merged);
  }
  return new Map(
    ids.map(({ distinct_id, position }) => {
      const home = first.get(distinct_id) ?? root;
      const known = bases.get(home)?.record.last_position;
      return [distinct_id, { home, isNew: known !== undefined && isBefore(known, position) }];
    }),
  );
};
