import { Stack, Text } from '@mantine/core';
import { type EventRow } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { formatTime } from '../../../ui/format';
import { CopiedText } from '../copied-text';
import { PropertiesTable } from '../../../ui/properties-table';

/** One event with all that it says. */
export function EventDetail({ event }: { readonly event: EventRow }) {
  const { timezone } = useProject();
  return (
    <Stack gap="sm">
      <Text size="sm" component="time" dateTime={event.timestamp} title={event.timestamp}>
        {formatTime(event.timestamp, timezone, { second: '2-digit', fractionalSecondDigits: 3 })}
      </Text>
      <CopiedText text={event.uuid} label="Copy the UUID of the event" />
      <CopiedText text={event.distinct_id} label="Copy the distinct id" />
      <PropertiesTable
        properties={event.properties}
        empty={
          <Text size="sm" c="dimmed">
            The event has no properties.
          </Text>
        }
      />
    </Stack>
  );
}
