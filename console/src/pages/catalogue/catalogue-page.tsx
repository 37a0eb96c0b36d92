import { Group, Paper, SegmentedControl, Switch, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pages, type Pages } from '../../api/client';
import { useProjectId } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { EmptyState } from '../../ui/empty-state';
import { useIsPhone } from '../../ui/use-is-phone';
import { formatCount } from '../../ui/format';
import { Page } from '../../ui/page';
import { SearchInput } from '../../ui/search-input';
import { Records } from '../../ui/records';
import { CatalogueTable } from './catalogue-table';
import { kinds, type CatalogueEntry, type CatalogueKind } from './entry';
import { EntryDrawer } from './entry-drawer';

const labels: Readonly<Record<CatalogueKind, string>> = {
  events: 'Events',
  event: 'Event properties',
  person: 'Person properties',
};

const queryOf = (projectId: string, kind: CatalogueKind, search: string, hidden: boolean): Pages<CatalogueEntry> => {
  const path = { project_id: projectId };
  const query = { limit: 50, hidden, search: search || undefined };
  const read =
    kind === 'events'
      ? pages('/api/projects/{project_id}/catalogue/events', { path, query })
      : pages('/api/projects/{project_id}/catalogue/properties', { path, query: { ...query, kind } });
  return { ...(read as Pages<CatalogueEntry>), placeholderData: keepPreviousData };
};

export function CataloguePage() {
  const projectId = useProjectId();
  const [question, change] = useQuestion();
  const kind = kinds.find((known) => known === question.kind) ?? 'events';
  const search = textOf(question.search) ?? '';
  const hidden = question.hidden === true;
  const isPhone = useIsPhone();
  const [opened, setOpened] = useState<CatalogueEntry | null>(null);

  const query = queryOf(projectId, kind, search, hidden);
  const { data } = useInfiniteQuery(query);

  return (
    <Page title="Catalogue" description="What events and properties mean, how many arrive, and where they are used">
      <Group gap="sm">
        <SegmentedControl
          size={isPhone ? 'xs' : 'sm'}
          aria-label="What is listed"
          data={kinds.map((value) => ({ value, label: labels[value] }))}
          value={kind}
          onChange={(value) => change({ kind: value === 'events' ? undefined : value })}
        />
        <SearchInput aria-label="Search by name" placeholder="Search" />
        <Switch
          label="Hidden only"
          checked={hidden}
          onChange={({ currentTarget }) => change({ hidden: currentTarget.checked ? true : undefined })}
        />
        {data && (
          <Text size="sm" c="dimmed" component="span" className="numbers">
            {formatCount(data.count, 'name')}
          </Text>
        )}
      </Group>
      <Records
        query={query}
        what="the names"
        empty={
          <EmptyState kind="search" title={hidden ? 'Nothing is hidden' : 'No names found'}>
            {search === '' ? 'Names appear here with the first event that has them.' : 'No name contains the text.'}
          </EmptyState>
        }
      >
        {(entries) => (
          <Paper withBorder>
            <CatalogueTable kind={kind} entries={entries} onOpen={setOpened} />
          </Paper>
        )}
      </Records>
      <EntryDrawer key={opened?.name ?? ''} kind={kind} entry={opened} onClose={() => setOpened(null)} />
    </Page>
  );
}
