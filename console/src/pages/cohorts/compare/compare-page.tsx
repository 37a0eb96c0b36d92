import { Box, Group, Stack, Text } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { useProjectId } from '../../../address/project-context';
import { textOf, useQuestion } from '../../../address/search';
import { cohortNameIn, useCohorts } from '../../../filters/cohorts';
import { DateRangePicker } from '../../../ui/date-range-picker';
import { type DateRange } from '../../../ui/date-range';
import { EmptyState } from '../../../ui/empty-state';
import { Page } from '../../../ui/page';
import { Select } from '../../../ui/select';
import { Behaviour } from './behaviour';
import { Overlap, type Pair } from './overlap';

const rangeOf = (value: unknown): DateRange =>
  typeof value === 'object' && value !== null ? value : { date_from: '-30d' };

/** Two cohorts of persons side by side: who is in both, and what they do differently. */
export function ComparePage() {
  const projectId = useProjectId();
  const [question, ask] = useQuestion();
  const cohorts = useCohorts().filter(({ group_type_index: type, deleted }) => type === null && !deleted);
  const [a, b] = [Number(question['a'] ?? 0), Number(question['b'] ?? 0)];
  const nameOf = cohortNameIn(cohorts);
  const range = rangeOf(question['range']);
  const choices = (other: number) =>
    cohorts.flatMap(({ id, name }) => (id === other ? [] : [{ value: String(id), label: name || `Cohort ${id}` }]));
  const picker = (field: 'a' | 'b', label: string, own: number, other: number) => (
    <Select
      label={label}
      placeholder="Choose a cohort"
      searchable
      w={{ base: '100%', xs: 300 }}
      data={choices(other)}
      value={own > 0 ? String(own) : null}
      onChange={(id) => ask({ [field]: textOf(id) === undefined ? undefined : Number(id) })}
    />
  );
  const pair: Pair = { projectId, ids: [a, b], names: [nameOf(a), nameOf(b)] };
  return (
    <Page title="Compare cohorts" description="Who is in both cohorts, and what their members do differently">
      <Group align="flex-end" gap="sm">
        {picker('a', 'First cohort', a, b)}
        <Box visibleFrom="xs" c="dimmed" pb={5}>
          <IconArrowsLeftRight size={18} aria-hidden />
        </Box>
        {picker('b', 'Second cohort', b, a)}
      </Group>
      {a > 0 && b > 0 && a !== b ? (
        <Stack gap="md">
          <Overlap {...pair} />
          <Behaviour
            {...pair}
            range={range}
            picker={<DateRangePicker value={range} fallback="Last 30 days" onChange={(next) => ask({ range: next })} />}
          />
        </Stack>
      ) : (
        <EmptyState title="Choose two cohorts">
          <Text size="sm">They are compared as they are now. Both must have persons as members.</Text>
        </EmptyState>
      )}
    </Page>
  );
}
