import { Button, Group, Menu, SegmentedControl, Skeleton, TextInput, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconChevronDown, IconFileUpload, IconFilter, IconPlus, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getJson } from '../../../api/client';
import { whileAway } from '../../../api/query-client';
import { type Cohort, type Page as ListPage } from '../../../api/types';
import { useOpenProject } from '../../../address/project-context';
import { textOf, useQuestion } from '../../../address/search';
import { EmptyState } from '../../../ui/empty-state';
import { formatNumber } from '../../../ui/format';
import { Page } from '../../../ui/page';
import { ProblemAlert } from '../../../ui/problem-alert';
import { CohortTable } from './cohort-table';
import { pollEvery } from '../requests';

export function CohortsPage() {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const [question, ask] = useQuestion();
  const search = textOf(question['search']) ?? '';
  const type = textOf(question['type']) ?? 'all';
  const cohorts = useCohorts(projectId, search, type);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = cohorts;
  const isNarrowed = search !== '' || type !== 'all';
  const rows = data?.pages.flatMap(({ results }) => results) ?? [];
  const [first] = data?.pages ?? [];
  return (
    <Page
      title="Cohorts"
      description="Groups of persons with something in common"
      actions={can('cohort:write') ? <NewCohort projectId={projectId} /> : undefined}
    >
      <Group gap="xs">
        <SearchInput value={search} onChange={(text) => ask({ search: text || undefined }, { replace: true })} />
        <SegmentedControl
          aria-label="Type of cohort"
          data={[
            { value: 'all', label: 'All' },
            { value: 'dynamic', label: 'Dynamic' },
            { value: 'static', label: 'Static' },
          ]}
          value={type}
          onChange={(chosen) => ask({ type: chosen === 'all' ? undefined : chosen })}
        />
      </Group>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} aria-label="Loading the cohorts" />}
      {first?.count === 0 &&
        (isNarrowed ? (
          <EmptyState title="No cohort matches">
            <Button variant="light" mt="sm" onClick={() => ask({ search: undefined, type: undefined })}>
              Remove the search and the filter
            </Button>
          </EmptyState>
        ) : (
          <EmptyState title="No cohorts yet">
            A cohort is a group of persons: those who did something, who have a property, or who are in a file. Use it
            in filters and to compare groups.
          </EmptyState>
        ))}
      {first !== undefined && first.count > 0 && (
        <>
          <Text size="sm" c="dimmed" className="numbers" role="status">
            {formatNumber(first.count)} {first.count === 1 ? 'cohort' : 'cohorts'}
          </Text>
          <CohortTable projectId={projectId} cohorts={rows} />
        </>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Page>
  );
}

/** The list is read again while one of the cohorts is being calculated. */
const useCohorts = (projectId: string, search: string, type: string) => {
  const parameters = new URLSearchParams({ limit: '100' });
  if (search !== '') parameters.set('search', search);
  if (type !== 'all') parameters.set('type', type);
  return useInfiniteQuery({
    queryKey: ['cohorts', projectId, 'list', search, type],
    queryFn: ({ pageParam, signal }) => getJson<ListPage<Cohort>>(pageParam, signal),
    initialPageParam: `/api/projects/${projectId}/cohorts?${parameters.toString()}`,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.error
        ? whileAway(state.error)
        : state.data?.pages.some(({ results }) => results.some((cohort) => cohort.is_calculating))
          ? pollEvery
          : false,
  });
};

function NewCohort({ projectId }: { readonly projectId: string }) {
  const navigate = useNavigate();
  const open = (search: Record<string, unknown>): void =>
    void navigate({ to: '/p/$projectId/cohorts/$cohortId', params: { projectId, cohortId: 'new' }, search });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          New cohort
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFilter size={16} aria-hidden />} onClick={() => open({})}>
          From what persons did or are
        </Menu.Item>
        <Menu.Item leftSection={<IconFileUpload size={16} aria-hidden />} onClick={() => open({ from: 'csv' })}>
          From a CSV file
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Writes into the address bar a moment after the last key. */
function SearchInput({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const write = useDebouncedCallback(onChange, 250);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  return (
    <TextInput
      flex="1 1 220px"
      maw={420}
      type="search"
      aria-label="Search cohorts"
      placeholder="Name of a cohort"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        write(currentTarget.value);
      }}
    />
  );
}
