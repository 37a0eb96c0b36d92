import { Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { AskFirst } from '../../../ui/ask-first';
import { useChange } from '../../../ui/use-change';
import { type Key } from '../../../api/accounts';

interface RevokeKeyProps {
  readonly keyToRevoke: Key;
  /** The keys that it made itself. */
  readonly made: readonly Key[];
  readonly onClose: () => void;
}

type Creations = Schemas['KeyCreationsDto'];

const nouns = {
  invitations: 'open invitations',
  members: 'members',
  users: 'users',
  webhooks: 'webhooks',
  batch_exports: 'batch exports',
} as const;

const counted = (made: Creations, kinds: readonly (keyof Creations)[]): string =>
  kinds
    .filter((kind) => made[kind].length > 0)
    .map((kind) => `${made[kind].length} ${nouns[kind]}`)
    .join(', ');

/** Lists what gives access without the key: invitations end with it, the rest has to be looked at. */
function OtherCreations({ made }: { readonly made: Creations }) {
  const [ending, staying] = [
    counted(made, ['invitations']),
    counted(made, ['members', 'users', 'webhooks', 'batch_exports']),
  ];
  return (
    <>
      {ending !== '' && <div>This also ends {ending} that it created.</div>}
      {staying !== '' && (
        <div>Stay: {staying} that it made. Remove what you do not know; the activity of your keys lists them.</div>
      )}
    </>
  );
}

/** A key may have made others: they go with it, or they stay. */
export function RevokeKey({ keyToRevoke, made, onClose }: RevokeKeyProps) {
  const [fate, setFate] = useState<'revoke' | 'keep'>('revoke');
  const path = { id: keyToRevoke.id };
  const { mutate, isPending } = useChange(
    () => api.DELETE('/api/personal_api_keys/{id}', { params: { path, query: { children: fate } } }),
    { refreshes: ['/api/personal_api_keys'], message: `The key ${keyToRevoke.label} is revoked.`, onDone: onClose },
  );
  const { data: others } = useQuery(answer('/api/personal_api_keys/{id}/creations', { path }));
  return (
    <AskFirst
      title={`Revoke ${keyToRevoke.label}?`}
      isOpen
      onClose={onClose}
      confirm="Revoke"
      isPending={isPending}
      onConfirm={mutate}
    >
      <Stack gap="sm">
        <div>Programs that use this key lose access at once. This cannot be undone.</div>
        {others && <OtherCreations made={others} />}
        {made.length > 0 && (
          <Radio.Group
            label={`The key created ${made.map(({ label }) => label).join(', ')}.`}
            value={fate}
            onChange={(chosen) => setFate(chosen === 'keep' ? 'keep' : 'revoke')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="revoke" label="Also revoke the keys it created, and theirs" />
              <Radio value="keep" label="Keep the keys it created" />
            </Stack>
          </Radio.Group>
        )}
      </Stack>
    </AskFirst>
  );
}
