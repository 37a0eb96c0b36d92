import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getJson } from '../../api/client';
import { type components } from '../../api/schema';
import { type Page } from '../../api/types';
import { EmptyState } from '../../ui/empty-state';
import { formatNumber } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import { ActivityEntry } from '../../ui/activity';
import { type OfCohort } from './existing-cohort';
import { cohortAddress, cohortKey } from './requests';

type Entry = components['schemas']['ActivityEntryDto'];

/** Who changed the cohort, and what. */
export function ActivityTab({ projectId, cohort }: OfCohort) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: [...cohortKey(projectId, cohort.id), 'activity'],
    queryFn: ({ pageParam, signal }) => getJson<Page<Entry>>(pageParam, signal),
    initialPageParam: `${cohortAddress(projectId, cohort.id)}/activity?limit=30`,
    getNextPageParam: ({ next }) => next,
  });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={200} aria-label="Loading the activity" />;
  const entries = data.pages.flatMap(({ results }) => results);
  if (entries.length === 0) return <EmptyState title="No changes yet" />;
  const count = data.pages[0]?.count ?? 0;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {formatNumber(count)} {count === 1 ? 'entry' : 'entries'}, newest first
      </Text>
      {error && <ProblemAlert error={error} onRetry={() => void fetchNextPage()} />}
      {entries.map((entry) => (
        <ActivityEntry key={entry.id} entry={entry} />
      ))}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}
