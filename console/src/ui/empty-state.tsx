import { Center, Stack, Text, Title } from '@mantine/core';
import { type ReactNode } from 'react';
import { EmptyPicture, type EmptyKind } from './empty-picture';

interface EmptyStateProps {
  readonly title: string;
  readonly kind?: EmptyKind;
  readonly children?: ReactNode;
}

/** Instead of an empty table: says why it is empty and what to do. */
export function EmptyState({ title, kind = 'new', children }: EmptyStateProps) {
  return (
    <Center py={{ base: 32, sm: 48 }}>
      <Stack align="center" gap="xs" maw={520} miw={0} ta="center" style={{ overflowWrap: 'anywhere' }}>
        <EmptyPicture kind={kind} />
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
