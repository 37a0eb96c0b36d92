import { Group, Skeleton, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { addressOf, answer, keyOf } from '../../api/client';
import { Later, lazyPart } from '../../ui/later';
import { useProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { formatNumber } from '../../ui/format';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { StreamControl } from '../../ui/stream-control';
import { useIsPhone } from '../../ui/use-is-phone';
import { EventStream } from './event-stream';
import { LiveOverview, OverviewSkeleton } from './live-overview';
import { hasEventsQuery, liveSummaryQuery } from './live-queries';
import classes from './live-page.module.css';
import { useLiveEvents } from './use-live-events';

/** Not needed to see what arrives: loaded once that is drawn. */
const EventPicker = lazyPart(async () => (await import('../../filters/pickers')).EventPicker);
const FirstEvent = lazyPart(async () => (await import('../../ui/first-event')).FirstEvent);

const events = '/api/projects/{project_id}/events';

/** How many events from before the stream began are shown below those that arrive. */
const mostRecent = 30;

/** The projection has most events by then. */
const cardsAfterMs = 1_000;

export function LivePage() {
  const project = useProject();
  const [question, change] = useQuestion();
  const [isPaused, setPaused] = useState(false);
  const event = textOf(question.event);
  const [typedId, setTypedId] = useState(textOf(question.distinct_id) ?? '');
  const [distinctId] = useDebouncedValue(typedId.trim(), 400);

  const path = { project_id: String(project.id) };
  const query = { event, distinct_id: distinctId || undefined };
  const live = useLiveEvents(addressOf('/api/projects/{project_id}/events/live', { path, query }), isPaused);

  const params = { path, query: { ...query, limit: mostRecent } };
  const recent = useQuery({
    ...answer(events, params),
    queryKey: keyOf(events, params, live.restarts),
    staleTime: Infinity,
    gcTime: 0,
  });
  const all = useMemo(() => {
    const arrived = new Set(live.events.map(({ uuid }) => uuid));
    return [...live.events, ...(recent.data?.results.filter(({ uuid }) => !arrived.has(uuid)) ?? [])];
  }, [live.events, recent.data]);

  const summary = useQuery({
    ...liveSummaryQuery(String(project.id)),
    refetchInterval: isPaused ? false : 10_000,
    placeholderData: keepPreviousData,
  });
  // The cards know of single events soon after the list; a stream of events waits for the interval above.
  const newest = live.events[0]?.uuid;
  const { refetch: countAgain } = summary;
  useEffect(() => {
    if (newest === undefined || isPaused) return;
    const soon = setTimeout(() => void countAgain(), cardsAfterMs);
    return () => clearTimeout(soon);
  }, [newest, isPaused, countAgain]);
  const names = useQuery({
    ...hasEventsQuery(String(project.id)),
    refetchInterval: ({ state }) => (state.data?.count === 0 ? 2000 : false),
  });
  // Drawn in short pieces, between which the browser can answer.
  const shownEvents = useDeferredValue(all);
  const shownSummary = useDeferredValue(summary.data);
  // On a phone the cards of the summary are as high as their lists, and would move what is below them.
  const isPhone = useIsPhone();
  const isDrawn = shownSummary !== undefined || summary.error !== null;
  const isEmpty = names.data?.count === 0 && live.events.length === 0;

  return (
    <Page
      title="Live"
      description="Events as they arrive, counted by their own time"
      actions={<StreamControl what="the stream" state={live.state} onPause={setPaused} />}
    >
      {isEmpty ? (
        <Suspense>
          <FirstEvent token={project.api_token} />
        </Suspense>
      ) : (
        <>
          {summary.error && <ProblemAlert error={summary.error} onRetry={() => void summary.refetch()} />}
          {shownSummary ? <LiveOverview summary={shownSummary} /> : !summary.error && <OverviewSkeleton />}
          {(isDrawn || !isPhone) && (
            <>
              <Group gap="sm" className={classes.filters}>
                {isDrawn ? (
                  <Later until={<Skeleton h={36} />}>
                    <Suspense fallback={<Skeleton h={36} />}>
                      <EventPicker
                        label="Only this event"
                        placeholder="All events"
                        value={event ?? null}
                        clearable
                        onChange={(name) => change({ event: name ?? undefined })}
                      />
                    </Suspense>
                  </Later>
                ) : (
                  <Skeleton h={36} />
                )}
                <TextInput
                  aria-label="Only this distinct id"
                  placeholder="Distinct id"
                  value={typedId}
                  onChange={({ currentTarget }) => setTypedId(currentTarget.value)}
                  onBlur={() => change({ distinct_id: typedId.trim() || undefined }, { replace: true })}
                />
                {live.skipped > 0 && (
                  <Text size="sm" c="dimmed">
                    {formatNumber(live.skipped)} more arrived too fast to be shown
                  </Text>
                )}
              </Group>
              <EventStream events={shownEvents} state={live.state} />
            </>
          )}
        </>
      )}
    </Page>
  );
}
