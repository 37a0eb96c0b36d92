import { Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer } from '../../../api/client';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatDuration, formatNumber } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { Section } from '../shared/section';

const shown = 10;

const heads: readonly Head[] = [
  { label: 'Project' },
  { label: 'Processor time', ta: 'right' },
  { label: 'Statements', ta: 'right' },
  { label: 'Rows read', ta: 'right' },
  { label: 'MB read', ta: 'right' },
];

/** Lists the projects that use ClickHouse most. */
export function Costs() {
  const { data, error, refetch } = useQuery({
    ...answer('/api/project_costs', { query: { limit: shown } }),
    refetchInterval: 10_000,
  });
  return (
    <Section
      title="ClickHouse usage"
      description={`By insights, exports and cohorts in the last 24 hours: your ${shown} busiest projects.`}
    >
      {error ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton h={96} />
      ) : data.results.length === 0 ? (
        <Text size="sm" c="dimmed">
          No usage in the last 24 hours.
        </Text>
      ) : (
        <CardTable minWidth={560} heads={heads} hasNumbers>
          {data.results.map((cost) => (
            <Table.Tr key={cost.project_id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{cost.project_name}</Table.Td>
              <Table.Td ta="right">{formatDuration(cost.cpu_seconds)}</Table.Td>
              <Table.Td ta="right">{formatNumber(cost.statements)}</Table.Td>
              <Table.Td ta="right">{formatNumber(cost.read_rows)}</Table.Td>
              <Table.Td ta="right">{formatNumber(cost.read_bytes / 1024 / 1024)}</Table.Td>
            </Table.Tr>
          ))}
        </CardTable>
      )}
    </Section>
  );
}
