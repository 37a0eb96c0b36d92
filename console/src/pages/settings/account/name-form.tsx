import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client';
import { type Me } from '../../../api/accounts';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { Section } from '../shared/section';
import { useChange } from '../../../ui/use-change';

export function NameForm({ me }: { me: Me }) {
  const [firstName, setFirstName] = useState(me.first_name);
  const [lastName, setLastName] = useState(me.last_name);
  const { mutate, isPending, error } = useChange(
    () => api.PATCH('/api/users/@me', { body: { first_name: firstName, last_name: lastName } }),
    {
      refreshes: ['/api/users', '/api/projects/{project_id}/members'],
      message: 'Name saved.',
      hasForm: true,
    },
  );
  return (
    <Section title="Name" description={`You sign in as ${me.email}.`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Stack>
          <FormProblem error={error} fields={['first_name', 'last_name']} />
          <Group grow preventGrowOverflow={false} align="flex-start">
            <TextInput
              label="First name"
              autoComplete="given-name"
              maxLength={100}
              miw={180}
              value={firstName}
              onChange={({ currentTarget }) => setFirstName(currentTarget.value)}
              error={errorAt(error, 'first_name')}
            />
            <TextInput
              label="Last name"
              autoComplete="family-name"
              maxLength={100}
              miw={180}
              value={lastName}
              onChange={({ currentTarget }) => setLastName(currentTarget.value)}
              error={errorAt(error, 'last_name')}
            />
          </Group>
          <Group justify="flex-end">
            <Button type="submit" loading={isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
