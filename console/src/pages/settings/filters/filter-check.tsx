import { Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { get, keyOf } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { filterParam, type FilterGroup } from '../../../filters/filter';
import { formatDay, formatNumber, formatShare, formatTime } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';

interface Counted {
  readonly events: number;
  readonly persons: number;
  readonly from: string;
  readonly asOf: string;
}

const trends = '/api/projects/{project_id}/persons/trends';

/** The question of a bold number: all events of the last seven days, and the persons behind them. */
const countWith = async (projectId: number, properties: string | undefined, signal: AbortSignal): Promise<Counted> => {
  const events = JSON.stringify([
    { id: null, math: 'total' },
    { id: null, math: 'dau' },
  ]);
  const query = { date_from: '-7d', display: 'BoldNumber', include: 'insight', events, properties } as const;
  const { insight } = await get(trends, { path: { project_id: String(projectId) }, query }, signal);
  const [total, persons] = insight?.series.map((one) => ('aggregated_value' in one ? one.aggregated_value : 0)) ?? [];
  return { events: total ?? 0, persons: persons ?? 0, from: insight?.date_from ?? '', asOf: insight?.as_of ?? '' };
};

/** Counts the events of the last seven days that pass the conditions, before these are saved. */
export function FilterCheck({ filter }: { filter: FilterGroup }) {
  const { id, timezone } = useProject();
  const [properties] = useDebouncedValue(filterParam(filter), 400);
  const { data, error, isFetching } = useQuery({
    queryKey: keyOf(trends, id, properties),
    queryFn: async ({ signal }) => {
      const [all, left] = await Promise.all([countWith(id, undefined, signal), countWith(id, properties, signal)]);
      return { all, left };
    },
    enabled: properties !== undefined,
    placeholderData: keepPreviousData,
  });

  if (properties === undefined) {
    return (
      <Text size="sm" c="dimmed">
        Without a condition, nothing is excluded.
      </Text>
    );
  }
  if (error) return <ProblemAlert error={error} />;
  if (!data) {
    return (
      <Text size="sm" c="dimmed">
        Counting what matches…
      </Text>
    );
  }
  const { all, left } = data;
  return (
    <Paper withBorder p="sm" aria-live="polite" style={{ opacity: isFetching ? 0.6 : 1 }}>
      <Group grow preventGrowOverflow={false} align="flex-start">
        <Share label="Events that remain" part={left.events} whole={all.events} />
        <Share label="Persons that remain" part={left.persons} whole={all.persons} />
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        Counted from {formatDay(left.from, timezone)} on, as of {formatTime(left.asOf, timezone, { second: '2-digit' })}
        .
      </Text>
    </Paper>
  );
}

function Share({ label, part, whole }: { label: string; part: number; whole: number }) {
  const share = whole === 0 ? 0 : part / whole;
  return (
    <Stack gap={4} miw={200}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={650} className="numbers">
        {formatNumber(part)} of {formatNumber(whole)} ({formatShare(share)})
      </Text>
      <Progress value={share * 100} aria-label={label} />
    </Stack>
  );
}
