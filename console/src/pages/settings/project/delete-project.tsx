import { Button, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject } from '../../../address/project-context';
import { AskFirst } from '../../../ui/ask-first';
import { Section } from '../shared/section';
import { useChange } from '../shared/use-change';
import { useIsOwner } from '../shared/use-is-owner';

/** Owners delete a project; its name confirms that this one is meant. */
export function DeleteProject() {
  const { id, name } = useProject();
  const isOwner = useIsOwner();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useChange({
    refreshes: ['account', 'projects'],
    message: `“${name}” is deleted. Its data are being removed.`,
    hasForm: true,
    onDone: () => {
      queries.removeQueries({ queryKey: ['account'] });
      void navigate({ to: '/' });
    },
  });
  if (!isOwner) return null;
  const close = (): void => {
    setAsking(false);
    setTyped('');
  };
  return (
    <Section
      title="Delete the project"
      description="All of its events, persons, cohorts and saved questions are removed, and keys that open nothing else are revoked. It cannot be undone."
    >
      <Button variant="light" color="red.9" onClick={() => setAsking(true)}>
        Delete this project
      </Button>
      <AskFirst
        title="Delete the project?"
        isOpen={isAsking}
        onClose={close}
        confirm="Delete it"
        isPending={isPending}
        isReady={typed === name}
        error={error}
        onConfirm={() =>
          mutate({ method: 'DELETE', address: `/api/projects/${id}?confirm_name=${encodeURIComponent(typed)}` })
        }
      >
        <Stack gap="sm">
          <div>
            From now on nothing of “{name}” can be read, and events that its SDKs send are refused. Backups keep what
            they have.
          </div>
          <TextInput
            label="Name of the project"
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
