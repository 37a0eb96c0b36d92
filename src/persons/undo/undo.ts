import { conflict } from '../../platform/errors/problem.js';
import { jsonEqual } from '../../kernel/identity/person-properties.js';
import { type LockedPerson } from '../../kernel/identity/locked-person.js';
import { type PersonState, type WorkingPerson } from '../../kernel/identity/person-group.js';
import {
  type ChangedRecords,
  type ListedMerge,
  type MergeRecord,
  undoableDays,
  undoableSince,
} from '../../kernel/identity/merges.repository.js';
import { changedIds, isMerge, readHistory, type RecordedHistory, replay } from './replay.js';
import { type OpenSplit } from '../../kernel/identity/splits.repository.js';

const whyUndoSplit = 'undo the split first';
const whySplitOff = `a distinct id that came with the merged person was split off since: ${whyUndoSplit}`;

/** Returns the reason why a merge cannot be undone; null when it can. */
export const whyNotUndone = (merge: ListedMerge, now: Date): string | null => {
  if (merge.undone_at !== null) return 'the merge was undone before';
  if (merge.merged_at < undoableSince(now)) return `the merge is older than ${undoableDays} days`;
  if (merge.is_forgotten) return 'a person whose properties the record contained was deleted since';
  if (merge.elsewhere > 0) return whySplitOff;
  return merge.here < merge.distinct_ids ? 'a distinct id that came with the merged person was deleted since' : null;
};

/** The state of everything that an undone merge changes. */
export interface UndoneMerge extends ChangedRecords {
  readonly survivor: PersonState;
  readonly restored: PersonState;
  /** The ids that move back to the restored person. */
  readonly distinctIds: readonly string[];
  /** The restored person, and the persons that were merged into it before. */
  readonly redirects: readonly string[];
  readonly cohorts: PartedCohorts;
}

export interface CurrentPerson extends LockedPerson {
  /** The static cohorts that the person is a member of. */
  readonly cohorts: readonly number[];
}

/** Computes both persons as if they had never been merged. The person must be locked. */
export const undoneMerge = async (
  stored: RecordedHistory,
  root: CurrentPerson,
  target: Pick<ListedMerge, 'id' | 'merged' | 'merged_at'>,
): Promise<UndoneMerge> => {
  const history = await readHistory(stored, target.merged_at, root.id);
  const { asItWas, without } = await replay(stored, history, { merge: target.id });
  const [survivor, restored] = [without.personOf(root.id), without.personOf(target.merged)];
  const current = [...history.ids].flatMap(([distinctId, { owner }]) => (owner === root.id ? [distinctId] : []));
  const distinctIds = current.filter((distinctId) => without.ownerOf(distinctId) === restored);
  const refuse = (reason: string) => conflict(`merge ${target.id} cannot be undone: ${reason}`);
  if (survivor === restored) throw refuse('later merges depend on it');
  if (without.hasStrayed) throw refuse(whySplitOff);
  if (distinctIds.length === 0 || distinctIds.length === current.length)
    throw refuse(`one of the persons would have no distinct id, ${whyUndoSplit}`);

  const leaves = (person: string): boolean => history.bases.has(person) && without.personOf(person) === restored;
  const merges = history.inEffect.filter(isMerge);
  const leaving = merges.filter(({ merged }) => leaves(merged));
  const moved = new Set(distinctIds);
  const leftAt = new Map(
    history.inEffect.flatMap((split) =>
      isMerge(split) ? [] : changedIds(split).map((id) => [id, split.split_at] as const),
    ),
  );
  // Among the merges that stay, the ones to correct: an id that moves back did not come with them, unless it was split off after
  // them.
  const isUnbrought = (merge: MergeRecord, id: string) => moved.has(id) && (leftAt.get(id) ?? 0) < merge.merged_at;
  return {
    survivor: withUnexplained(stateOf(survivor), asItWas.personOf(root.id), root),
    restored: stateOf(restored),
    distinctIds,
    redirects: leaving.flatMap(({ merged, redirects }) => [merged, ...redirects]),
    cohorts: partedCohorts(history.recorded.filter(isMerge), root, leaves),
    unbrought: merges
      .filter(({ merged }) => !leaves(merged))
      .flatMap((merge) =>
        merge.distinct_ids
          .filter((id) => isUnbrought(merge, id))
          .map((id) => ({ merge_id: merge.id, distinct_id: id })),
      ),
    retargeted: leaving.flatMap(({ id, survivor: recorded }) => {
      const actual = without.survivors.get(id);
      return actual === undefined || leaves(recorded) ? [] : [{ id, survivor: actual }];
    }),
  };
};

/** Computes the person as if the split had never made the separate persons. All persons must be locked. */
export const undoneSplit = async (
  stored: RecordedHistory,
  root: LockedPerson,
  separate: readonly LockedPerson[],
  { split_at }: Pick<OpenSplit, 'split_at'>,
): Promise<PersonState> => {
  const persons = separate.map(({ id }) => id);
  const history = await readHistory(stored, split_at, root.id, persons);
  const { asItWas, without } = await replay(stored, history, { persons: new Set(persons) });
  const state = withUnexplained(stateOf(without.personOf(root.id)), asItWas.personOf(root.id), root);
  return separate.reduce((all, person) => {
    const more = withUnexplained({ ...all, properties: {} }, asItWas.personOf(person.id), person);
    return { ...more, properties: { ...more.properties, ...all.properties } };
  }, state);
};

const stateOf = ({ properties, isIdentified, createdAt }: WorkingPerson): PersonState => ({
  properties: properties.toObject(),
  isIdentified,
  createdAt,
});

/** Adds to the state what the person has but the replay of the whole history does not explain, such as imported properties. */
const withUnexplained = (
  state: PersonState,
  { properties, isIdentified, createdAt }: WorkingPerson,
  actual: LockedPerson,
): PersonState => {
  const explained = properties.toObject();
  const isGone = (key: string) => Object.hasOwn(explained, key) && !Object.hasOwn(actual.properties, key);
  return {
    properties: Object.fromEntries([
      ...Object.entries(state.properties).filter(([key]) => !isGone(key)),
      ...Object.entries(actual.properties).filter(([key, value]) => !jsonEqual(value, properties.get(key))),
    ]),
    isIdentified: state.isIdentified || (actual.is_identified && !isIdentified),
    createdAt:
      actual.created_at < createdAt && actual.created_at < state.createdAt ? actual.created_at : state.createdAt,
  };
};

interface PartedCohorts {
  /** The static cohorts that the restored person is a member of. */
  readonly back: readonly number[];
  /** The static cohorts that the other person leaves, because it was a member through the restored person only. */
  readonly out: readonly number[];
}

/**
 * Divides the static cohorts between the survivor and the restored person. A cohort that the survivor was removed from since then
 * gets neither. A cohort that the survivor was added to since then keeps it, because the list named the survivor.
 */
const partedCohorts = (
  merges: readonly MergeRecord[],
  root: CurrentPerson,
  leaves: (person: string) => boolean,
): PartedCohorts => {
  const known = new Map<string, Set<number>>();
  const [leaving, staying] = [new Set<number>(), new Set<number>()];
  /** Assigns the cohorts that are new for a person to its side: they did not come with a merged person, so they are its own. */
  const notice = (person: string, cohorts: readonly number[]): Set<number> => {
    const before = known.get(person) ?? new Set<number>();
    for (const cohort of cohorts) if (!before.has(cohort)) (leaves(person) ? leaving : staying).add(cohort);
    const after = new Set([...before, ...cohorts]);
    known.set(person, after);
    return after;
  };
  for (const { survivor, merged, survivor_cohorts, merged_cohorts } of merges) {
    const [into, from] = [notice(survivor, survivor_cohorts), notice(merged, merged_cohorts)];
    known.set(survivor, new Set([...into, ...from]));
  }
  notice(root.id, root.cohorts);
  const back = root.cohorts.filter((cohort) => leaving.has(cohort));
  return { back, out: back.filter((cohort) => !staying.has(cohort)) };
};
