import { Button, Group, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, keyOf } from '../../../api/client';
import { queryClient } from '../../../api/query-client';
import { textOf, useQuestion } from '../../../address/search';
import { CardTable, type Head } from '../../../ui/card-table';
import { EmptyState } from '../../../ui/empty-state';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StreamControl } from '../../../ui/stream-control';
import { capital } from '../../../filters/account-words';
import { useActors } from '../../../insights/actors';
import { type Noun } from '../../../ui/format';
import { ChangeRow, type Change } from './change-row';
import { type CohortProps, cohortQuery, pathOf } from '../cohort';
import { changesRoute, type ChangesRoute } from './changes-route';
import { useFollowedChanges } from './use-followed-changes';

const kinds = [
  { value: 'all', label: 'All' },
  { value: 'entered', label: 'Entered' },
  { value: 'left', label: 'Left' },
] as const;

type Kind = (typeof kinds)[number]['value'];

const headsOf = ([one]: Noun): readonly Head[] => [
  { label: capital(one) },
  { label: 'Change', w: 120 },
  { label: 'Why', w: 200 },
  { label: 'When', w: 260 },
];

/** Lists who entered and who left, the newest first, and follows new changes. */
export function ChangesTab({ projectId, cohort }: CohortProps) {
  const [question, ask] = useQuestion();
  const { noun } = useActors();
  const kind = kinds.find(({ value }) => value === textOf(question['change']))?.value ?? 'all';
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = useChanges(
    { projectId, cohort },
    kind,
  );
  const [isPaused, setPaused] = useState(false);
  const following = useFollowedChanges({ projectId, cohort }, isPaused, () =>
    Promise.all([
      refetch(),
      queryClient.invalidateQueries({ queryKey: cohortQuery(projectId, cohort.id).queryKey, exact: true }),
    ]),
  );
  const changes = data?.pages.flatMap(({ results }): readonly Change[] => results) ?? [];
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="Kind of change"
          data={[...kinds]}
          value={kind}
          onChange={(chosen) => ask({ change: chosen === 'all' ? undefined : chosen })}
        />
        <Group gap="xs">
          <StreamControl what="following the changes" state={following} onPause={setPaused} size={30} />
        </Group>
      </Group>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} role="status" aria-label="Loading the changes" />}
      {data && changes.length === 0 && <NoChanges kind={kind} isCalculating={cohort.is_calculating} />}
      {changes.length > 0 && (
        <Paper withBorder style={{ opacity: isPlaceholderData ? 0.6 : 1 }} aria-busy={isPlaceholderData}>
          <CardTable minWidth={740} heads={headsOf(noun)} highlightOnHover hasNumbers aria-label="Changes">
            {changes.map((change) => (
              <ChangeRow key={change.cursor} projectId={projectId} change={change} />
            ))}
          </CardTable>
        </Paper>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
      {data && (
        <Text size="xs" c="dimmed">
          Newest first. Changes are kept for 90 days.
        </Text>
      )}
    </Stack>
  );
}

const useChanges = ({ projectId, cohort }: CohortProps, kind: Kind) => {
  const route = changesRoute(cohort);
  const params = {
    path: pathOf(projectId, cohort),
    query: { order: 'newest', limit: 50, change: kind === 'all' ? undefined : kind },
  } as const;
  return useInfiniteQuery({
    queryKey: keyOf(route, params),
    queryFn: ({ pageParam: after, signal }) =>
      get<ChangesRoute>(route, { ...params, query: { ...params.query, after } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more, cursor }) => (has_more ? cursor : undefined),
    placeholderData: keepPreviousData,
  });
};

function NoChanges({ kind, isCalculating }: { readonly kind: Kind; readonly isCalculating: boolean }) {
  const [one] = useActors().noun;
  if (isCalculating)
    return (
      <EmptyState title="The members are being calculated">Changes appear when the calculation is done.</EmptyState>
    );
  if (kind === 'entered') return <EmptyState title={`No ${one} entered in the last 90 days`} />;
  if (kind === 'left') return <EmptyState title={`No ${one} left in the last 90 days`} />;
  return <EmptyState title="No changes in the last 90 days" />;
}
