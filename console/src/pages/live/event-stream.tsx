import { ActionIcon, Anchor, Code, Paper, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { type EventRow } from '../../api/types';
import { useProject } from '../../app/project-context';
import { formatTime } from '../../ui/format';
import { type StreamState } from './use-live-events';
import classes from './event-stream.module.css';

/** What tells most about an event at one glance. */
const telling = ['$current_url', '$pathname', '$screen_name', '$host'];

const hintOf = ({ properties }: EventRow): string => {
  const values: Readonly<Record<string, unknown>> = properties;
  const key = telling.find((name) => typeof values[name] === 'string');
  return key === undefined ? '' : String(values[key]);
};

const emptyTexts: Readonly<Record<StreamState, string>> = {
  open: 'Waiting for the next event …',
  connecting: 'Connecting …',
  lost: 'The stream is not connected.',
  paused: 'The stream is paused.',
};

/** A plain table: that of the library brings parts which the first page can do without. */
export function EventStream({ events, state }: { readonly events: readonly EventRow[]; readonly state: StreamState }) {
  const [opened, setOpened] = useState<string | null>(null);
  if (events.length === 0) {
    return (
      <Paper withBorder p="xl">
        <Text ta="center" c="dimmed">
          {emptyTexts[state]}
        </Text>
      </Paper>
    );
  }
  return (
    <Paper withBorder>
      <div className={classes.scroller}>
        <table className={classes.table} aria-label="Events, the newest first">
          <thead>
            <tr>
              <th style={{ width: 44 }} aria-label="Details" />
              <th style={{ width: 110 }}>Time</th>
              <th style={{ width: '24%' }}>Event</th>
              <th style={{ width: '28%' }}>Person</th>
              <th>Where</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <EventLine
                key={event.uuid}
                event={event}
                isOpen={opened === event.uuid}
                onToggle={() => setOpened(opened === event.uuid ? null : event.uuid)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Paper>
  );
}

interface EventLineProps {
  readonly event: EventRow;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Why an actor has no page of its own. */
const noPerson = 'no person: its events were sent without one';

const clock = { year: undefined, month: undefined, day: undefined, second: '2-digit' } as const;

function EventLine({ event, isOpen, onToggle }: EventLineProps) {
  const project = useProject();
  const hint = hintOf(event);
  const person = event.person_id !== null && event.person_id > 0 ? String(event.person_id) : null;
  return (
    <Fragment>
      <tr>
        <td>
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
        </td>
        <td className="numbers">{formatTime(event.timestamp, project.timezone, clock)}</td>
        <td>
          <Text size="sm" fw={550} truncate title={event.event}>
            {event.event}
          </Text>
        </td>
        <td>
          {person === null ? (
            <Text size="sm" truncate title={`${event.distinct_id}: ${noPerson}`}>
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
        </td>
        <td>
          <Text size="sm" c="dimmed" truncate title={hint}>
            {hint}
          </Text>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5}>
            <Code block>{JSON.stringify(event.properties, null, 2)}</Code>
          </td>
        </tr>
      )}
    </Fragment>
  );
}
