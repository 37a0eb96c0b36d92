import { Stack } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { AskFirst } from '../../../ui/ask-first';
import { DurationChoice, durations } from '../shared/duration-choice';
import { useChange } from '../../../ui/use-change';

const choices = [durations.none, durations.day, durations.week, durations.month];

/** Gives the project another token: SDKs are switched to it while the earlier one still captures. */
export function RotateToken({ onClose }: { readonly onClose: () => void }) {
  const { id } = useProject();
  const [seconds, setSeconds] = useState<number>(durations.week);
  const { mutate, isPending, error } = useChange(
    () =>
      api.POST('/api/projects/{project_id}/rotate_token', {
        params: { path: { project_id: String(id) } },
        body: { grace_seconds: seconds },
      }),
    { refreshes: ['/api/projects'], message: 'The project has a new token.', hasForm: true, onDone: onClose },
  );
  return (
    <AskFirst
      title="Rotate the project token?"
      isOpen
      onClose={onClose}
      confirm="Rotate"
      isPending={isPending}
      error={error}
      onConfirm={mutate}
    >
      <Stack gap="sm">
        <div>
          The project gets a new token. Events sent with the previous one are rejected once it expires, so switch every
          SDK before then. Rotating again ends it at once.
        </div>
        <DurationChoice
          label="Keep the previous token valid for"
          description="Mobile apps take time to update."
          choices={choices}
          value={seconds}
          onChange={setSeconds}
        />
      </Stack>
    </AskFirst>
  );
}
