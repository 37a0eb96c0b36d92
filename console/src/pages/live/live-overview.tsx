import { Anchor, Group, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Schemas } from '../../api/types';
import { useProject } from '../../address/project-context';
import { formatAgo, formatNumber, formatTime } from '../../ui/format';
import { Card } from '../../ui/card';
import { MinuteBars } from './minute-bars';

type LiveSummary = Schemas['LiveSummaryDto'];

/** Says how far the numbers reach back. */
function Aside({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="dimmed" className="numbers" title={byOwnTime}>
      {children}
    </Text>
  );
}

const byOwnTime = 'By the time that each event has: one with an older time is not counted, even when it arrives now.';

const shown = 6;

/** Of the picture with its title; the lists beside it have as many lines as fit. */
const cardHeight = 236;
const minHeight = { base: 0, md: cardHeight };

const clock = { year: undefined, month: undefined, day: undefined } as const;

export function LiveOverview({ summary }: { readonly summary: LiveSummary }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <EventsPerMinute summary={summary} />
      <TopEvents summary={summary} />
      <PersonsHere summary={summary} />
    </SimpleGrid>
  );
}

/** As large as the cards will be, so that nothing moves when they come. */
export function OverviewSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} role="status" aria-busy aria-label="Loading the summary">
      {[0, 1, 2].map((card) => (
        <Skeleton key={card} h={{ base: 120, md: cardHeight }} />
      ))}
    </SimpleGrid>
  );
}

function EventsPerMinute({ summary: { minutes } }: { readonly summary: LiveSummary }) {
  const { timezone } = useProject();
  const total = minutes.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title="Events per minute" mih={minHeight} aside={<Aside>{`${formatNumber(total)} in 30 min`}</Aside>}>
      <MinuteBars
        minutes={minutes.map(({ minute, count }) => ({ label: formatTime(minute, timezone, clock), count }))}
        label={`Events in each of the last 30 minutes, ${formatNumber(total)} in all`}
      />
    </Card>
  );
}

function TopEvents({ summary: { top_events: events } }: { readonly summary: LiveSummary }) {
  const most = events[0]?.count ?? 1;
  return (
    <Card title="Top events" mih={minHeight} aside={<Aside>30 min</Aside>}>
      {events.length === 0 && (
        <Text size="sm" c="dimmed">
          No event in the last 30 minutes.
        </Text>
      )}
      <Stack gap={8}>
        {events.slice(0, shown).map(({ event, count }) => (
          <div key={event}>
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <Text size="sm" truncate title={event}>
                {event}
              </Text>
              <Text size="sm" className="numbers">
                {formatNumber(count)}
              </Text>
            </Group>
            <Progress value={(count / most) * 100} size={4} aria-hidden />
          </div>
        ))}
      </Stack>
    </Card>
  );
}

function PersonsHere({ summary: { persons } }: { readonly summary: LiveSummary }) {
  const project = useProject();
  return (
    <Card
      title="Active now"
      mih={minHeight}
      aside={<Aside>{`${formatNumber(persons.active_last_5_minutes)} in 5 min`}</Aside>}
    >
      {persons.latest.length === 0 && (
        <Text size="sm" c="dimmed">
          No person in the last five minutes.
        </Text>
      )}
      <Stack gap={6}>
        {persons.latest.slice(0, shown).map(({ person, last_event, last_seen_at }) => (
          <Group key={`${person.id}`} justify="space-between" wrap="nowrap" gap="sm">
            {person.id > 0 ? (
              <Anchor
                component={Link}
                to={`/p/${project.id}/persons/${person.uuid}`}
                size="sm"
                truncate
                title={person.name}
              >
                {person.name}
              </Anchor>
            ) : (
              <Text size="sm" truncate title={`${person.name}: no person, its events were sent without one`}>
                {person.name}
              </Text>
            )}
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }} title={last_event}>
              {formatAgo(last_seen_at)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
