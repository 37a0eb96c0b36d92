import { Group, Paper, SegmentedControl, Skeleton, Switch, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CatalogueEntry } from '../../api/catalogue';
import { getJson } from '../../api/client';
import { type Page as ListPage } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { EmptyState } from '../../ui/empty-state';
import { formatCount } from '../../ui/format';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { CatalogueTable } from './catalogue-table';
import { EntryDrawer } from './entry-drawer';

const kinds = ['events', 'event', 'person'] as const;

/** The events themselves, the properties of events, or those of persons. */
export type CatalogueKind = (typeof kinds)[number];

const labels: Readonly<Record<CatalogueKind, string>> = {
  events: 'Events',
  event: 'Event properties',
  person: 'Person properties',
};

const addressOf = (projectId: string, kind: CatalogueKind, search: string, hidden: boolean): string => {
  const query = new URLSearchParams({ limit: '50', hidden: String(hidden) });
  if (search !== '') query.set('search', search);
  if (kind !== 'events') query.set('kind', kind);
  return `/api/projects/${projectId}/catalogue/${kind === 'events' ? 'events' : 'properties'}?${query.toString()}`;
};

export function CataloguePage() {
  const projectId = useProjectId();
  const [question, change] = useQuestion();
  const kind = kinds.find((known) => known === question.kind) ?? 'events';
  const search = textOf(question.search) ?? '';
  const hidden = question.hidden === true;
  const [typed, setTyped] = useState(search);
  const [opened, setOpened] = useState<CatalogueEntry | null>(null);
  const find = useDebouncedCallback((text: string) => change({ search: text || undefined }, { replace: true }), 300);

  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['catalogue', projectId, kind, search, hidden],
    queryFn: ({ pageParam, signal }) => getJson<ListPage<CatalogueEntry>>(pageParam, signal),
    initialPageParam: addressOf(projectId, kind, search, hidden),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const entries = data?.pages.flatMap(({ results }) => results);
  const count = data?.pages[0]?.count;

  return (
    <Page title="Catalogue" description="What events and properties mean, how much of them arrives, and what uses them">
      <Group gap="sm">
        <SegmentedControl
          aria-label="What is listed"
          data={kinds.map((value) => ({ value, label: labels[value] }))}
          value={kind}
          onChange={(value) => change({ kind: value === 'events' ? undefined : value })}
        />
        <TextInput
          aria-label="Search by name"
          placeholder="Search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            find(currentTarget.value.trim());
          }}
        />
        <Switch
          label="Hidden ones"
          checked={hidden}
          onChange={({ currentTarget }) => change({ hidden: currentTarget.checked ? true : undefined })}
        />
        {count !== undefined && (
          <Text size="sm" c="dimmed" component="span" className="numbers">
            {formatCount(count, 'name')}
          </Text>
        )}
      </Group>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!entries && !error && <Skeleton h={340} role="status" aria-busy aria-label="Loading the names" />}
      {entries?.length === 0 && (
        <EmptyState title={hidden ? 'Nothing is hidden' : 'No such name'}>
          {search === '' ? 'Names appear here with the first event that has them.' : 'No name contains the text.'}
        </EmptyState>
      )}
      {entries && entries.length > 0 && (
        <Paper withBorder>
          <CatalogueTable
            kind={kind}
            entries={entries}
            onOpen={setOpened}
            onMore={hasNextPage ? () => void fetchNextPage() : null}
            isLoading={isFetching}
          />
        </Paper>
      )}
      <EntryDrawer key={opened?.name ?? ''} kind={kind} entry={opened} onClose={() => setOpened(null)} />
    </Page>
  );
}
