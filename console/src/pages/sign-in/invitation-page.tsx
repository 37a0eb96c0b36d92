import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../../api/client';
import { ProblemAlert } from '../../ui/problem-alert';
import { Entrance } from './entrance';

/** The token stands after `#`, which browsers send to no server. */
const readToken = (): string => /^#invitation=([\w-]+)$/.exec(window.location.hash)?.[1] ?? '';

export function InvitationPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [token] = useState(readToken);
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [password, setPassword] = useState('');

  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      sendJson('POST', '/api/invitations/accept', {
        token,
        ...(password === '' ? {} : { password }),
        ...(firstName === '' ? {} : { first_name: firstName }),
        ...(lastName === '' ? {} : { last_name: lastName }),
      }),
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
  return (
    <Entrance title="Accept the invitation">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Stack>
          {error && <ProblemAlert error={error} />}
          <Text size="sm" c="dimmed">
            Choose a password of at least 12 characters. Leave it empty if you have an account already.
          </Text>
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
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Button type="submit" loading={isPending} fullWidth>
            Join
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
