import { Center, Stack, Text, Title } from '@mantine/core';
import { type ReactNode } from 'react';

/** Instead of an empty table: says why it is empty and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center py={64}>
      <Stack align="center" gap="xs" maw={520} miw={0} ta="center" style={{ overflowWrap: 'anywhere' }}>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
      </Stack>
    </Center>
  );
}
