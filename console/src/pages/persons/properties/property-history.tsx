import { Loader, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../../address/project-context';
import { formatNumber, formatTime } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { type PersonProps } from '../person';
import { propertiesOf, timelineQuery } from '../events/timeline-query';
import { Value } from '../../../ui/value';

/** The values that a property had, newest first, as the person's events tell. */
export function PropertyHistory({ projectId, person, name }: PersonProps & { readonly name: string }) {
  const { timezone } = useProject();
  const { data, error, refetch } = useQuery(timelineQuery(projectId, person.uuid, { keys: [name] }));
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader role="status" aria-label="Loading the history" />;
  const points = [...data.points].reverse();
  if (points.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The person has no events, so the value was not set by one.
      </Text>
    );
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        Read from the person’s events, newest first.
      </Text>
      <Table.ScrollContainer minWidth={420}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Since</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th ta="right">Events with it</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {points.map((point) => (
              <Table.Tr key={point.timestamp}>
                <Table.Td className="numbers" style={{ whiteSpace: 'nowrap', verticalAlign: 'top' }}>
                  <time dateTime={point.timestamp}>{formatTime(point.timestamp, timezone, { second: '2-digit' })}</time>
                </Table.Td>
                <Table.Td>
                  <Value value={propertiesOf(point)[name]} />
                </Table.Td>
                <Table.Td ta="right" className="numbers" style={{ verticalAlign: 'top' }}>
                  {formatNumber(point.relevant_event_count)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
