import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Mark } from '../../ui/mark';

/** The frame of the pages that are shown before a user has signed in. */
export function Entrance({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Kohort`;
  }, [title]);
  return (
    <Center mih="100vh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm" justify="center">
          <Mark size={32} />
          <Text fw={700} size="xl">
            Kohort
          </Text>
        </Group>
        <Paper component="main" withBorder p="xl" radius="lg">
          <Title order={1} size="h3" mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </Stack>
    </Center>
  );
}
