import { Badge, Button, Drawer, Group, Paper, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { pages } from '../../../api/client';
import { type EventRow } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { useQuestion } from '../../../address/search';
import { colorAt, seriesColors } from '../../../charts/palette';
import { EmptyState } from '../../../ui/empty-state';
import { formatCount, formatDuration, formatTime } from '../../../ui/format';
import { PropertiesTable } from '../../../ui/properties-table';
import { ProblemAlert } from '../../../ui/problem-alert';
import { valueText } from '../../../ui/value';
import { EventDetail } from '../events/event-detail';
import { type PersonProps } from '../person';
import { sessionsOf, type Session } from './sessions';
import classes from './timeline-tab.module.css';

const eventsAtOnce = 100;
/** So many events of a session are listed before the others are asked for. */
const mostListed = 8;

const textAt = ({ properties }: EventRow, key: string): string =>
  valueText((properties as Record<string, unknown>)[key] ?? '');

const pageOf = (event: EventRow): string => textAt(event, '$pathname') || textAt(event, '$current_url');

/** Events of one name have one colour on all pages of all persons. */
const colorOf = (name: string): string => {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return colorAt(sum % seriesColors.length);
};

/** What the person did, newest first, in sessions. */
export function TimelineTab({ projectId, person }: PersonProps) {
  const { timezone } = useProject();
  const [, ask] = useQuestion();
  const [open, setOpen] = useState<EventRow | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    pages('/api/projects/{project_id}/events', {
      path: { project_id: projectId },
      query: { person_id: person.uuid, limit: eventsAtOnce },
    }),
  );
  const sessions = useMemo(() => sessionsOf(data?.rows ?? [], hasNextPage), [data, hasNextPage]);
  const dayOf = ({ end }: Session<EventRow>): string =>
    formatTime(end, timezone, { weekday: 'long', hour: undefined, minute: undefined });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={320} role="status" aria-label="Loading the timeline" />;
  if (sessions.length === 0)
    return (
      <EmptyState title="No events">This person was created without events, or their events were deleted.</EmptyState>
    );
  return (
    <div className={classes.sides}>
      <Stack gap="sm" miw={0}>
        {sessions.map((session, at) => {
          const day = dayOf(session);
          const before = sessions[at - 1];
          return (
            <div key={session.end + String(at)}>
              {(!before || dayOf(before) !== day) && (
                <Title order={2} size="h6" className={classes.day}>
                  {day}
                </Title>
              )}
              <SessionCard session={session} onOpen={setOpen} />
            </div>
          );
        })}
        {hasNextPage && (
          <div>
            <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show earlier sessions
            </Button>
          </div>
        )}
      </Stack>
      <Paper withBorder p="md" component="section" aria-label="Properties" className={classes.aside}>
        <Group justify="space-between" mb="xs">
          <Title order={2} size="h6">
            Properties
          </Title>
          <Button variant="subtle" size="compact-xs" onClick={() => ask({ tab: 'properties' })}>
            Change
          </Button>
        </Group>
        <PropertiesTable
          properties={person.properties}
          isNarrow
          empty={
            <Text size="sm" c="dimmed">
              This person has no properties.
            </Text>
          }
        />
      </Paper>
      <Drawer opened={open !== null} onClose={() => setOpen(null)} position="right" size="lg" title={open?.event ?? ''}>
        {open && <EventDetail event={open} />}
      </Drawer>
    </div>
  );
}

interface SessionCardProps {
  readonly session: Session<EventRow>;
  readonly onOpen: (event: EventRow) => void;
}

function SessionCard({ session: { start, end, events, isWhole }, onOpen }: SessionCardProps) {
  const { timezone } = useProject();
  const [hasAll, setHasAll] = useState(false);
  const shown = hasAll ? events : events.slice(0, mostListed);
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
  const clock = (moment: string): string =>
    formatTime(moment, timezone, { year: undefined, month: undefined, day: undefined });
  const marks = ['$device_type', '$os', '$browser'].flatMap((key) => {
    const text = events.map((event) => textAt(event, key)).find((value) => value !== '');
    return text === undefined ? [] : [text];
  });
  const span = clock(start) === clock(end) ? clock(end) : `${clock(start)} – ${clock(end)}`;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Session, ${span}`}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" className="numbers">
          <b>{isWhole ? span : `until ${clock(end)}`}</b>
          {isWhole && seconds >= 1 && ` · ${formatDuration(seconds)}`} ·{' '}
          {isWhole ? formatCount(events.length, 'event') : `${events.length} events or more`}
        </Text>
        <Group gap={6}>
          {marks.map((mark) => (
            <Badge key={mark} variant="default" tt="none" fw={500}>
              {mark}
            </Badge>
          ))}
        </Group>
      </Group>
      <ol className={classes.events}>
        {shown.map((event) => (
          <li key={event.uuid}>
            <span className={classes.dot} style={{ background: colorOf(event.event) }} aria-hidden />
            <UnstyledButton className={classes.event} onClick={() => onOpen(event)}>
              <span className={classes.name} title={event.event}>
                {event.event}
              </span>
              <span className={classes.page}>{pageOf(event)}</span>
              <time className={`numbers ${classes.time}`} dateTime={event.timestamp}>
                {formatTime(event.timestamp, timezone, {
                  year: undefined,
                  month: undefined,
                  day: undefined,
                  second: '2-digit',
                })}
              </time>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      {shown.length < events.length && (
        <Button variant="subtle" size="compact-xs" mt={6} ms={14} onClick={() => setHasAll(true)}>
          Show {events.length - shown.length} more
        </Button>
      )}
    </Paper>
  );
}
