import { AskFirst } from '../../../ui/ask-first';
import { formatCount } from '../../../ui/format';
import { notifyDone } from '../../../ui/notify';
import { type Merge } from './merges-tab';
import { type OfPerson } from '../person-page';
import { undoMerge, usePersonChange } from '../requests';

interface DialogProps extends OfPerson {
  readonly merge: Merge;
  readonly onClose: () => void;
}

export function UndoMerge({ projectId, person, merge, onClose }: DialogProps) {
  const { merged } = merge;
  const { mutate, isPending, error } = usePersonChange(
    projectId,
    () => undoMerge(projectId, person.uuid, merge.id),
    ({ restored_person: restored }) => {
      notifyDone(`The merge is undone: ${restored.name} is a person of its own again.`);
      onClose();
    },
    { hasForm: true },
  );
  return (
    <AskFirst
      title="Undo the merge?"
      confirm="Undo the merge"
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
      onClose={onClose}
    >
      Person {merged.id} comes back with its id and UUID, {formatCount(merged.distinct_id_count, 'distinct id')}, their
      past events, its static cohorts and its properties, and with what its ids have set since. What came by its ids
      since, other ids and merged persons, goes with it. <b>{person.name}</b> keeps the rest, as if the merge had not
      happened.
    </AskFirst>
  );
}
