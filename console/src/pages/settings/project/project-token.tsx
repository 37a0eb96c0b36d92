import { Button, Code, Group, Text } from '@mantine/core';
import { IconCopy, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useOpenProject } from '../../../address/project-context';
import { copyText } from '../../../ui/copy';
import { formatTime } from '../../../ui/format';
import { Section } from '../shared/section';
import { RotateToken } from './rotate-token';

export function ProjectToken() {
  const { project, can } = useOpenProject();
  const { api_token: token, previous_api_token_until: until, timezone } = project;
  const [isRotating, setRotating] = useState(false);
  return (
    <Section
      title="Project token"
      description="SDKs send it with every event. It is public: it can send events, but not read data."
    >
      <Group gap="sm">
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', flex: '1 1 240px' }}>
          {token}
        </Code>
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => copyText(token, 'Project token')}
        >
          Copy
        </Button>
        {can('project:write') && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => setRotating(true)}
          >
            Rotate
          </Button>
        )}
      </Group>
      {until !== null && new Date(until) > new Date() && (
        <Text size="sm" c="dimmed" mt="xs">
          The previous token works until {formatTime(until, timezone)}.
        </Text>
      )}
      {isRotating && <RotateToken onClose={() => setRotating(false)} />}
    </Section>
  );
}
