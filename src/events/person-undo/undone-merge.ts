import { type ClientBase } from 'pg';
import { conflict } from '../../common/errors/problem.js';
import { homesOf, planHistory, type HistoryPlan } from '../../persons/undo/history-plan.js';
import { type ListedMerge, whyNotUndone } from '../../persons/undo/merge-list.js';
import { mergeRecordsOf, placedIdsOf, recordedState } from '../../persons/undo/merge-records.js';
import { type WrittenState } from '../../persons/undo/part-person.js';
import { partedCohorts, type PartedCohorts } from '../../persons/undo/parted-cohorts.js';
import { type History, type PersonBase, Replay, withUnexplained } from '../../persons/undo/replay.js';
import { type ReplayedPerson } from '../../persons/undo/replayed-person.js';
import { type CurrentPerson } from '../../persons/undo/current-person.js';
import { readEventsSince } from './events-since.js';

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
  /** Records of persons that stay with the survivor. */
  readonly staying: readonly string[];
  readonly retargeted: readonly { readonly id: string; readonly survivor: string }[];
}

/** Computes it from the records and the log. The person must be locked. */
export const undoneMerge = async (
  client: ClientBase,
  projectId: number,
  root: CurrentPerson,
  target: Pick<ListedMerge, 'id' | 'merged' | 'merged_at'>,
): Promise<UndoneMerge> => {
  const all = await mergeRecordsOf(client, projectId, root.id);
  const plan = planHistory(all, root.id, { id: target.id, at: target.merged_at });
  const placed = await placedIdsOf(client, projectId, [root.id]);
  const history: History = {
    bases: await basesOf(client, projectId, plan),
    merges: plan.merges,
    ids: homesOf(plan, root.id, placed),
  };
  const [explained, apart] = [new Replay(history, null), new Replay(history, target.id)];
  const since = new Date(Math.min(...[...history.bases.values()].map((base) => base.since.getTime())));
  await readEventsSince(client, projectId, { distinctIds: [...history.ids.keys()], since }, (event) => {
    explained.take(event);
    apart.take(event);
  });
  const before = explained.finish().personOf(root.id);
  const [survivor, restored] = [apart.finish().personOf(root.id), apart.personOf(target.merged)];
  if (survivor === restored) throw conflict(`merge ${target.id} cannot be undone: later merges depend on it`);
  const leaves = (person: string): boolean => history.bases.has(person) && apart.personOf(person) === restored;
  const leaving = plan.merges.filter(({ merged }) => leaves(merged));
  return {
    survivor: actualState(survivor, before, root),
    restored: stateOf(restored, target.merged_at),
    distinctIds: placed.flatMap(({ distinct_id }) => (apart.ownerOf(distinct_id) === restored ? [distinct_id] : [])),
    redirects: redirectsOf(
      all,
      leaving.map(({ merged }) => merged),
    ),
    cohorts: partedCohorts(plan.records, { root: root.id, current: root.cohorts, leaves }),
    staying: plan.merges.flatMap(({ id, merged }) => (leaves(merged) ? [] : [id])),
    retargeted: leaving.flatMap(({ id, survivor: recorded }) => {
      const now = apart.survivorOf(id);
      return now === null || leaves(recorded) ? [] : [{ id, survivor: now }];
    }),
  };
};

export const basesOf = async (
  client: ClientBase,
  projectId: number,
  { bases }: Pick<HistoryPlan, 'bases'>,
): Promise<Map<string, PersonBase>> => {
  const states = new Map<string, PersonBase>();
  for (const [person, { record, side }] of bases) {
    if (record.is_forgotten) {
      throw conflict('the merge cannot be undone: a person whose properties its record contained was deleted since');
    }
    const state = await recordedState(client, projectId, record.id, side);
    states.set(person, {
      properties: state.properties,
      isIdentified: state.is_identified,
      createdAt: state.created_at,
      since: record.merged_at,
    });
  }
  return states;
};

/** The persons that leave, and all that had been merged into them when they were merged. */
const redirectsOf = (
  all: Awaited<ReturnType<typeof mergeRecordsOf>>,
  leaving: readonly string[],
): readonly string[] => {
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
