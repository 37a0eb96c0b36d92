import { Button, Group, Menu, SegmentedControl } from '@mantine/core';
import { IconArrowsLeftRight, IconChevronDown, IconFileUpload, IconFilter, IconPlus } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { pages, type Pages } from '../../../api/client';
import { whileAway } from '../../../api/query-client';
import { type Cohort } from '../../../api/types';
import { useOpenProject } from '../../../address/project-context';
import { textOf, useQuestion } from '../../../address/search';
import { EmptyState } from '../../../ui/empty-state';
import { formatCount } from '../../../ui/format';
import { Page } from '../../../ui/page';
import { SearchInput } from '../../../ui/search-input';
import { Records } from '../../../ui/records';
import { CohortTable } from './cohort-table';
import { pollEvery } from '../cohort';

export function CohortsPage() {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const [question, ask] = useQuestion();
  const search = textOf(question['search']) ?? '';
  const type = textOf(question['type']) ?? 'all';
  const isNarrowed = search !== '' || type !== 'all';
  return (
    <Page
      title="Cohorts"
      description="Persons or accounts with something in common"
      actions={
        <>
          <Button
            variant="default"
            component={Link}
            to={`/p/${projectId}/cohorts/compare`}
            leftSection={<IconArrowsLeftRight size={16} aria-hidden />}
          >
            Compare
          </Button>
          {can('cohort:write') && <NewCohort projectId={projectId} />}
        </>
      }
    >
      <Group gap="xs">
        <SearchInput aria-label="Search cohorts" placeholder="Search by name" />
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
      <Records
        query={cohortsQuery(projectId, search, type)}
        what="the cohorts"
        empty={
          isNarrowed ? (
            <EmptyState kind="search" title="No cohort matches">
              <Button variant="light" mt="sm" onClick={() => ask({ search: undefined, type: undefined })}>
                Remove the search and the filter
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title="No cohorts yet">
              A cohort has persons or accounts that did something, have a property, or are in a file. Use it in filters
              and to compare them.
            </EmptyState>
          )
        }
        head={(count) => formatCount(count, 'cohort')}
      >
        {(cohorts) => <CohortTable projectId={projectId} cohorts={cohorts} />}
      </Records>
    </Page>
  );
}

/** The list is read again while one of the cohorts is being calculated. */
const cohortsQuery = (projectId: string, search: string, type: string): Pages<Cohort> => ({
  ...pages('/api/projects/{project_id}/cohorts', {
    path: { project_id: projectId },
    query: {
      limit: 100,
      search: search || undefined,
      type: type === 'dynamic' || type === 'static' ? type : undefined,
    },
  }),
  placeholderData: keepPreviousData,
  refetchInterval: ({ state }) => {
    if (state.error) return whileAway(state.error);
    const cohorts = state.data?.pages.flatMap(({ results }) => results) ?? [];
    return cohorts.some(({ is_calculating: isCalculating }) => isCalculating) ? pollEvery : false;
  },
});

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
          From behaviour and properties
        </Menu.Item>
        <Menu.Item leftSection={<IconFileUpload size={16} aria-hidden />} onClick={() => open({ from: 'csv' })}>
          From a CSV file
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
