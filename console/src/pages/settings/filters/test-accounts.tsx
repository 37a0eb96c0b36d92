import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useOpenProject } from '../../../address/project-context';
import { FilterBuilder } from '../../../filters/filter-builder';
import { completeFilter, readFilter, type FilterGroup } from '../../../filters/filter';
import { ProblemAlert } from '../../../ui/problem-alert';
import { Section } from '../shared/section';
import { useProjectChange } from '../shared/use-project-change';
import { FilterCheck } from './filter-check';

/** The project stores a list, all of which must match. */
const storedFilter = (filter: FilterGroup): FilterGroup['values'] => {
  const whole = completeFilter(filter);
  if (whole.values.length === 0) return [];
  return whole.type === 'AND' ? whole.values : [whole];
};

/** A list of one group is that group. */
const shownFilter = (stored: readonly unknown[]): FilterGroup =>
  stored.length === 1 && readFilter(stored[0]).values.length > 0 ? readFilter(stored[0]) : readFilter(stored);

/** The conditions that keep the own team out of the numbers. */
export function TestAccounts() {
  const { project, can } = useOpenProject();
  const [filter, setFilter] = useState(() => shownFilter(project.test_account_filters));
  const { save, isPending, error } = useProjectChange('Filters saved.');

  return (
    <Section
      title="Filter out test accounts"
      description="Insights that exclude test accounts count only what matches these conditions."
    >
      <Stack>
        {error && <ProblemAlert error={error} />}
        <fieldset disabled={!can('project:write')} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
          <FilterBuilder value={filter} onChange={setFilter} kinds={['person', 'event', 'group', 'cohort']} />
        </fieldset>
        <FilterCheck filter={filter} />
        {can('project:write') && (
          <Group justify="flex-end">
            <Button loading={isPending} onClick={() => save({ test_account_filters: storedFilter(filter) as never })}>
              Save filters
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
