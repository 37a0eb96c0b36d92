import { type ClientBase } from 'pg';
import { type CurrentPerson } from '../../persons/undo/current-person.js';
import { homesOf, type HistoryPlan, planHistory } from '../../persons/undo/history-plan.js';
import { mergeRecordsOf, placedIdsOf } from '../../persons/undo/merge-records.js';
import { type WrittenState } from '../../persons/undo/part-person.js';
import { type PersonBase, Replay, type ReplayedId, withUnexplained } from '../../persons/undo/replay.js';
import { type ReplayedPerson } from '../../persons/undo/replayed-person.js';
import { type SplitRecord } from '../../persons/undo/split-records.js';
import { readEventsSince } from './events-since.js';
import { actualState, basesOf } from './undone-merge.js';

/** What the person is after its split is undone. All persons must be locked. */
export const undoneSplit = async (
  client: ClientBase,
  projectId: number,
  root: CurrentPerson,
  separate: readonly CurrentPerson[],
  split: SplitRecord,
): Promise<WrittenState> => {
  const plan = await planSince(client, projectId, root.id, split.split_at);
  const bases = new Map<string, PersonBase>([
    [root.id, { ...stateOf(split), since: split.split_at }],
    ...(await basesOf(client, projectId, plan)),
    ...separate.map(({ id }) => [id, { ...nothing(split.split_at), since: split.split_at }] as const),
  ]);
  const placed = await placedIdsOf(client, projectId, [root.id, ...separate.map(({ id }) => id)]);
  const together = new Map(
    [...homesOf(plan, root.id, placed)].map(([distinctId, { home }]) => [distinctId, { home, isNew: false }] as const),
  );
  const apart = new Map<string, ReplayedId>(together);
  for (const { distinct_id, person_id } of placed) {
    if (person_id !== root.id) apart.set(distinct_id, { home: person_id, isNew: false });
  }
  const { merges } = plan;
  const [explained, result] = [apart, together].map((ids) => new Replay({ bases, merges, ids }, null)) as [
    Replay,
    Replay,
  ];
  const since = new Date(Math.min(...[...bases.values()].map((base) => base.since.getTime())));
  await readEventsSince(client, projectId, { distinctIds: [...together.keys()], since }, (event) => {
    explained.take(event);
    result.take(event);
  });
  explained.finish();
  const state = actualState(result.finish().personOf(root.id), explained.personOf(root.id), root);
  return separate.reduce((all, person) => withRest(all, person, explained.personOf(person.id)), state);
};

/** The records since the split, or since an earlier merge that was undone after it. */
const planSince = async (client: ClientBase, projectId: number, root: string, at: Date): Promise<HistoryPlan> => {
  const all = await mergeRecordsOf(client, projectId, root);
  const first =
    all.find(({ merged_at, undone_at }) => merged_at <= at && undone_at !== null && undone_at > at) ??
    all.find(({ merged_at }) => merged_at > at);
  if (!first) return { records: [], bases: new Map(), merges: [] };
  const plan = planHistory(all, root, { id: first.id, at: first.merged_at });
  const base = plan.bases.get(root);
  if (base && base.record.merged_at <= at) return plan;
  return { ...plan, bases: new Map([...plan.bases].filter(([person]) => person !== root)) };
};

const stateOf = ({ properties, is_identified, created_at }: SplitRecord) => ({
  properties,
  isIdentified: is_identified,
  createdAt: created_at,
});

const nothing = (createdAt: Date) => ({ properties: {}, isIdentified: false, createdAt });

/** Adds what the log does not explain about a person that becomes part of another one, such as an import. */
const withRest = (all: WrittenState, actual: CurrentPerson, explained: ReplayedPerson): WrittenState => {
  const rest = withUnexplained({}, explained.properties.toObject(), actual.properties);
  const isOlder = explained.createdAt !== null && actual.created_at < explained.createdAt;
  return {
    properties: { ...rest, ...all.properties },
    isIdentified: all.isIdentified || (actual.is_identified && !explained.isIdentified),
    createdAt: isOlder && actual.created_at < all.createdAt ? actual.created_at : all.createdAt,
  };
};
