import { ActionIcon, Anchor, Code, Paper, Table, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { type EventRow } from '../../api/types';
import { useProject } from '../../app/project-context';
import { formatTime } from '../../ui/format';

/** What tells most about an event at one glance. */
const telling = ['$current_url', '$pathname', '$screen_name', '$host'];

const hintOf = ({ properties }: EventRow): string => {
  const values: Readonly<Record<string, unknown>> = properties;
  const key = telling.find((name) => typeof values[name] === 'string');
  return key === undefined ? '' : String(values[key]);
};

export function EventStream({
  events,
  isWaiting,
}: {
  readonly events: readonly EventRow[];
  readonly isWaiting: boolean;
}) {
  const [opened, setOpened] = useState<string | null>(null);
  if (events.length === 0) {
    return (
      <Paper withBorder p="xl">
        <Text ta="center" c="dimmed">
          {isWaiting ? 'Waiting for the next event …' : 'The stream is not connected.'}
        </Text>
      </Paper>
    );
  }
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={620} type="native">
        <Table aria-label="Events, the newest first" highlightOnHover verticalSpacing={6} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={44} aria-label="Details" />
              <Table.Th w={110}>Time</Table.Th>
              <Table.Th w="24%">Event</Table.Th>
              <Table.Th w="28%">Person</Table.Th>
              <Table.Th>Where</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {events.map((event) => (
              <EventLine
                key={event.uuid}
                event={event}
                isOpen={opened === event.uuid}
                onToggle={() => setOpened(opened === event.uuid ? null : event.uuid)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

interface EventLineProps {
  readonly event: EventRow;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

const clock = { year: undefined, month: undefined, day: undefined, second: '2-digit' } as const;

function EventLine({ event, isOpen, onToggle }: EventLineProps) {
  const project = useProject();
  const hint = hintOf(event);
  const person = event.person_id !== null && event.person_id > 0 ? String(event.person_id) : null;
  return (
    <Fragment>
      <Table.Tr>
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-expanded={isOpen}
            aria-label={`Properties of ${event.event}`}
            onClick={onToggle}
          >
            {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          </ActionIcon>
        </Table.Td>
        <Table.Td className="numbers">{formatTime(event.timestamp, project.timezone, clock)}</Table.Td>
        <Table.Td>
          <Text size="sm" fw={550} truncate title={event.event}>
            {event.event}
          </Text>
        </Table.Td>
        <Table.Td>
          {person === null ? (
            <Text size="sm" truncate title={event.distinct_id}>
              {event.distinct_id}
            </Text>
          ) : (
            <Anchor
              component={Link}
              to={`/p/${project.id}/persons/${person}`}
              size="sm"
              display="block"
              truncate
              title={event.distinct_id}
            >
              {event.distinct_id}
            </Anchor>
          )}
        </Table.Td>
        <Table.Td>
          <Text size="sm" c="dimmed" truncate title={hint}>
            {hint}
          </Text>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <Code block>{JSON.stringify(event.properties, null, 2)}</Code>
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  );
}
