import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import { useProjectId } from '../../address/project-context';
import { nodeOf, type Written } from '../../insights/sql/written';
import { NameDialog } from '../../ui/name-dialog';
import { notifyDone } from '../../ui/notify';
import { useChange } from '../../ui/use-change';

interface SaveCohortProps {
  readonly written: Written;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The persons in the answer become a static cohort that keeps the question, so that it can be calculated again. */
export function SaveCohort({ written, ...dialog }: SaveCohortProps) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useChange(
    (name: string) =>
      api.POST('/api/projects/{project_id}/cohorts', {
        params: { path: { project_id: projectId } },
        body: { name, is_static: true, query: nodeOf(written) },
      }),
    {
      refreshes: ['/api/projects/{project_id}/cohorts'],
      hasForm: true,
      onDone: ({ id }, name) => {
        notifyDone(`Cohort ${name} created.`);
        return navigate({ to: '/p/$projectId/cohorts/$cohortId', params: { projectId, cohortId: String(id) } });
      },
    },
  );
  return (
    <NameDialog
      {...dialog}
      title="Save the persons as a static cohort"
      isPending={isPending}
      error={error}
      onSave={({ name }) => mutate(name)}
    >
      <Text size="sm" c="dimmed">
        The cohort keeps the query: recalculating it runs the query again.
      </Text>
    </NameDialog>
  );
}
