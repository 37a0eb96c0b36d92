import { NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useProjectId } from '../../address/project-context';
import { NameDialog } from '../../ui/name-dialog';
import { useChange } from '../../ui/use-change';
import { templates, tilesOfTemplate } from './templates';

export function NewDashboard(dialog: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [template, setTemplate] = useState('');
  const { mutate, isPending, error } = useChange(
    async (name: string) =>
      api.POST('/api/projects/{project_id}/dashboards', {
        params: { path: { project_id: projectId } },
        body: { name, tiles: await tilesOfTemplate(projectId, template) },
      }),
    {
      refreshes: ['/api/projects/{project_id}/dashboards', '/api/projects/{project_id}/insights'],
      hasForm: true,
      onDone: ({ id }) =>
        navigate({ to: '/p/$projectId/dashboards/$dashboardId', params: { projectId, dashboardId: String(id) } }),
    },
  );
  return (
    <NameDialog
      {...dialog}
      title="New dashboard"
      confirm="Create"
      isPending={isPending}
      error={error}
      onSave={({ name }) => mutate(name)}
    >
      <NativeSelect
        label="Start with"
        description={template === '' ? undefined : 'Its insights are saved too, and can be changed.'}
        data={[{ value: '', label: 'An empty dashboard' }, ...templates.map(({ value, label }) => ({ value, label }))]}
        value={template}
        onChange={({ currentTarget }) => setTemplate(currentTarget.value)}
      />
    </NameDialog>
  );
}
