import { Button, Group, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pages } from '../../api/client';
import { useOpenProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { EmptyState } from '../../ui/empty-state';
import { formatCount } from '../../ui/format';
import { Page } from '../../ui/page';
import { Records } from '../../ui/records';
import { SearchInput } from '../../ui/search-input';
import { FlagTable } from './flag-table';

export function FlagsPage() {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const [question, ask] = useQuestion();
  const search = textOf(question['search']) ?? '';
  const shown = textOf(question['shown']) ?? 'all';
  const isNarrowed = search !== '' || shown !== 'all';
  const newFlag = can('feature_flag:write') && (
    <Button component={Link} to={`/p/${projectId}/flags/new`} leftSection={<IconPlus size={16} aria-hidden />}>
      New flag
    </Button>
  );
  return (
    <Page
      title="Flags"
      description="Turn features on or off, or give variants, for the persons and accounts you choose"
      actions={newFlag}
    >
      <Group gap="xs">
        <SearchInput aria-label="Search flags" placeholder="Search by key or description" />
        <SegmentedControl
          aria-label="Which flags"
          data={[
            { value: 'all', label: 'All' },
            { value: 'on', label: 'On' },
            { value: 'off', label: 'Off' },
          ]}
          value={shown}
          onChange={(chosen) => ask({ shown: chosen === 'all' ? undefined : chosen })}
        />
      </Group>
      <Records
        query={{
          ...pages('/api/projects/{project_id}/feature_flags', {
            path: { project_id: projectId },
            query: {
              limit: 100,
              search: search || undefined,
              ...(shown !== 'all' && { active: shown === 'on' }),
            },
          }),
          placeholderData: keepPreviousData,
        }}
        what="the flags"
        empty={
          isNarrowed ? (
            <EmptyState kind="search" title="No flag matches">
              <Button variant="light" mt="sm" onClick={() => ask({ search: undefined, shown: undefined })}>
                Remove the search and the filter
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title="No flags yet">
              A flag turns a feature on for a cohort, for a property, or for a percentage of all, without a new release.
              SDKs of PostHog and of OpenFeature ask for it.
            </EmptyState>
          )
        }
        head={(count) => formatCount(count, 'flag')}
      >
        {(flags) => <FlagTable projectId={projectId} flags={flags} />}
      </Records>
    </Page>
  );
}
