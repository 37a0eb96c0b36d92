import { ActionIcon, Table, Text } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import { useState } from 'react';
import { api, pages } from '../../../api/client';
import { personName, type Member, type ProjectRole } from '../../../api/accounts';
import { useOpenProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { AskFirst } from '../../../ui/ask-first';
import { formatDay } from '../../../ui/format';
import { Records } from '../../../ui/records';
import { Section } from '../shared/section';
import { useChange } from '../../../ui/use-change';
import { roleChoices } from './roles';
import { Select } from '../../../ui/select';

const heads: readonly Head[] = [{ label: 'Member' }, { label: 'Role', w: 250 }, { label: 'Since' }];

export function Members() {
  const { project, can } = useOpenProject();
  const path = { project_id: String(project.id) };
  const [removed, setRemoved] = useState<Member | null>(null);
  const refreshes = ['/api/projects/{project_id}/members', '/api/users/@me'] as const;
  const role = useChange(
    ({ id, role: chosen }: { readonly id: string; readonly role: ProjectRole }) =>
      api.PATCH('/api/projects/{project_id}/members/{user_id}', {
        params: { path: { ...path, user_id: id } },
        body: { role: chosen },
      }),
    { refreshes, message: 'The role is changed.' },
  );
  const remove = useChange(
    (id: string) =>
      api.DELETE('/api/projects/{project_id}/members/{user_id}', { params: { path: { ...path, user_id: id } } }),
    { refreshes, message: 'The member is removed.', onDone: () => setRemoved(null) },
  );
  const mayChange = can('project:write');

  return (
    <Section
      title="Members"
      description="Role changes take effect at once. Owners of the installation have full access without being members."
    >
      <Records
        query={pages('/api/projects/{project_id}/members', { path, query: { limit: 50 } })}
        empty="No members yet. Owners of the installation can open the project without a role."
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
                      role.mutate({ id: String(member.user.id), role: value })
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
          onConfirm={() => remove.mutate(String(removed.user.id))}
        >
          {removed.user.email} loses access to this project at once. Keys that reach further than the remaining roles
          are revoked. The account stays.
        </AskFirst>
      )}
    </Section>
  );
}
