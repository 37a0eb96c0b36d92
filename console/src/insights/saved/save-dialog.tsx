import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
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
  const path = { project_id: projectId };
  const [board, setBoard] = useState('');
  const boards = useQuery({
    ...answer('/api/projects/{project_id}/dashboards', { path, query: { limit: 500 } }),
    enabled: dialog.isOpen,
  });
  const { mutate, isPending, error } = useChange(
    (naming: Naming) =>
      api.POST('/api/projects/{project_id}/insights', {
        params: { path },
        body: { ...naming, question, ...(board === '' ? {} : { dashboards: [Number(board)] }) },
      }),
    {
      refreshes: ['/api/projects/{project_id}/insights', '/api/projects/{project_id}/dashboards'],
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
    >
      {(boards.data?.count ?? 0) > 0 && (
        <NativeSelect
          label="Add to a dashboard"
          data={[
            { value: '', label: 'None' },
            ...(boards.data?.results ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={board}
          onChange={({ currentTarget }) => setBoard(currentTarget.value)}
        />
      )}
    </NameDialog>
  );
}
