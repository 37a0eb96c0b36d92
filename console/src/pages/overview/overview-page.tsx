import { Anchor, SimpleGrid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useOpenProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { Card } from '../../ui/card';
import { Choice } from '../../ui/choice';
import { Later, lazyPart } from '../../ui/later';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { Attention } from './attention';
import { Checklist } from './checklist';
import { Figures } from './figures';
import { topEventsQuery } from './overview-queries';
import { Ranking } from './ranking';
import { RetentionRows } from './retention-rows';
import { Visits } from './visits';

const FirstEvent = lazyPart(async () => (await import('../../ui/first-event')).FirstEvent);
/** Its lines come last. */
const CohortMoves = lazyPart(async () => (await import('./cohort-moves')).CohortMoves);

const ranges = [7, 30, 90].map((days) => ({ value: String(days), label: `Last ${days} days` }));
const pageview = '$pageview';

/** What a team wants to know in the morning. */
export function OverviewPage() {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const [question, ask] = useQuestion();
  const range = textOf(question['days']);
  const days = Number(ranges.find(({ value }) => value === range)?.value ?? 7);
  const events = useQuery({
    ...topEventsQuery(projectId),
    refetchInterval: ({ state }) => (state.data?.count === 0 ? 2000 : false),
  });
  const names = events.data?.results.map(({ name }) => name) ?? [];
  const hasEvents = names.length > 0;
  return (
    <Page
      title="Overview"
      actions={
        hasEvents && (
          <Choice
            aria-label="Range of time"
            data={ranges}
            value={String(days)}
            onChange={(value) => ask({ days: value === '7' ? undefined : Number(value) })}
          />
        )
      }
    >
      {events.error && <ProblemAlert error={events.error} onRetry={() => void events.refetch()} />}
      {!events.data && !events.error && <Skeleton h={170} role="status" aria-busy aria-label="Loading the overview" />}
      {events.data && !hasEvents && (
        <Suspense>
          <FirstEvent token={project.api_token} />
        </Suspense>
      )}
      {hasEvents && <Figures days={days} />}
      {events.data && (
        <Later>
          <Attention />
          <Checklist hasEvents={hasEvents} />
        </Later>
      )}
      {hasEvents && (
        <Later>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Card
              title="Top events"
              aside={
                <Anchor component={Link} to={`/p/${projectId}/catalogue`} size="sm">
                  30 days
                </Anchor>
              }
            >
              <Ranking
                empty="No event in the last 30 days."
                lines={(events.data?.results ?? []).map(({ name, volume_30_day: count }) => ({
                  name,
                  count: count ?? 0,
                  to: {
                    to: `/p/${projectId}/insights/trends`,
                    search: { events: [{ id: name }], date_from: '-30d' } as never,
                  },
                }))}
              />
            </Card>
            {names.includes(pageview) && <Visits days={days} />}
            <RetentionRows event={names.includes(pageview) ? pageview : (names[0] ?? '')} />
            {can('cohort:read') && (
              <Suspense fallback={<Skeleton h={200} />}>
                <CohortMoves />
              </Suspense>
            )}
          </SimpleGrid>
        </Later>
      )}
    </Page>
  );
}
