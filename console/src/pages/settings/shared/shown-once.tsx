import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { IconCopy, IconKey } from '@tabler/icons-react';
import { copyText } from '../../../ui/copy';

interface ShownOnceProps {
  readonly title: string;
  /** Names the copied text, such as "Key". */
  readonly what: string;
  readonly text: string | null;
  readonly explanation: string;
  readonly onClose: () => void;
}

/** A secret that only this answer of the service holds. It closes by its button alone, so that no stray click loses it. */
export function ShownOnce({ title, what, text, explanation, onClose }: ShownOnceProps) {
  return (
    <Modal
      opened={text !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Alert color="yellow" icon={<IconKey aria-hidden />}>
          <Text size="sm">{explanation}</Text>
        </Alert>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} aria-label={what}>
          {text}
        </Code>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            I have stored it
          </Button>
          <Button leftSection={<IconCopy size={16} aria-hidden />} onClick={() => copyText(text ?? '', what)}>
            Copy
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
