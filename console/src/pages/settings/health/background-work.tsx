import { Skeleton, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer } from '../../../api/client';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatDuration, formatNumber } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { Section } from '../shared/section';

const heads: readonly Head[] = [
  { label: 'Work' },
  { label: 'Waiting', ta: 'right' },
  { label: 'Longest wait', ta: 'right' },
];

const labelOf = (task: string): string => `${task.charAt(0).toUpperCase()}${task.slice(1)}`.replaceAll('_', ' ');

/** Shows an owner of the installation what is late. */
export function BackgroundWork() {
  const { data, error, refetch } = useQuery({ ...answer('/api/background_work'), refetchInterval: 10_000 });
  return (
    <Section
      title="Background work"
      description="Across all projects. If something has waited for long, the worker log says why."
    >
      {error ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton h={160} />
      ) : (
        <CardTable minWidth={420} heads={heads} hasNumbers>
          {data.results
            .toSorted((a, b) => a.task.localeCompare(b.task))
            .map(({ task, waiting, oldest_waiting_seconds: seconds }) => (
              <Table.Tr key={task}>
                <Table.Td>{labelOf(task)}</Table.Td>
                <Table.Td ta="right">{formatNumber(waiting)}</Table.Td>
                <Table.Td ta="right">{seconds > 0 ? formatDuration(seconds) : '–'}</Table.Td>
              </Table.Tr>
            ))}
        </CardTable>
      )}
    </Section>
  );
}
