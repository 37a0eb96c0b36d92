import { ActionIcon, Button, Group, Paper, SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getJson } from '../../api/client';
import { type components } from '../../api/schema';
import { textOf, useQuestion } from '../../app/search';
import { EmptyState } from '../../ui/empty-state';
import { ProblemAlert } from '../../ui/problem-alert';
import { ChangeRow } from './change-row';
import { type OfCohort } from './existing-cohort';
import { cohortAddress, cohortKey } from './requests';

type Changes = components['schemas']['CohortChangesDto'];

const kinds = [
  { value: 'all', label: 'All' },
  { value: 'entered', label: 'Entered' },
  { value: 'left', label: 'Left' },
];

/** Who entered and who left, the newest first. */
export function ChangesTab({ projectId, cohort }: OfCohort) {
  const [question, ask] = useQuestion();
  const kind = kinds.find(({ value }) => value === textOf(question['change']))?.value ?? 'all';
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching, isPlaceholderData } = useChanges(
    { projectId, cohort },
    kind,
  );
  const changes = data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="Kind of change"
          data={kinds}
          value={kind}
          onChange={(chosen) => ask({ change: chosen === 'all' ? undefined : chosen })}
        />
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Read the changes anew"
          loading={isFetching}
          onClick={() => void refetch()}
        >
          <IconRefresh size={16} />
        </ActionIcon>
      </Group>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} role="status" aria-label="Loading the changes" />}
      {data && changes.length === 0 && <NoChanges kind={kind} isCalculating={cohort.is_calculating} />}
      {changes.length > 0 && (
        <Paper withBorder style={{ opacity: isPlaceholderData ? 0.6 : 1 }} aria-busy={isPlaceholderData}>
          <Table.ScrollContainer minWidth={740} type="native">
            <Table highlightOnHover verticalSpacing="xs" className="numbers" aria-label="Changes">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Person</Table.Th>
                  <Table.Th w={120}>Change</Table.Th>
                  <Table.Th w={200}>Why</Table.Th>
                  <Table.Th w={230}>When</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {changes.map((change) => (
                  <ChangeRow key={change.cursor} projectId={projectId} change={change} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
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

const useChanges = ({ projectId, cohort }: OfCohort, kind: string) => {
  const parameters = new URLSearchParams({ order: 'newest', limit: '50' });
  if (kind !== 'all') parameters.set('change', kind);
  const address = `${cohortAddress(projectId, cohort.id)}/changes?${parameters.toString()}`;
  return useInfiniteQuery({
    queryKey: [...cohortKey(projectId, cohort.id), 'changes', kind, cohort.version, cohort.count],
    queryFn: ({ pageParam, signal }) => getJson<Changes>(pageParam, signal),
    initialPageParam: address,
    getNextPageParam: ({ has_more, cursor }) =>
      has_more ? `${address}&after=${encodeURIComponent(cursor)}` : undefined,
    placeholderData: keepPreviousData,
  });
};

function NoChanges({ kind, isCalculating }: { readonly kind: string; readonly isCalculating: boolean }) {
  if (isCalculating)
    return <EmptyState title="The members are being calculated">The changes appear when they are known.</EmptyState>;
  if (kind === 'entered') return <EmptyState title="No person entered in the last 90 days" />;
  if (kind === 'left') return <EmptyState title="No person left in the last 90 days" />;
  return <EmptyState title="No changes in the last 90 days" />;
}
