import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../../api/client';
import { type Cohort } from '../../api/types';
import { useProject } from '../../address/project-context';
import { notifyDone } from '../../ui/notify';
import { ProblemAlert } from '../../ui/problem-alert';

interface SaveCohortProps {
  readonly query: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The persons in the answer become a static cohort that keeps the question, so that it can be calculated again. */
export function SaveCohort({ query, isOpen, onClose }: SaveCohortProps) {
  const project = useProject();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sendJson<Cohort>('POST', `/api/projects/${project.id}/cohorts`, { name, is_static: true, query }),
    onSuccess: async ({ id }) => {
      notifyDone(`The cohort ${name} was made.`);
      await queryClient.invalidateQueries({ queryKey: ['cohorts'] });
      await navigate({
        to: '/p/$projectId/cohorts/$cohortId',
        params: { projectId: String(project.id), cohortId: String(id) },
      });
    },
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title="Save the persons as a static cohort">
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
          <Text size="sm" c="dimmed">
            The cohort keeps the question: recalculating it asks again.
          </Text>
          <Group justify="flex-end">
            <Button type="submit" loading={isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
