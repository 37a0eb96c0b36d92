import { Button, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../../../api/query-client';
import { accountQuery } from '../../../api/accounts';
import { api } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { AskFirst } from '../../../ui/ask-first';
import { Section } from '../shared/section';
import { useChange } from '../../../ui/use-change';
import { useIsOwner } from '../shared/use-is-owner';

/** Owners delete a project; its name confirms that this one is meant. */
export function DeleteProject() {
  const { id, name } = useProject();
  const isOwner = useIsOwner();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useChange(
    () =>
      api.DELETE('/api/projects/{project_id}', {
        params: { path: { project_id: String(id) }, query: { confirm_name: typed } },
      }),
    {
      refreshes: ['/api/projects'],
      message: `“${name}” is deleted. Its data is being removed.`,
      hasForm: true,
      onDone: () => {
        queryClient.removeQueries({ queryKey: accountQuery.queryKey });
        return navigate({ to: '/' });
      },
    },
  );
  if (!isOwner) return null;
  const close = (): void => {
    setAsking(false);
    setTyped('');
  };
  return (
    <Section
      title="Delete project"
      description="Removes all its events, persons, cohorts and saved insights, and revokes keys that work for no other project. This cannot be undone."
    >
      <Button color="red.9" onClick={() => setAsking(true)}>
        Delete this project
      </Button>
      <AskFirst
        title="Delete project?"
        isOpen={isAsking}
        onClose={close}
        confirm="Delete project"
        isPending={isPending}
        isReady={typed === name}
        error={error}
        onConfirm={mutate}
      >
        <Stack gap="sm">
          <div>
            “{name}” can no longer be read, and events from its SDKs are rejected. Existing backups keep their data.
          </div>
          <TextInput
            label="Project name"
            description="Type it to confirm."
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </Stack>
      </AskFirst>
    </Section>
  );
}
