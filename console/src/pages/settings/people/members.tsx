import { ActionIcon, Table, Text } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import { useState } from 'react';
import { personName, type Member } from '../../../api/accounts';
import { useOpenProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { AskFirst } from '../../../ui/ask-first';
import { formatDay } from '../../../ui/format';
import { Records } from '../shared/records';
import { Section } from '../shared/section';
import { useChange } from '../shared/use-change';
import { roleChoices } from './roles';
import { Select } from '../../../ui/select';

const heads: readonly Head[] = [{ label: 'Member' }, { label: 'Role', w: 250 }, { label: 'Since' }];

export function Members() {
  const { project, can } = useOpenProject();
  const address = `/api/projects/${project.id}/members`;
  const [removed, setRemoved] = useState<Member | null>(null);
  const role = useChange({ refreshes: ['project-members', 'account'], message: 'The role is changed.' });
  const remove = useChange({
    refreshes: ['project-members', 'members', 'account'],
    message: 'The member is removed.',
    onDone: () => setRemoved(null),
  });
  const mayChange = can('project:write');

  return (
    <Section
      title="Members"
      description="A role takes effect with the next request. Owners of the installation may do everything without being members."
    >
      <Records<Member>
        name="project-members"
        address={`${address}?limit=50`}
        empty="The project has no members. Owners of the installation open it without a role."
      >
        {(members) => (
          <CardTable minWidth={560} heads={heads} buttons={50}>
            {members.map((member) => (
              <Table.Tr key={member.user.id}>
                <Table.Td maw={260}>
                  <Text size="sm" truncate title={personName(member.user)}>
                    {personName(member.user)}
                  </Text>
                  <Text size="xs" c="dimmed" truncate title={member.user.email}>
                    {member.user.email}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    aria-label={`Role of ${personName(member.user)}`}
                    allowDeselect={false}
                    readOnly={!mayChange}
                    data={roleChoices}
                    value={member.role}
                    onChange={(value) =>
                      value !== null &&
                      value !== member.role &&
                      role.mutate({
                        method: 'PATCH',
                        address: `${address}/${member.user.id}`,
                        body: { role: value },
                      })
                    }
                  />
                </Table.Td>
                <Table.Td>{formatDay(member.joined_at, project.timezone)}</Table.Td>
                <Table.Td ta="right">
                  {mayChange && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove ${personName(member.user)} from the project`}
                      onClick={() => setRemoved(member)}
                    >
                      <IconUserMinus size={17} />
                    </ActionIcon>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </CardTable>
        )}
      </Records>
      {removed && (
        <AskFirst
          title={`Remove ${personName(removed.user)}?`}
          isOpen
          onClose={() => setRemoved(null)}
          confirm="Remove"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate({ method: 'DELETE', address: `${address}/${removed.user.id}` })}
        >
          The project closes for {removed.user.email} with the next request. Keys made while signed in are revoked where
          they exceed what is left. The account stays.
        </AskFirst>
      )}
    </Section>
  );
}
