import { Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type QuestionWarning } from '../api/types';

/** What is probably not as it was meant, such as a misspelt event. */
export function Warnings({ warnings }: { readonly warnings: readonly QuestionWarning[] }) {
  return warnings.map(({ detail }) => (
    <Group key={detail} gap={6} wrap="nowrap" role="status">
      <IconAlertTriangle size={15} style={{ flexShrink: 0 }} />
      <Text size="sm">{detail.charAt(0).toUpperCase() + detail.slice(1)}</Text>
    </Group>
  ));
}
