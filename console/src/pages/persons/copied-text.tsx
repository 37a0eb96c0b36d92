import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** A text to take along, such as an id. */
export function CopiedText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <Group gap={2} wrap="nowrap" display="inline-flex" maw="100%">
      <Text size="xs" ff="monospace" truncate title={text} component="span">
        {text}
      </Text>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : label}>
            <ActionIcon size="sm" variant="subtle" color={copied ? 'teal' : 'gray'} onClick={copy} aria-label={label}>
              {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
