import { Button, Group, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useOpenProject } from '../../app/project-context';
import { textOf, useQuestion } from '../../app/search';
import { Page } from '../../ui/page';
import { DashboardList } from './dashboard-list';
import { InsightList } from './insight-list';
import { NewDashboard } from './new-dashboard';

export function SavedPage() {
  const { can } = useOpenProject();
  const [question, change] = useQuestion();
  const shown = question.shown === 'insights' ? 'insights' : 'dashboards';
  const search = textOf(question.search) ?? '';
  const favourite = question.favourite === true;
  const [typed, setTyped] = useState(search);
  const [isMaking, setMaking] = useState(false);
  const find = useDebouncedCallback((text: string) => change({ search: text || undefined }, { replace: true }), 300);

  return (
    <Page
      title="Saved"
      description="Questions worth asking again, and dashboards of them"
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
