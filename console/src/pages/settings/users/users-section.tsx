import { ActionIcon, Badge, Button, Group, Switch, Table, Text, Tooltip } from '@mantine/core';
import { IconLink, IconLogout, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api, pages } from '../../../api/client';
import { personName, type Account } from '../../../api/accounts';
import { useProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { AskFirst } from '../../../ui/ask-first';
import { formatDay, formatNumber } from '../../../ui/format';
import { Records } from '../../../ui/records';
import { Section } from '../shared/section';
import { ShownOnce } from '../shared/shown-once';
import { useChange } from '../../../ui/use-change';
import { NewUser } from './new-user';

const heads: readonly Head[] = [
  { label: 'User' },
  { label: 'Owner' },
  { label: 'Projects', ta: 'right' },
  { label: 'Password' },
  { label: 'Since' },
];

/** All users of the installation. Only its owners see them. */
export function UsersSection() {
  const { timezone } = useProject();
  const [isMaking, setMaking] = useState(false);
  const [removed, setRemoved] = useState<Account | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const owner = useChange(
    ({ id, isOwner }: { readonly id: string; readonly isOwner: boolean }) =>
      api.PATCH('/api/users/{id}', { params: { path: { id } }, body: { is_owner: isOwner } }),
    { refreshes: ['/api/users'], message: 'The user is changed.' },
  );
  const sessions = useChange((id: string) => api.DELETE('/api/users/{id}/sessions', { params: { path: { id } } }), {
    refreshes: ['/api/sessions'],
    message: 'All sessions of the user have ended.',
  });
  const password = useChange((id: string) => api.POST('/api/users/{id}/password_link', { params: { path: { id } } }), {
    refreshes: ['/api/users'],
    message: 'The link is made.',
    onDone: (made) => setLink(made.link),
  });
  const remove = useChange((id: string) => api.DELETE('/api/users/{id}', { params: { path: { id } } }), {
    refreshes: ['/api/users', '/api/projects/{project_id}/members'],
    message: 'The user is removed.',
    onDone: () => setRemoved(null),
  });

  return (
    <Section
      title="Users of the installation"
      description="Owners have full access to all projects. Other users see the projects they are members of."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
          New user
        </Button>
      }
    >
      <Records query={pages('/api/users', { query: { limit: 50 } })} empty="There are no users.">
        {(users) => (
          <CardTable minWidth={720} heads={heads} buttons={110}>
            {users.map((user) => {
              const name = personName(user);
              return (
                <Table.Tr key={user.id}>
                  <Table.Td maw={240}>
                    <Text size="sm" truncate title={name}>
                      {name}
                    </Text>
                    <Text size="xs" c="dimmed" truncate title={user.email}>
                      {user.email}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Switch
                      aria-label={`${name} is an owner`}
                      checked={user.is_owner}
                      disabled={owner.isPending}
                      onChange={({ currentTarget }) =>
                        owner.mutate({ id: String(user.id), isOwner: currentTarget.checked })
                      }
                    />
                  </Table.Td>
                  <Table.Td ta="right" className="numbers">
                    {formatNumber(user.project_count)}
                  </Table.Td>
                  <Table.Td>
                    <Badge variant="dot" tt="none" miw="max-content" color={user.has_password ? 'teal' : 'gray'}>
                      {user.has_password ? 'Set' : 'None'}
                    </Badge>
                  </Table.Td>
                  <Table.Td>{formatDay(user.created_at, timezone)}</Table.Td>
                  <Table.Td>
                    <Group gap={2} wrap="nowrap" justify="flex-end">
                      <Tooltip label="Password reset link">
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={`Create a password reset link for ${name}`}
                          onClick={() => password.mutate(String(user.id))}
                        >
                          <IconLink size={17} />
                        </ActionIcon>
                      </Tooltip>
                      <Tooltip label="End all sessions">
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={`End all sessions of ${name}`}
                          onClick={() => sessions.mutate(String(user.id))}
                        >
                          <IconLogout size={17} />
                        </ActionIcon>
                      </Tooltip>
                      <Tooltip label="Remove">
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={`Remove ${name}`}
                          onClick={() => setRemoved(user)}
                        >
                          <IconTrash size={17} />
                        </ActionIcon>
                      </Tooltip>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </CardTable>
        )}
      </Records>
      <NewUser
        isOpen={isMaking}
        onClose={() => setMaking(false)}
        onMade={(made) => {
          setMaking(false);
          setLink(made.link);
        }}
      />
      <ShownOnce
        title="Password reset link"
        what="Link"
        text={link}
        explanation="This link is shown only once. Send it to the user: it works once, within 7 days."
        onClose={() => setLink(null)}
      />
      {removed && (
        <AskFirst
          title={`Remove ${personName(removed)}?`}
          isOpen
          onClose={() => setRemoved(null)}
          confirm="Remove"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(String(removed.id))}
        >
          Removes the account of {removed.email} with all its sessions, keys and roles. What the user created stays.
        </AskFirst>
      )}
    </Section>
  );
}
