import { ActionIcon, Badge, Button, Group, Switch, Table, Text, Tooltip } from '@mantine/core';
import { IconLink, IconLogout, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { personName, type Account, type PasswordLink } from '../../../api/accounts';
import { useProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { AskFirst } from '../../../ui/ask-first';
import { formatDay, formatNumber } from '../../../ui/format';
import { Records } from '../shared/records';
import { Section } from '../shared/section';
import { ShownOnce } from '../shared/shown-once';
import { useChange } from '../shared/use-change';
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
  const owner = useChange({ refreshes: ['users', 'account'], message: 'The user is changed.' });
  const sessions = useChange({ refreshes: ['sessions'], message: 'All sessions of the user have ended.' });
  const password = useChange<PasswordLink>({
    refreshes: ['users'],
    message: 'The link is made.',
    onDone: (made) => setLink(made.link),
  });
  const remove = useChange({
    refreshes: ['users', 'project-members', 'members'],
    message: 'The user is removed.',
    onDone: () => setRemoved(null),
  });

  return (
    <Section
      title="Users of the installation"
      description="Owners may do everything in all projects. Other users see the projects in which they are members."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
          New user
        </Button>
      }
    >
      <Records<Account> name="users" address="/api/users?limit=50" empty="There are no users.">
        {(users) => (
          <CardTable minWidth={720} heads={heads} buttons={110}>
            {users.map((user) => {
              const name = personName(user);
              const address = `/api/users/${user.id}`;
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
                        owner.mutate({ method: 'PATCH', address, body: { is_owner: currentTarget.checked } })
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
                      <Tooltip label="Link for a new password">
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={`Make a link by which ${name} sets a new password`}
                          onClick={() => password.mutate({ method: 'POST', address: `${address}/password_link` })}
                        >
                          <IconLink size={17} />
                        </ActionIcon>
                      </Tooltip>
                      <Tooltip label="End all sessions">
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={`End all sessions of ${name}`}
                          onClick={() => sessions.mutate({ method: 'DELETE', address: `${address}/sessions` })}
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
        title="The link for the password"
        what="Link"
        text={link}
        explanation="The link is shown this once. Send it to the user: it works once, within 7 days."
        onClose={() => setLink(null)}
      />
      {removed && (
        <AskFirst
          title={`Remove ${personName(removed)}?`}
          isOpen
          onClose={() => setRemoved(null)}
          confirm="Remove"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate({ method: 'DELETE', address: `/api/users/${removed.id}` })}
        >
          All sessions, keys and roles of {removed.email} go with the account. What the user has made stays.
        </AskFirst>
      )}
    </Section>
  );
}
