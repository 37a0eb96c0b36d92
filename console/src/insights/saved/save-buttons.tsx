import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { type SavedInsight, type SavedQuestion } from '../../api/types';
import { api } from '../../api/client';
import { useOpenProject } from '../../address/project-context';
import { useQuestion } from '../../address/search';
import { dialogOnDemand } from '../../ui/on-demand';
import { useChange } from '../../ui/use-change';

const SaveDialog = dialogOnDemand(async () => (await import('./save-dialog')).SaveDialog);

interface SaveButtonsProps {
  readonly question: SavedQuestion;
  /** The saved insight that is open, if one is. */
  readonly saved: SavedInsight | undefined;
  /** True if the question is no longer the saved one. */
  readonly isChanged: boolean;
  /** True if another button is the main one of the page. */
  readonly isAside?: boolean;
  readonly onSaved?: (saved: SavedInsight) => void;
}

/** Keeps the question: as a new insight, or as a change of the one that is open. */
export function SaveButtons({ question, saved, isChanged, isAside = false, onSaved }: SaveButtonsProps) {
  const { project, can } = useOpenProject();
  const [, change] = useQuestion();
  const [isNaming, { open, close }] = useDisclosure();
  const update = useChange(
    (id: number) =>
      api.PATCH('/api/projects/{project_id}/insights/{id}', {
        params: { path: { project_id: String(project.id), id } },
        body: { question },
      }),
    {
      refreshes: ['/api/projects/{project_id}/insights', '/api/projects/{project_id}/dashboards'],
      message: 'Changes saved.',
    },
  );
  if (!can('insight:write')) return null;
  const icon = <IconDeviceFloppy size={16} aria-hidden />;
  return (
    <>
      {saved ? (
        <>
          <Button variant="default" onClick={open}>
            Save as new
          </Button>
          <Button
            variant={isAside ? 'default' : 'filled'}
            leftSection={icon}
            disabled={!isChanged}
            loading={update.isPending}
            onClick={() => update.mutate(saved.id)}
          >
            {isChanged ? 'Save changes' : 'Saved'}
          </Button>
        </>
      ) : (
        <Button variant={isAside ? 'default' : 'filled'} leftSection={icon} onClick={open}>
          Save
        </Button>
      )}
      <SaveDialog
        question={question}
        isOpen={isNaming}
        onClose={close}
        onSaved={(made) => {
          onSaved?.(made);
          change({ insight: made.id }, { replace: true });
        }}
      />
    </>
  );
}
