import { Button, Group, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf, keyOf } from '../../api/client';
import { ProblemAlert } from '../../ui/problem-alert';
import { Entrance } from './entrance';

/** The token comes after `#`, which browsers send to no server. */
const readToken = (): string => /^#invitation=([\w-]+)$/.exec(window.location.hash)?.[1] ?? '';

export function InvitationPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [token] = useState(readToken);
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [password, setPassword] = useState('');

  const preview = useQuery({
    queryKey: keyOf('/api/invitations/preview', token),
    queryFn: ({ signal }) => bodyOf(api.POST('/api/invitations/preview', { body: { token }, signal })),
    enabled: token !== '',
    staleTime: Infinity,
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/invitations/accept', {
          body: {
            token,
            password: password || undefined,
            first_name: firstName || undefined,
            last_name: lastName || undefined,
          },
        }),
      ),
    onSuccess: async () => {
      queryClient.clear();
      await navigate({ to: '/', replace: true });
    },
  });

  if (token === '') {
    return (
      <Entrance title="Invitation">
        <Text>The link is not complete. Copy all of it from the message that you received.</Text>
      </Entrance>
    );
  }
  if (preview.error) {
    return (
      <Entrance title="Invitation">
        <ProblemAlert error={preview.error} />
      </Entrance>
    );
  }
  if (!preview.data) {
    return (
      <Entrance title="Invitation">
        <Skeleton h={220} role="status" aria-label="Reading the invitation" />
      </Entrance>
    );
  }
  const { email, project, role, needs } = preview.data;
  const choosesPassword = needs === 'new_password';
  return (
    <Entrance title={project ? `Join ${project.name}` : 'Choose a password'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Stack>
          {error && <ProblemAlert error={error} />}
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            The link is for <b>{email}</b>
            {role !== null && `, who joins as ${role}`}.{' '}
            {choosesPassword
              ? 'Choose a password of at least 12 characters.'
              : 'If you have an account with this e-mail, enter its password; leave it out if you are signed in. Otherwise choose your name and a new password of at least 12 characters.'}
          </Text>
          {project && (
            <Group grow>
              <TextInput
                label="First name"
                autoComplete="given-name"
                value={firstName}
                onChange={({ currentTarget }) => setFirstName(currentTarget.value)}
              />
              <TextInput
                label="Last name"
                autoComplete="family-name"
                value={lastName}
                onChange={({ currentTarget }) => setLastName(currentTarget.value)}
              />
            </Group>
          )}
          <PasswordInput
            label="Password"
            autoComplete={choosesPassword ? 'new-password' : 'current-password'}
            required={choosesPassword}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Button type="submit" loading={isPending} fullWidth>
            {project ? 'Join' : 'Save the password'}
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
