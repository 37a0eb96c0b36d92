import { api } from '../../../api/client';
import { AskFirst } from '../../../ui/ask-first';
import { formatCount } from '../../../ui/format';
import { notifyDone } from '../../../ui/notify';
import { pathOf, type PersonProps, usePersonChange } from '../person';

interface DialogProps extends PersonProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The service alone knows the last split: it refuses where there is none. */
export function UndoSplit({ projectId, person, isOpen, onClose }: DialogProps) {
  const { mutate, reset, isPending, error } = usePersonChange(
    () =>
      api.POST('/api/projects/{project_id}/persons/{id}/split/undo', { params: { path: pathOf(projectId, person) } }),
    ({ merged_persons: merged }) => {
      notifyDone(
        `The split is undone: ${formatCount(merged.length, 'person is', 'persons are')} part of this one again.`,
      );
      onClose();
    },
    { hasForm: true },
  );
  return (
    <AskFirst
      title="Undo the last split?"
      confirm="Undo the split"
      isOpen={isOpen}
      isPending={isPending}
      error={error}
      onConfirm={mutate}
      onClose={() => {
        reset();
        onClose();
      }}
    >
      The persons that the last split of <b>{person.name}</b> made, as far as they still exist, become part of it again,
      with their distinct ids and events. It has the properties from before the split and all that was set since.
      Possible for 90 days.
    </AskFirst>
  );
}
