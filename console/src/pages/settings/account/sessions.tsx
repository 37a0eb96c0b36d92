import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { api, pages } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatAgo, formatTime } from '../../../ui/format';
import { Records } from '../../../ui/records';
import { Section } from '../shared/section';
import { useChange } from '../../../ui/use-change';

const heads: readonly Head[] = [{ label: 'Browser' }, { label: 'Network' }, { label: 'Last seen' }, { label: 'Ends' }];

/** Where the user is signed in. The session of this page ends by signing out. */
export function Sessions() {
  const { timezone } = useProject();
  const { mutate, isPending, variables } = useChange(
    (id: string) => api.DELETE('/api/sessions/{id}', { params: { path: { id } } }),
    { refreshes: ['/api/sessions'], message: 'The session has ended.' },
  );
  return (
    <Section title="Sessions" description="Where you are signed in. End any session you do not recognise.">
      <Records query={pages('/api/sessions', { query: { limit: 20 } })} empty="There are no sessions.">
        {(sessions) => (
          <CardTable minWidth={640} heads={heads} buttons={110}>
            {sessions.map((session) => (
              <Table.Tr key={session.id}>
                <Table.Td maw={280}>
                  <Text size="sm" lineClamp={2} title={session.user_agent}>
                    {session.user_agent || 'Not known'}
                  </Text>
                </Table.Td>
                <Table.Td>{session.address}</Table.Td>
                <Table.Td title="Accurate to the hour">{formatAgo(session.last_seen_at)}</Table.Td>
                <Table.Td>{formatTime(session.expires_at, timezone)}</Table.Td>
                <Table.Td>
                  <Group justify="flex-end">
                    {session.is_current ? (
                      <Badge variant="light" tt="none" miw="max-content">
                        This session
                      </Badge>
                    ) : (
                      <Button
                        size="xs"
                        variant="default"
                        loading={isPending && variables === session.id}
                        onClick={() => mutate(session.id)}
                      >
                        End
                      </Button>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </CardTable>
        )}
      </Records>
    </Section>
  );
}
