import { Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client';
import { type PasswordLink } from '../../../api/accounts';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { useChange } from '../../../ui/use-change';

interface NewUserProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: PasswordLink) => void;
}

export function NewUser({ isOpen, onClose, onMade }: NewUserProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New user">
      <NewUserForm onMade={onMade} />
    </Modal>
  );
}

function NewUserForm({ onMade }: Pick<NewUserProps, 'onMade'>) {
  const [email, setEmail] = useState('');
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [isOwner, setOwner] = useState(false);
  const { mutate, isPending, error } = useChange(
    () => api.POST('/api/users', { body: { email, first_name: firstName, last_name: lastName, is_owner: isOwner } }),
    { refreshes: ['/api/users'], message: 'User created.', hasForm: true, onDone: onMade },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <FormProblem error={error} fields={['email', 'first_name', 'last_name', 'is_owner']} />
        <TextInput
          label="E-mail"
          type="email"
          required
          data-autofocus
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          error={errorAt(error, 'email')}
        />
        <Group grow align="flex-start">
          <TextInput
            label="First name"
            maxLength={100}
            value={firstName}
            onChange={({ currentTarget }) => setFirstName(currentTarget.value)}
            error={errorAt(error, 'first_name')}
          />
          <TextInput
            label="Last name"
            maxLength={100}
            value={lastName}
            onChange={({ currentTarget }) => setLastName(currentTarget.value)}
            error={errorAt(error, 'last_name')}
          />
        </Group>
        <Switch
          label="Owner of the installation"
          description="Full access to all projects."
          checked={isOwner}
          onChange={({ currentTarget }) => setOwner(currentTarget.checked)}
          error={errorAt(error, 'is_owner')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Create user
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
