import { api } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { AskFirst } from '../../../ui/ask-first';
import { formatCount } from '../../../ui/format';
import { notifyDone } from '../../../ui/notify';
import { pathOf, type PersonProps, usePersonChange } from '../person';

export type Merge = Schemas['PersonMergeDto'];

interface DialogProps extends PersonProps {
  readonly merge: Merge;
  readonly onClose: () => void;
}

export function UndoMerge({ projectId, person, merge, onClose }: DialogProps) {
  const { merged } = merge;
  const { mutate, isPending, error } = usePersonChange(
    () =>
      api.POST('/api/projects/{project_id}/persons/{id}/merges/{merge_id}/undo', {
        params: { path: { ...pathOf(projectId, person), merge_id: merge.id } },
      }),
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
      onConfirm={mutate}
      onClose={onClose}
    >
      Person {merged.id} comes back with its id and UUID, {formatCount(merged.distinct_id_count, 'distinct id')}, their
      past events, its static cohorts and its properties, and with what its ids have set since. What came by its ids
      since, other ids and merged persons, goes with it. <b>{person.name}</b> keeps the rest, as if the merge had not
      happened.
    </AskFirst>
  );
}
