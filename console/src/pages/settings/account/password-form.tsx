import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client';
import { type Me } from '../../../api/accounts';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { Section } from '../shared/section';
import { useChange } from '../../../ui/use-change';

export function PasswordForm({ me }: { me: Me }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useChange(
    () =>
      api.PATCH('/api/users/@me', { body: { password, ...(me.has_password ? { current_password: current } : {}) } }),
    {
      refreshes: ['/api/users', '/api/sessions'],
      message: 'Password changed. Your other sessions have ended.',
      hasForm: true,
      onDone: () => {
        setCurrent('');
        setPassword('');
      },
    },
  );
  return (
    <Section title="Password" description="Changing it signs you out everywhere else.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Stack>
          <FormProblem error={error} fields={['password', 'current_password']} />
          {me.has_password && (
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              required
              value={current}
              onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
              error={errorAt(error, 'current_password')}
            />
          )}
          <PasswordInput
            label="New password"
            description={
              me.has_password
                ? 'At least 12 characters.'
                : 'At least 12 characters. Set it within 10 minutes of signing in.'
            }
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={1024}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            error={errorAt(error, 'password')}
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
