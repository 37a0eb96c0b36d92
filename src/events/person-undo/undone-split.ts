import { type CurrentPerson } from '../../persons/undo/current-person.js';
import { planHistory } from '../../persons/undo/history-plan.js';
import { type WrittenState } from '../../persons/undo/part-person.js';
import { Replay, withUnexplained } from '../../persons/undo/replay.js';
import { type ReplayedPerson } from '../../persons/undo/replayed-person.js';
import { type OpenSplit } from '../../persons/undo/split-records.js';
import { type RecordedHistory } from './recorded-history.js';
import { actualState, historyOf, replay } from './undone-merge.js';

/** What the person is after its split is undone. All persons must be locked. */
export const undoneSplit = async (
  recorded: RecordedHistory,
  root: CurrentPerson,
  separate: readonly CurrentPerson[],
  { split_at }: Pick<OpenSplit, 'split_at'>,
): Promise<WrittenState> => {
  const persons = [root.id, ...separate.map(({ id }) => id)];
  const records = { merges: await recorded.merges(root.id), splits: await recorded.splits(persons) };
  const plan = planHistory(records, root.id, { at: split_at });
  const apart = await historyOf(recorded, plan, root.id, persons);
  const returning = new Set(separate.map(({ id }) => id));
  const together = { ...apart, splits: apart.splits.filter(({ to }) => !returning.has(to)) };
  const [explained, result] = [new Replay(apart, null), new Replay(together, null)];
  await replay(recorded, apart, [explained, result]);
  const state = actualState(result.personOf(root.id), explained.personOf(root.id), root);
  return separate.reduce((all, person) => withRest(all, person, explained.personOf(person.id)), state);
};

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
