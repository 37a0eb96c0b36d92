import { Stack, Table, Text } from '@mantine/core';
import { type EventRow } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { formatTime } from '../../../ui/format';
import { CopiedText } from '../copied-text';
import { Value } from '../../../ui/value';

/** One event with all that it says. */
export function EventDetail({ event }: { readonly event: EventRow }) {
  const { timezone } = useProject();
  const properties = Object.entries(event.properties as Record<string, unknown>).sort(([a], [b]) => a.localeCompare(b));
  return (
    <Stack gap="sm">
      <Text size="sm" component="time" dateTime={event.timestamp} title={event.timestamp}>
        {formatTime(event.timestamp, timezone, { second: '2-digit', fractionalSecondDigits: 3 })}
      </Text>
      <CopiedText text={event.uuid} label="Copy the UUID of the event" />
      <CopiedText text={event.distinct_id} label="Copy the distinct id" />
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="35%">Property</Table.Th>
            <Table.Th>Value</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {properties.map(([key, value]) => (
            <Table.Tr key={key}>
              <Table.Td style={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}>
                <Text size="sm" ff="monospace">
                  {key}
                </Text>
              </Table.Td>
              <Table.Td>
                <Value value={value} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {properties.length === 0 && (
        <Text size="sm" c="dimmed">
          The event has no properties.
        </Text>
      )}
    </Stack>
  );
}
