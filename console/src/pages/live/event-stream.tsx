import { Code, Paper, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, memo, useCallback, useState, type MouseEvent } from 'react';
import { type EventRow } from '../../api/types';
import { useProject } from '../../address/project-context';
import { formatDay, formatTime } from '../../ui/format';
import { type StreamState } from '../../ui/stream-control';
import classes from './event-stream.module.css';

/** Properties that tell most about an event at one glance. */
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

/** A plain table of plain elements: parts of the library in each row would take most of the time that this page takes. */
export function EventStream({ events, state }: { readonly events: readonly EventRow[]; readonly state: StreamState }) {
  const { id, timezone } = useProject();
  const [opened, setOpened] = useState<string | null>(null);
  const today = formatDay(new Date(), timezone);
  const toggle = useCallback((uuid: string) => setOpened((before) => (before === uuid ? null : uuid)), []);
  const navigate = useNavigate();
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ to: link.pathname });
  };
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
        <table className={classes.table} aria-label="Events, the newest first" onClick={follow}>
          <thead>
            <tr>
              <th aria-label="Details" />
              <th title="The time that the event itself has. What arrives is added at the top, whatever its time.">
                Time
              </th>
              <th>Event</th>
              <th>Distinct id</th>
              <th>Where</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <EventLine
                key={event.uuid}
                event={event}
                projectId={id}
                timezone={timezone}
                today={today}
                isOpen={opened === event.uuid}
                onToggle={toggle}
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
  readonly projectId: number;
  readonly timezone: string;
  /** The day of now, as `formatDay` writes it. */
  readonly today: string;
  readonly isOpen: boolean;
  readonly onToggle: (uuid: string) => void;
}

/** Why an actor has no page of its own. */
const noPerson = 'no person: its events were sent without one';

const exact = { second: '2-digit' } as const;
const inYear = { ...exact, year: undefined } as const;
const clock = { ...inYear, month: undefined, day: undefined } as const;

/** The time of the day, with the date where it is not that of today, and with the year where it is not that of now. */
const timeOf = ({ timestamp }: EventRow, timezone: string, today: string): string => {
  const day = formatDay(timestamp, timezone);
  const isThisYear = day.slice(-4) === today.slice(-4);
  return formatTime(timestamp, timezone, day === today ? clock : isThisYear ? inYear : exact);
};

const EventLine = memo(function EventLine({ event, projectId, timezone, today, isOpen, onToggle }: EventLineProps) {
  const hint = hintOf(event);
  const { uuid, event: name, distinct_id: distinctId, person_id: person } = event;
  return (
    <Fragment>
      <tr>
        <td>
          <button
            type="button"
            className={`mantine-focus-auto ${classes.toggle}`}
            aria-expanded={isOpen}
            aria-label={`Properties of ${name}`}
            onClick={() => onToggle(uuid)}
          >
            {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          </button>
        </td>
        <td className="numbers" title={`${formatTime(event.timestamp, timezone, exact)} (${timezone})`}>
          {timeOf(event, timezone, today)}
        </td>
        <td className={classes.name} title={name}>
          {name}
        </td>
        {person !== null && person > 0 ? (
          <td className={classes.text}>
            <a className="mantine-focus-auto" href={`/p/${projectId}/persons/${person}`} title={distinctId}>
              {distinctId}
            </a>
          </td>
        ) : (
          <td className={classes.text} title={`${distinctId}: ${noPerson}`}>
            {distinctId}
          </td>
        )}
        <td className={classes.hint} title={hint}>
          {hint}
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
});
