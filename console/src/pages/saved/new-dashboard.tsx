import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../../api/client';
import { type Dashboard } from '../../api/insights';
import { useProjectId } from '../../address/project-context';
import { ProblemAlert } from '../../ui/problem-alert';

export function NewDashboard({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sendJson<Dashboard>('POST', `/api/projects/${projectId}/dashboards`, { name: name.trim() }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['dashboards', projectId] });
      await navigate({ to: '/p/$projectId/dashboards/$dashboardId', params: { projectId, dashboardId: String(id) } });
    },
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title="New dashboard">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Stack>
          {error && <ProblemAlert error={error} />}
          <TextInput
            label="Name"
            required
            maxLength={400}
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
              Make it
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
