import { Stack } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client';
import { AskFirst } from '../../../ui/ask-first';
import { DurationChoice, durations } from '../shared/duration-choice';
import { useChange } from '../../../ui/use-change';
import { type Key } from '../../../api/accounts';

interface RotateKeyProps {
  readonly keyToRotate: Key;
  readonly onClose: () => void;
  readonly onRotated: (key: Key) => void;
}

const choices = [durations.none, durations.hour, durations.day, durations.week];

/** Gives the key another secret: programs are switched to it while the earlier one still works. */
export function RotateKey({ keyToRotate: { id, label }, onClose, onRotated }: RotateKeyProps) {
  const [seconds, setSeconds] = useState<number>(durations.day);
  const { mutate, isPending, error } = useChange(
    () =>
      api.POST('/api/personal_api_keys/{id}/rotate', { params: { path: { id } }, body: { overlap_seconds: seconds } }),
    {
      refreshes: ['/api/personal_api_keys'],
      message: `The key ${label} has a new secret.`,
      hasForm: true,
      onDone: onRotated,
    },
  );
  return (
    <AskFirst
      title={`Rotate ${label}?`}
      isOpen
      onClose={onClose}
      confirm="Rotate"
      isPending={isPending}
      error={error}
      onConfirm={mutate}
    >
      <Stack gap="sm">
        <div>The key gets a new secret, which is shown once. Its scopes, projects and expiry date stay the same.</div>
        <DurationChoice
          label="Keep the previous secret valid for"
          description="If the secret has leaked, end it now."
          choices={choices}
          value={seconds}
          onChange={setSeconds}
        />
      </Stack>
    </AskFirst>
  );
}
