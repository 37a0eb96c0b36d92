import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { AskFirst } from '../../../ui/ask-first';
import { useChange } from '../shared/use-change';
import { type Key } from './keys-section';

interface RevokeKeyProps {
  readonly keyToRevoke: Key;
  /** The keys that it made itself. */
  readonly made: readonly Key[];
  readonly onClose: () => void;
}

/** A key may have made others: they go with it, or they stay. */
export function RevokeKey({ keyToRevoke, made, onClose }: RevokeKeyProps) {
  const [fate, setFate] = useState('revoke');
  const { mutate, isPending } = useChange({
    refreshes: ['keys'],
    message: `The key ${keyToRevoke.label} is revoked.`,
    onDone: onClose,
  });
  return (
    <AskFirst
      title={`Revoke ${keyToRevoke.label}?`}
      isOpen
      onClose={onClose}
      confirm="Revoke"
      isPending={isPending}
      onConfirm={() =>
        mutate({ method: 'DELETE', address: `/api/personal_api_keys/${keyToRevoke.id}?children=${fate}` })
      }
    >
      <Stack gap="sm">
        <div>Programs that use the key are refused from now on. This cannot be undone.</div>
        {made.length > 0 && (
          <Radio.Group
            label={`The key made ${made.map(({ label }) => label).join(', ')}.`}
            value={fate}
            onChange={setFate}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="revoke" label="Revoke the keys that it made, and those that they made" />
              <Radio value="keep" label="Keep the keys that it made" />
            </Stack>
          </Radio.Group>
        )}
      </Stack>
    </AskFirst>
  );
}
