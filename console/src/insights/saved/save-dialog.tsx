import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, bodyOf, get } from '../../api/client';
import { type SavedInsight, type SavedQuestion } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { NameDialog, type Naming } from '../../ui/name-dialog';
import { notifyDone, notifyProblem } from '../../ui/notify';
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
  /** Puts the insight at the end of the dashboard. */
  const addTo = async (id: number, insight: number): Promise<void> => {
    const of = { path: { ...path, id } };
    const { tiles } = await get('/api/projects/{project_id}/dashboards/{id}', of);
    const kept = tiles.map(({ id: tile, insight_id, width }) => ({ id: tile, insight_id, width }));
    const body = { tiles: [...kept, { insight_id: insight, width: 6 }] };
    await bodyOf(api.PATCH('/api/projects/{project_id}/dashboards/{id}', { params: of, body }));
  };
  const { mutate, isPending, error } = useChange(
    (naming: Naming) =>
      api.POST('/api/projects/{project_id}/insights', {
        params: { path },
        body: { ...naming, question },
      }),
    {
      refreshes: ['/api/projects/{project_id}/insights', '/api/projects/{project_id}/dashboards'],
      hasForm: true,
      onDone: async (saved) => {
        // The insight is saved, whatever becomes of its tile.
        if (board !== '') await addTo(Number(board), saved.id).catch(notifyProblem);
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
