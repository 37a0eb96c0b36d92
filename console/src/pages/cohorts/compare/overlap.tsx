import { Anchor, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer } from '../../../api/client';
import { formatCount, formatNumber, formatShare } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import classes from './compare.module.css';

/** The two cohorts that are compared. */
export interface Pair {
  readonly projectId: string;
  readonly ids: readonly [number, number];
  readonly names: readonly [string, string];
}

const membership = (id: number, isIn: boolean) => ({
  type: 'cohort',
  key: 'id',
  value: id,
  ...(!isIn && { operator: 'not_in' }),
});

/** How many persons are in one cohort, in both and in the other. Each number is that of the list that it opens. */
export function Overlap({ projectId, ids: [a, b], names: [first, second] }: Pair) {
  const parts = [
    { label: `Only ${first}`, className: classes.first, isIn: [true, false] },
    { label: 'Both', className: classes.both, isIn: [true, true] },
    { label: `Only ${second}`, className: classes.second, isIn: [false, true] },
  ].map(({ isIn: [inA = false, inB = false], ...part }) => ({
    ...part,
    values: [membership(a, inA), membership(b, inB)],
  }));
  const { counts, error, refetch } = useQueries({
    queries: parts.map(({ values }) =>
      answer('/api/projects/{project_id}/persons', {
        path: { project_id: projectId },
        query: { limit: 1, properties: JSON.stringify(values) },
      }),
    ),
    combine: (answers) => ({
      counts: answers.flatMap(({ data }) => (data ? [data.count] : [])),
      error: answers.find((one) => one.error)?.error,
      refetch: () => answers.forEach((one) => void one.refetch()),
    }),
  });
  if (error) return <ProblemAlert error={error} onRetry={refetch} />;
  const [onlyA, both, onlyB] = counts;
  if (onlyA === undefined || both === undefined || onlyB === undefined)
    return <Skeleton h={180} role="status" aria-label="Counting the members" />;
  const shareOf = (size: number): string => (size === 0 ? '–' : formatShare(both / size));
  return (
    <Paper withBorder p="md" component="section" aria-label="Overlap">
      <Stack gap="md">
        <Title order={2} size="h5">
          Overlap
        </Title>
        <div
          className={classes.shares}
          role="img"
          aria-label={parts.map(({ label }, at) => `${label}: ${counts[at]}`).join(', ')}
        >
          {parts.map(
            ({ label, className }, at) =>
              (counts[at] ?? 0) > 0 && <div key={label} className={className} style={{ flexGrow: counts[at] }} />,
          )}
        </div>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {parts.map(({ label, className, values }, at) => (
            <div key={label}>
              <Group gap={8} wrap="nowrap">
                <span className={`${classes.mark} ${className}`} aria-hidden />
                <Text size="sm" c="dimmed" truncate title={label}>
                  {label}
                </Text>
              </Group>
              <Anchor
                component={Link}
                to={`/p/${projectId}/persons`}
                search={{ filter: { type: 'AND', values } } as never}
                fz={24}
                fw={650}
                className="numbers"
                aria-label={`${label}: ${formatCount(counts[at] ?? 0, 'person')}`}
              >
                {formatNumber(counts[at] ?? 0)}
              </Anchor>
            </div>
          ))}
        </SimpleGrid>
        <Text size="sm" c="dimmed" className="numbers">
          {formatCount(both, 'person')} in both: {shareOf(onlyA + both)} of {first}, {shareOf(onlyB + both)} of {second}
        </Text>
      </Stack>
    </Paper>
  );
}
