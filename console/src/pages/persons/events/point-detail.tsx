import { ActionIcon, Group, Stack, Table, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useProject } from '../../../address/project-context';
import { formatNumber, formatTime } from '../../../ui/format';
import { changesBetween, propertiesOf, type TimelinePoint } from './timeline-query';
import { Value } from '../../../ui/value';

interface PointDetailProps {
  readonly point: TimelinePoint;
  /** The properties at the point before, or null at the first one. */
  readonly before: Record<string, unknown> | null;
  readonly index: number;
  readonly count: number;
  readonly onMove: (by: -1 | 1) => void;
}

/** Shows the changes at a point of the timeline. */
export function PointDetail({ point, before, index, count, onMove }: PointDetailProps) {
  const { timezone } = useProject();
  const changes = changesBetween(before ?? {}, propertiesOf(point));
  const events = point.relevant_event_count;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <ActionIcon variant="default" disabled={index === 0} onClick={() => onMove(-1)} aria-label="Previous point">
          <IconChevronLeft size={16} />
        </ActionIcon>
        <ActionIcon variant="default" disabled={index === count - 1} onClick={() => onMove(1)} aria-label="Next point">
          <IconChevronRight size={16} />
        </ActionIcon>
        <Text size="sm" role="status" className="numbers">
          <b>{formatTime(point.timestamp, timezone, { second: '2-digit' })}</b> · point {index + 1} of{' '}
          {formatNumber(count)} · {formatNumber(events)} relevant {events === 1 ? 'event' : 'events'} until the next
        </Text>
      </Group>
      <Table.ScrollContainer minWidth={420} mah={260}>
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="30%">Property</Table.Th>
              {before !== null && <Table.Th>Before</Table.Th>}
              <Table.Th>{before === null ? 'First value' : 'After'}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map((change) => (
              <Table.Tr key={change.key}>
                <Table.Td style={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}>
                  <Text size="sm" ff="monospace">
                    {change.key}
                  </Text>
                </Table.Td>
                {before !== null && (
                  <Table.Td>
                    <Value value={change.before} />
                  </Table.Td>
                )}
                <Table.Td>
                  <Value value={change.after} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {changes.length === 0 && (
        <Text size="sm" c="dimmed">
          No property was set yet.
        </Text>
      )}
    </Stack>
  );
}
