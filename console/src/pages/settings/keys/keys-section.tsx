import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Key } from '../../../api/accounts';
import { pages } from '../../../api/client';
import { useOpenProject } from '../../../address/project-context';
import { Records } from '../../../ui/records';
import { Section } from '../shared/section';
import { ShownOnce } from '../shared/shown-once';
import { KeyTable } from './key-table';
import { NewKey } from './new-key';
import { RotateKey } from './rotate-key';

/** The keys of the signed-in user, for all projects. */
export function KeysSection() {
  const { can } = useOpenProject();
  const [isMaking, setMaking] = useState(false);
  const [rotated, setRotated] = useState<Key | null>(null);
  const [shown, setShown] = useState<{ readonly title: string; readonly value: string | null } | null>(null);
  return (
    <Section
      title="Personal API keys"
      description="Programs use keys instead of signing in. A key belongs to you and can do no more than you can."
      actions={
        can('api_key:write') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
            New key
          </Button>
        )
      }
    >
      <Records
        query={pages('/api/personal_api_keys', { query: { limit: 50 } })}
        empty="No keys yet. Create one for each program, so you can revoke each on its own."
      >
        {(keys) => <KeyTable keys={keys} onRotate={setRotated} />}
      </Records>
      {!can('api_key:write') && (
        <Text size="sm" c="dimmed" mt="sm">
          Your role cannot create keys: it lacks the scope api_key:write.
        </Text>
      )}
      <NewKey
        isOpen={isMaking}
        onClose={() => setMaking(false)}
        onMade={(key) => {
          setMaking(false);
          setShown({ title: 'The new key', value: key.value });
        }}
      />
      {rotated && (
        <RotateKey
          keyToRotate={rotated}
          onClose={() => setRotated(null)}
          onRotated={(key) => {
            setRotated(null);
            setShown({ title: `The new secret of ${key.label}`, value: key.value });
          }}
        />
      )}
      <ShownOnce
        title={shown?.title ?? ''}
        what="Key"
        text={shown?.value ?? null}
        explanation="This key is shown only once. Only a hash of it is kept, so copy it now."
        onClose={() => setShown(null)}
      />
    </Section>
  );
}
