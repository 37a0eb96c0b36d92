import { Button, Group, SegmentedControl, Skeleton, Switch } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useOpenProject, useProjectId } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { Page } from '../../ui/page';
import { SearchInput } from '../../ui/search-input';
import { ProblemAlert } from '../../ui/problem-alert';
import { DashboardList } from './dashboard-list';
import { InsightList } from './insight-list';
import { NewDashboard } from './new-dashboard';
import { questionLink } from './question-link';
import { useSavedInsight } from '../../insights/saved/use-saved-insight';

export function SavedPage() {
  const [question] = useQuestion();
  return question.insight === undefined ? <SavedLists /> : <OpenInsight id={question.insight} />;
}

/** A link that knows only the id of an insight leads to the page of its question. */
function OpenInsight({ id }: { readonly id: unknown }) {
  const projectId = useProjectId();
  const { data, error } = useSavedInsight(id);
  if (data) return <Navigate {...questionLink(projectId, data.question, data.id)} replace />;
  return <Page title="Saved">{error ? <ProblemAlert error={error} /> : <Skeleton h={200} />}</Page>;
}

function SavedLists() {
  const { can } = useOpenProject();
  const [question, change] = useQuestion();
  const shown = question.shown === 'insights' ? 'insights' : 'dashboards';
  const search = textOf(question.search) ?? '';
  const favourite = question.favourite === true;
  const [isMaking, setMaking] = useState(false);

  return (
    <Page
      title="Saved"
      description="Insights and dashboards that you want to see again"
      actions={
        can('insight:write') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
            New dashboard
          </Button>
        )
      }
    >
      <Group gap="sm">
        <SegmentedControl
          aria-label="What is listed"
          data={[
            { value: 'dashboards', label: 'Dashboards' },
            { value: 'insights', label: 'Insights' },
          ]}
          value={shown}
          onChange={(value) => change({ shown: value === 'insights' ? value : undefined })}
        />
        <SearchInput aria-label="Search by name" placeholder="Search" />
        <Switch
          label="Favourites"
          checked={favourite}
          onChange={({ currentTarget }) => change({ favourite: currentTarget.checked ? true : undefined })}
        />
      </Group>
      {shown === 'insights' ? (
        <InsightList search={search} favourite={favourite} />
      ) : (
        <DashboardList search={search} favourite={favourite} />
      )}
      <NewDashboard isOpen={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}
