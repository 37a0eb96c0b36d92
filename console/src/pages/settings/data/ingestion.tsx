import { Group, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { formatAgo, formatNumber, formatTime } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { Section } from '../shared/section';

/** Shows the outcome of the events that clients sent. */
export function Ingestion() {
  const { id, timezone } = useProject();
  const { data, error, refetch } = useQuery({
    ...answer('/api/projects/{project_id}/ingestion', { path: { project_id: String(id) } }),
    refetchInterval: 10_000,
  });
  return (
    <Section
      title="Ingestion"
      description="Events sent by clients since the project was created; imports are not counted here. Updated within 5 seconds."
    >
      {error ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton h={80} />
      ) : (
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Count label="Accepted" events={data.accepted} />
            <Count label="Duplicates" events={data.duplicates} />
            <Count label="Rejected" events={data.rejected} />
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            {data.last_accepted_at === null
              ? 'No client has sent an event yet.'
              : `The last event was accepted ${formatTime(data.last_accepted_at, timezone, { second: '2-digit' })}.`}
          </Text>
          {data.rejected_by_reason.length > 0 && (
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Reason</Table.Th>
                  <Table.Th ta="right">Events</Table.Th>
                  <Table.Th>Last</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.rejected_by_reason.map(({ reason, events, last_at }) => (
                  <Table.Tr key={reason}>
                    <Table.Td>{reason}</Table.Td>
                    <Table.Td ta="right" className="numbers">
                      {formatNumber(events)}
                    </Table.Td>
                    <Table.Td>{formatAgo(last_at)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
          {data.sdks.length > 0 && (
            <Stack gap={4}>
              <Text size="sm" fw={500}>
                SDKs that sent events
              </Text>
              {data.sdks.map(({ name, version, last_seen_at }) => (
                <Group key={`${name} ${version}`} gap="xs" justify="space-between">
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {name} {version}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {formatAgo(last_seen_at)}
                  </Text>
                </Group>
              ))}
            </Stack>
          )}
        </Stack>
      )}
    </Section>
  );
}

function Count({ label, events }: { label: string; events: number }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={650} className="numbers">
        {formatNumber(events)}
      </Text>
    </div>
  );
}
