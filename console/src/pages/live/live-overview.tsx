import { Anchor, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { type LiveSummary } from '../../api/live';
import { useProject } from '../../app/project-context';
import { Chart } from '../../charts/chart';
import { formatAgo, formatNumber, formatTime } from '../../ui/format';

function Card({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: string;
  readonly children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" component="section">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {aside !== undefined && (
          <Text size="sm" c="dimmed" className="numbers">
            {aside}
          </Text>
        )}
      </Group>
      {children}
    </Paper>
  );
}

const shown = 6;

export function LiveOverview({ summary }: { readonly summary: LiveSummary }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <EventsPerMinute summary={summary} />
      <TopEvents summary={summary} />
      <PersonsHere summary={summary} />
    </SimpleGrid>
  );
}

function EventsPerMinute({ summary: { minutes } }: { readonly summary: LiveSummary }) {
  const { timezone } = useProject();
  const total = minutes.reduce((sum, { count }) => sum + count, 0);
  const option = useMemo(
    () => ({
      grid: { left: 4, right: 4, top: 8, bottom: 20, containLabel: true },
      tooltip: { trigger: 'axis', renderMode: 'richText' },
      xAxis: {
        type: 'category',
        data: minutes.map(({ minute }) =>
          formatTime(minute, timezone, { year: undefined, month: undefined, day: undefined }),
        ),
        axisTick: { show: false },
        axisLabel: { interval: 9 },
      },
      yAxis: { type: 'value', minInterval: 1, splitNumber: 2 },
      series: [{ type: 'bar', name: 'Events', data: minutes.map(({ count }) => count), barCategoryGap: '25%' }],
    }),
    [minutes, timezone],
  );
  return (
    <Card title="Events per minute" aside={`${formatNumber(total)} in 30 min`}>
      <Chart
        option={option}
        height={168}
        label={`Events in each of the last 30 minutes, ${formatNumber(total)} in all`}
      />
    </Card>
  );
}

function TopEvents({ summary: { top_events: events } }: { readonly summary: LiveSummary }) {
  const most = events[0]?.count ?? 1;
  return (
    <Card title="Top events" aside="30 min">
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
    <Card title="Here now" aside={`${formatNumber(persons.active_last_5_minutes)} in 5 min`}>
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
              <Text size="sm" truncate title={person.name}>
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
