import { Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type QuestionWarning } from '../api/types';

/** The interface names a route where the console has a page. */
const ofConsole = (detail: string): string =>
  (detail.charAt(0).toUpperCase() + detail.slice(1)).replace(/GET catalogue\/[\w?=]+/, 'the page Catalogue');

/** Lists probable mistakes, such as a misspelt event. */
export function Warnings({ warnings }: { readonly warnings: readonly QuestionWarning[] }) {
  return warnings.map(({ detail }) => (
    <Group key={detail} gap={6} wrap="nowrap" role="status">
      <IconAlertTriangle size={15} style={{ flexShrink: 0 }} />
      <Text size="sm">{ofConsole(detail)}</Text>
    </Group>
  ));
}
