import { type MergeRecord, type Side } from './merge-records.js';
import { type ReplayedId, type ReplayedMerge, type ReplayedSplit } from './replay.js';
import { type SplitRecord } from './split-records.js';

/** Where the state of a person before a merge or a split is recorded. */
export type StateSource = { readonly merge: string; readonly side: Side } | { readonly split: string };

/** The record that has the state from which a person is replayed. */
export interface BaseRecord {
  readonly source: StateSource;
  readonly at: Date;
  readonly lastPosition: string;
  readonly isForgotten: boolean;
}

/** What is recorded about a person and its parts, in the order in which it happened. */
export interface Records {
  readonly merges: readonly MergeRecord[];
  readonly splits: readonly SplitRecord[];
}

export interface HistoryPlan extends Records {
  readonly bases: ReadonlyMap<string, BaseRecord>;
}

/** The moment of a split, or a merge. */
export interface HistoryStart {
  readonly at: Date;
  readonly merge?: string;
}

/**
 * Chooses the records that the history since a moment needs. What a record says about a person is of no use when it was
 * written while a merge or a split was in effect that is undone now: the history then begins with that merge or split.
 */
export const planHistory = (all: Records, root: string, since: HistoryStart): HistoryPlan => {
  let { at, first } = placeOf(all.merges, since);
  for (;;) {
    const merge = all.merges.slice(0, first).find(({ undone_at }) => undone_at !== null && undone_at > at);
    const split = all.splits.find(({ split_at, undone_at }) => split_at < at && undone_at !== null && undone_at > at);
    if (merge) ({ at, first } = placeOf(all.merges, { at: merge.merged_at, merge: merge.id }));
    else if (split) ({ at, first } = placeOf(all.merges, { at: split.split_at }));
    else break;
  }
  const merges = all.merges.slice(first);
  const splits = all.splits.filter(({ split_at }) => split_at >= at);
  const persons = merges.flatMap(({ merged, survivor, undone_at }) => (undone_at === null ? [merged, survivor] : []));
  const bases = new Map<string, BaseRecord>();
  for (const person of new Set([root, ...persons])) {
    const base = baseOf({ merges, splits }, person);
    if (base) bases.set(person, base);
  }
  return { merges, splits, bases };
};

/** The states of all records of one commit are those before the commit. */
const placeOf = (merges: readonly MergeRecord[], { at, merge }: HistoryStart): { at: Date; first: number } => {
  const first = merges.findIndex(({ id, merged_at }) =>
    merge === undefined ? merged_at >= at : id === merge || merged_at.getTime() === at.getTime(),
  );
  return { at, first: first < 0 ? merges.length : first };
};

const baseOf = ({ merges, splits }: Records, person: string): BaseRecord | undefined => {
  const merge = merges.find(({ survivor, merged }) => survivor === person || merged === person);
  const split = splits.find(({ person_id }) => person_id === person);
  if (split && (!merge || split.split_at < merge.merged_at)) {
    const { id, split_at, last_position, is_forgotten } = split;
    return { source: { split: id }, at: split_at, lastPosition: last_position, isForgotten: is_forgotten };
  }
  if (!merge) return undefined;
  const { id, merged_at, last_position, is_forgotten } = merge;
  const side = merge.merged === person ? 'merged' : 'survivor';
  return { source: { merge: id, side }, at: merged_at, lastPosition: last_position, isForgotten: is_forgotten };
};

/** The merges that are not undone. */
export const mergesOf = (plan: Records): ReplayedMerge[] => {
  const splitOff = new Set(splitsOf(plan).map(({ distinctId }) => distinctId));
  return plan.merges.flatMap(({ id, survivor, merged, reason, event_uuid, merged_at, undone_at, distinct_ids }) => {
    if (undone_at !== null) return [];
    const returning = distinct_ids.filter((distinctId) => splitOff.has(distinctId));
    return [{ id, survivor, merged, reason, eventUuid: event_uuid, mergedAt: merged_at, returning }];
  });
};

/** The distinct ids that were split off and did not come back by an undo. */
export const splitsOf = ({ splits }: Records): ReplayedSplit[] =>
  splits.flatMap(({ person_id, split_at, ids }) =>
    ids.flatMap(({ distinct_id, person_id: to, is_undone }) =>
      is_undone ? [] : [{ distinctId: distinct_id, from: person_id, to, at: split_at }],
    ),
  );

export interface PlacedId {
  readonly distinct_id: string;
  readonly position: string;
}

/**
 * Whose the distinct ids were: the person with which each first came, or from which it was first split off. A merge that is undone
 * says nothing about that any longer, because ids that it brought may have gone to other persons by a later undo.
 */
export const homesOf = (plan: HistoryPlan, root: string, ids: readonly PlacedId[]): Map<string, ReplayedId> => {
  const { merges, bases } = plan;
  const named = [
    ...merges.flatMap(({ merged, distinct_ids, merged_at, undone_at }) =>
      undone_at === null ? distinct_ids.map((id) => ({ id, home: merged, at: merged_at })) : [],
    ),
    ...splitsOf(plan).map(({ distinctId, from, at }) => ({ id: distinctId, home: from, at })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  const first = new Map<string, string>();
  for (const { id, home } of named) if (bases.has(home) && !first.has(id)) first.set(id, home);
  return new Map(
    ids.map(({ distinct_id, position }) => {
      const home = first.get(distinct_id) ?? root;
      const known = bases.get(home)?.lastPosition;
      return [distinct_id, { home, isNew: known !== undefined && isBefore(known, position) }];
    }),
  );
};

const isBefore = (a: string, b: string): boolean => BigInt(a) < BigInt(b);
