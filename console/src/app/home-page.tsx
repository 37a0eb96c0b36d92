import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { ProblemError } from '../api/problem-error';
import { accountQuery } from '../api/accounts';
import { Blank } from '../ui/fallbacks';
import { ProblemAlert } from '../ui/problem-alert';
import { useSignOut } from './use-sign-out';

const lastProjectKey = 'kohort.project';

/** Leads to the project that was opened last, or to the first one; links that work once lead to where they are used. */
export function HomePage() {
  const hash = window.location.hash.slice(1);
  if (hash.startsWith('signin=')) return <Navigate to="/sign-in" hash={hash} replace />;
  if (hash.startsWith('invitation=')) return <Navigate to="/invitation" hash={hash} replace />;
  return <FirstProject />;
}

function FirstProject() {
  const { data, error, refetch } = useQuery(accountQuery);
  if (error instanceof ProblemError && error.isSignedOut) return <Navigate to="/sign-in" replace />;
  if (error) {
    return (
      <Center h="70vh">
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      </Center>
    );
  }
  if (!data) return <Blank />;
  const last = localStorage.getItem(lastProjectKey);
  const project = data.projects.find(({ id }) => String(id) === last) ?? data.projects[0];
  if (project) return <Navigate to="/p/$projectId/overview" params={{ projectId: String(project.id) }} replace />;
  return <NoProject email={data.email} />;
}

/** A user without a role in any project may not even list them. */
function NoProject({ email }: { readonly email: string }) {
  const { mutate, isPending } = useSignOut();
  return (
    <Center h="70vh" p="md" component="main">
      <Stack align="center" ta="center">
        <Title order={1}>No project yet</Title>
        <Text c="dimmed">You are signed in as {email}. Ask an administrator to add you to a project.</Text>
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          Sign out
        </Button>
      </Stack>
    </Center>
  );
}
