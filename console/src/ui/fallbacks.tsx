import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { ProblemAlert } from './problem-alert';

export function Blank() {
  return (
    <Center h="50vh">
      <Loader role="status" aria-label="Loading" />
    </Center>
  );
}

export function NotFound() {
  return (
    <Center h="70vh" p="md">
      <Stack align="center" ta="center">
        <Title order={1}>Page not found</Title>
        <Text c="dimmed">The address may be mistyped, or the page has moved.</Text>
        <Button component={Link} to="/">
          Go to Overview
        </Button>
      </Stack>
    </Center>
  );
}

export function Crashed({ error, reset }: ErrorComponentProps) {
  return (
    <Center h="70vh" p="md">
      <Stack maw={560}>
        <Title order={1}>This page could not be shown</Title>
        <ProblemAlert error={error} onRetry={reset} />
      </Stack>
    </Center>
  );
}
