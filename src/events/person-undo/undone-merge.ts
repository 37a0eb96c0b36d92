import { conflict } from '../../common/errors/problem.js';
import { type HistoryPlan, homesOf, mergesOf, planHistory, splitsOf } from '../../persons/undo/history-plan.js';
import { type ListedMerge, whyNotUndone, whySplitOff, whyUndoSplit } from '../../persons/undo/merge-list.js';
import { type MergeRecord } from '../../persons/undo/merge-records.js';
import { type UnbroughtId, type WrittenState } from '../../persons/undo/part-person.js';
import { partedCohorts, type PartedCohorts } from '../../persons/undo/parted-cohorts.js';
import {
  type History,
  type PersonBase,
  Replay,
  type ReplayedSplit,
  withUnexplained,
} from '../../persons/undo/replay.js';
import { type ReplayedPerson } from '../../persons/undo/replayed-person.js';
import { type CurrentPerson } from '../../persons/undo/current-person.js';
import { type RecordedHistory } from './recorded-history.js';

export const refuseUnlessPossible = (merge: ListedMerge, now: Date): void => {
  const reason = whyNotUndone(merge, now);
  if (reason !== null) throw conflict(`merge ${merge.id} cannot be undone: ${reason}`);
};

/** What both persons are after a merge is undone. */
export interface UndoneMerge {
  readonly survivor: WrittenState;
  readonly restored: WrittenState;
  readonly distinctIds: readonly string[];
  /** Persons that were merged into the restored one. */
  readonly redirects: readonly string[];
  readonly cohorts: PartedCohorts;
  readonly unbrought: readonly UnbroughtId[];
  readonly retargeted: readonly { readonly id: string; readonly survivor: string }[];
}

/** Computes it from the records and the log. The person must be locked. */
export const undoneMerge = async (
  recorded: RecordedHistory,
  root: CurrentPerson,
  target: Pick<ListedMerge, 'id' | 'merged' | 'merged_at'>,
): Promise<UndoneMerge> => {
  const merges = await recorded.merges(root.id);
  const splits = await recorded.splits([root.id]);
  const plan = planHistory({ merges, splits }, root.id, { merge: target.id, at: target.merged_at });
  const history = await historyOf(recorded, plan, root.id, [root.id]);
  const [explained, apart] = [new Replay(history, null), new Replay(history, target.id)];
  await replay(recorded, history, [explained, apart]);
  const before = explained.personOf(root.id);
  const [survivor, restored] = [apart.personOf(root.id), apart.personOf(target.merged)];
  if (survivor === restored) throw conflict(`merge ${target.id} cannot be undone: later merges depend on it`);
  if (apart.hasStrayed) throw conflict(`merge ${target.id} cannot be undone: ${whySplitOff}`);
  const placed = [...history.placed].flatMap(([id, person]) => (person === root.id ? [id] : []));
  const distinctIds = placed.filter((id) => apart.ownerOf(id) === restored);
  if (distinctIds.length === 0 || distinctIds.length === placed.length) {
    throw conflict(
      `merge ${target.id} cannot be undone: one of the persons would have no distinct id, ${whyUndoSplit}`,
    );
  }
  const inEffect = mergesOf(plan);
  const leaves = (person: string): boolean => plan.bases.has(person) && apart.personOf(person) === restored;
  const leaving = inEffect.filter(({ merged }) => leaves(merged));
  return {
    survivor: actualState(survivor, before, root),
    restored: stateOf(restored, target.merged_at),
    distinctIds,
    redirects: redirectsOf(
      merges,
      leaving.map(({ merged }) => merged),
    ),
    cohorts: partedCohorts(plan.merges, { root: root.id, current: root.cohorts, leaves }),
    unbrought: unbroughtIds(
      plan.merges.filter(({ merged, undone_at }) => undone_at === null && !leaves(merged)),
      history.splits,
      new Set(distinctIds),
    ),
    retargeted: leaving.flatMap(({ id, survivor: before }) => {
      const now = apart.survivorOf(id);
      return now === null || leaves(before) ? [] : [{ id, survivor: now }];
    }),
  };
};

/**
 * The ids of these merges that leave with the other person, so that the merges did not bring them. One that was split off later
 * was brought, and left by the split.
 */
const unbroughtIds = (
  staying: readonly MergeRecord[],
  splits: readonly ReplayedSplit[],
  moved: ReadonlySet<string>,
): UnbroughtId[] =>
  staying.flatMap(({ id, merged_at, distinct_ids }) => {
    const later = new Set(splits.flatMap(({ distinctId, at }) => (at >= merged_at ? [distinctId] : [])));
    return distinct_ids.flatMap((distinctId) =>
      moved.has(distinctId) && !later.has(distinctId) ? [{ merge_id: id, distinct_id: distinctId }] : [],
    );
  });

interface PlacedHistory extends History {
  /** The person that each distinct id belongs to now. */
  readonly placed: ReadonlyMap<string, string>;
}

/** The history of a plan, with the distinct ids of some persons and those that were split off. */
export const historyOf = async (
  recorded: RecordedHistory,
  plan: HistoryPlan,
  root: string,
  persons: readonly string[],
): Promise<PlacedHistory> => {
  const splits = splitsOf(plan);
  const splitOff = splits.map(({ distinctId }) => distinctId);
  const ids = await recorded.ids(persons, splitOff);
  return {
    bases: await basesOf(recorded, plan),
    merges: mergesOf(plan),
    splits,
    ids: homesOf(plan, root, ids),
    placed: new Map(ids.map(({ distinct_id, person_id }) => [distinct_id, person_id])),
  };
};

/** Lets several replays go through one history. */
export const replay = async (recorded: RecordedHistory, { bases, ids }: History, replays: readonly Replay[]) => {
  const since = new Date(Math.min(...[...bases.values()].map((base) => base.since.getTime())));
  await recorded.events([...ids.keys()], since, (event) => {
    for (const each of replays) each.take(event);
  });
  for (const each of replays) each.finish();
};

const basesOf = async (recorded: RecordedHistory, { bases }: HistoryPlan): Promise<Map<string, PersonBase>> => {
  const states = new Map<string, PersonBase>();
  for (const [person, { source, at, isForgotten }] of bases) {
    if (isForgotten) {
      throw conflict('this cannot be undone: a person whose properties its record contained was deleted since');
    }
    const { properties, is_identified, created_at } = await recorded.state(source);
    states.set(person, { properties, isIdentified: is_identified, createdAt: created_at, since: at });
  }
  return states;
};

/** The persons that leave, and all that had been merged into them when they were merged. */
const redirectsOf = (all: readonly MergeRecord[], leaving: readonly string[]): readonly string[] => {
  const persons = new Set(leaving);
  return [
    ...persons,
    ...all.flatMap(({ merged, undone_at, redirects }) => (undone_at === null && persons.has(merged) ? redirects : [])),
  ];
};

const stateOf = ({ properties, isIdentified, createdAt }: ReplayedPerson, otherwise: Date): WrittenState => ({
  properties: properties.toObject(),
  isIdentified,
  createdAt: createdAt ?? otherwise,
});

/** What the log does not explain stays with the person that has it. */
export const actualState = (result: ReplayedPerson, explained: ReplayedPerson, actual: CurrentPerson): WrittenState => {
  const { properties, isIdentified, createdAt } = stateOf(result, actual.created_at);
  const isOlder = explained.createdAt !== null && actual.created_at < explained.createdAt;
  return {
    properties: withUnexplained(properties, explained.properties.toObject(), actual.properties),
    isIdentified: isIdentified || (actual.is_identified && !explained.isIdentified),
    createdAt: isOlder && actual.created_at < createdAt ? actual.created_at : createdAt,
  };
};
