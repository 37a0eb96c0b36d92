import { api } from '../../api/client';
import { type SavedInsight, type SavedQuestion } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { NameDialog, type Naming } from '../../ui/name-dialog';
import { notifyDone } from '../../ui/notify';
import { useChange } from '../../ui/use-change';

export interface SaveDialogProps {
  readonly question: SavedQuestion;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSaved: (saved: SavedInsight) => void;
}

/** Keeps the question under a name. */
export function SaveDialog({ question, onSaved, ...dialog }: SaveDialogProps) {
  const projectId = useProjectId();
  const { mutate, isPending, error } = useChange(
    (naming: Naming) =>
      api.POST('/api/projects/{project_id}/insights', {
        params: { path: { project_id: projectId } },
        body: { ...naming, question },
      }),
    {
      refreshes: ['/api/projects/{project_id}/insights'],
      hasForm: true,
      onDone: (saved) => {
        notifyDone(`“${saved.name}” is saved.`);
        dialog.onClose();
        onSaved(saved);
      },
    },
  );
  return (
    <NameDialog
      {...dialog}
      title="Save this insight"
      hasDescription
      isPending={isPending}
      error={error}
      onSave={mutate}
    />
  );
}
