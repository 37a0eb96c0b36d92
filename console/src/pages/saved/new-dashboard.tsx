import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import { useProjectId } from '../../address/project-context';
import { NameDialog } from '../../ui/name-dialog';
import { useChange } from '../../ui/use-change';

export function NewDashboard(dialog: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useChange(
    (name: string) =>
      api.POST('/api/projects/{project_id}/dashboards', {
        params: { path: { project_id: projectId } },
        body: { name },
      }),
    {
      refreshes: ['/api/projects/{project_id}/dashboards'],
      hasForm: true,
      onDone: ({ id }) =>
        navigate({ to: '/p/$projectId/dashboards/$dashboardId', params: { projectId, dashboardId: String(id) } }),
    },
  );
  return (
    <NameDialog
      {...dialog}
      title="New dashboard"
      confirm="Make it"
      isPending={isPending}
      error={error}
      onSave={({ name }) => mutate(name)}
    />
  );
}
