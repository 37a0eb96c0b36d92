import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Cohort } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { Card } from '../../ui/card';
import { formatNumber } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import { historyQuery } from '../../insights/cohort-history';
import { SizeLine } from '../../insights/size-line';
import { cohortsQuery } from './overview-queries';

const shown = 5;
const monthDays = 30;

/** The newest cohorts, first those whose size changed most within a month. */
export function CohortMoves() {
  const projectId = useProjectId();
  const { data, error, refetch } = useQuery(cohortsQuery(projectId));
  const cohorts = data?.results ?? [];
  const histories = useQueries({
    queries: cohorts.map((cohort) => ({ ...historyQuery(projectId, cohort, monthDays), retry: false })),
  });
  const moves = cohorts
    .map((cohort, at) => {
      const sizes = histories[at]?.data?.results.map(({ size }) => size) ?? [];
      return { cohort, change: (sizes.at(-1) ?? 0) - (sizes[0] ?? 0) };
    })
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  return (
    <Card
      title="Cohorts"
      aside={
        <Anchor component={Link} to={`/p/${projectId}/cohorts`} size="sm">
          All
        </Anchor>
      }
    >
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={150} role="status" aria-label="Loading the cohorts" />}
      {data?.count === 0 && (
        <Text size="sm" c="dimmed">
          A cohort is a group of persons who have something in common.{' '}
          <Anchor component={Link} to={`/p/${projectId}/cohorts/new`} inherit>
            Make one
          </Anchor>
        </Text>
      )}
      <Stack gap={6}>
        {moves.slice(0, shown).map(({ cohort, change }) => (
          <Move key={cohort.id} projectId={projectId} cohort={cohort} change={change} />
        ))}
      </Stack>
    </Card>
  );
}

function Move({
  projectId,
  cohort,
  change,
}: {
  readonly projectId: string;
  readonly cohort: Cohort;
  readonly change: number;
}) {
  const name = cohort.name || `Cohort ${cohort.id}`;
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Anchor component={Link} to={`/p/${projectId}/cohorts/${cohort.id}`} size="sm" truncate title={name} flex={1}>
        {name}
      </Anchor>
      <SizeLine projectId={projectId} cohort={cohort} />
      <Text size="sm" className="numbers" ta="right" miw={84} title="Members, and the change within 30 days">
        {cohort.count === null ? '–' : formatNumber(cohort.count)}
        {change !== 0 && (
          <Text span size="xs" c="dimmed">
            {' '}
            {change > 0 ? '+' : '−'}
            {formatNumber(Math.abs(change))}
          </Text>
        )}
      </Text>
    </Group>
  );
}
