import { ActionIcon, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api, pages } from '../../../api/client';
import { type ProjectRole } from '../../../api/accounts';
import { useOpenProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatTime } from '../../../ui/format';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { Records } from '../../../ui/records';
import { Section } from '../shared/section';
import { ShownOnce } from '../shared/shown-once';
import { useChange } from '../../../ui/use-change';
import { roleChoices, roleOf } from './roles';
import { Select } from '../../../ui/select';

const heads: readonly Head[] = [{ label: 'E-mail' }, { label: 'Role' }, { label: 'Ends' }];

/** People are invited by a link that the inviter hands over, because the service sends no e-mail of invitations. */
export function Invitations() {
  const { project, can } = useOpenProject();
  const path = { project_id: String(project.id) };
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<ProjectRole>('member');
  const [link, setLink] = useState<string | null>(null);
  const refreshes = ['/api/projects/{project_id}/invitations'] as const;
  const invite = useChange(
    () => api.POST('/api/projects/{project_id}/invitations', { params: { path }, body: { email, role } }),
    {
      refreshes,
      message: 'Invitation created.',
      hasForm: true,
      onDone: (invitation) => {
        setEmail('');
        setLink(invitation.link);
      },
    },
  );
  const revoke = useChange(
    (id: string) => api.DELETE('/api/projects/{project_id}/invitations/{id}', { params: { path: { ...path, id } } }),
    { refreshes, message: 'Invitation revoked.' },
  );

  return (
    <Section
      title="Invitations"
      description="Each link works once, within 7 days. No e-mail is sent: share the link yourself."
    >
      <Stack>
        {can('project:write') && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              invite.mutate();
            }}
          >
            <Stack gap="xs">
              <FormProblem error={invite.error} fields={['email', 'role']} />
              <Group align="flex-start" gap="xs">
                <TextInput
                  aria-label="E-mail"
                  type="email"
                  placeholder="grace@example.com"
                  required
                  style={{ flex: '2 1 220px' }}
                  value={email}
                  onChange={({ currentTarget }) => setEmail(currentTarget.value)}
                  error={errorAt(invite.error, 'email')}
                />
                <Select
                  aria-label="Role"
                  allowDeselect={false}
                  style={{ flex: '1 1 220px' }}
                  data={roleChoices}
                  value={role}
                  onChange={(value) => setRole(roleOf(value))}
                  error={errorAt(invite.error, 'role')}
                />
                <Button type="submit" loading={invite.isPending}>
                  Invite
                </Button>
              </Group>
            </Stack>
          </form>
        )}
        <Records
          query={pages('/api/projects/{project_id}/invitations', { path, query: { limit: 50 } })}
          empty="No open invitations."
        >
          {(invitations) => (
            <CardTable minWidth={520} heads={heads} buttons={50}>
              {invitations.map((invitation) => (
                <Table.Tr key={invitation.id}>
                  <Table.Td maw={260}>
                    <Text size="sm" truncate title={invitation.email}>
                      {invitation.email}
                    </Text>
                  </Table.Td>
                  <Table.Td>{invitation.role}</Table.Td>
                  <Table.Td>{formatTime(invitation.expires_at, project.timezone)}</Table.Td>
                  <Table.Td ta="right">
                    {can('project:write') && (
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`Revoke the invitation of ${invitation.email}`}
                        onClick={() => revoke.mutate(invitation.id)}
                      >
                        <IconTrash size={17} />
                      </ActionIcon>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </CardTable>
          )}
        </Records>
      </Stack>
      <ShownOnce
        title="Invitation link"
        what="Link"
        text={link}
        explanation="This link is shown only once. Send it to the invited person: it works once, within 7 days."
        onClose={() => setLink(null)}
      />
    </Section>
  );
}
