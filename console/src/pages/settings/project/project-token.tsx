import { Button, Code, Group } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useProject } from '../../../app/project-context';
import { copyText } from '../../../ui/copy';
import { Section } from '../shared/section';

export function ProjectToken() {
  const { api_token: token } = useProject();
  return (
    <Section
      title="Project token"
      description="SDKs send it with every event. It is public: it writes events and reads nothing."
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
      </Group>
    </Section>
  );
}
