import { Anchor, Button, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Dashboard } from '../../api/insights';
import { useProject } from '../../address/project-context';
import { CardTable, type Head } from '../../ui/card-table';
import { EmptyState } from '../../ui/empty-state';
import { formatAgo, formatNumber } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import { RecordActions } from './record-actions';
import { useSavedList, type SavedFilter } from './use-saved';

const heads: readonly Head[] = [
  { label: 'Name' },
  { label: 'Tiles', w: 80, ta: 'right' },
  { label: 'Changed', w: 130 },
];

export function DashboardList(filter: SavedFilter) {
  const projectId = String(useProject().id);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useSavedList<Dashboard>(
    'dashboards',
    filter,
  );
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const dashboards = data.pages.flatMap(({ results }) => results);
  if (dashboards.length === 0) {
    return <EmptyState title="No dashboard">A dashboard shows saved insights beside each other.</EmptyState>;
  }
  return (
    <Paper withBorder>
      <CardTable minWidth={520} heads={heads} buttons={124} highlightOnHover layout="fixed">
        {dashboards.map((dashboard) => (
          <Table.Tr key={dashboard.id}>
            <Table.Td>
              <Anchor
                component={Link}
                to={`/p/${projectId}/dashboards/${dashboard.id}`}
                size="sm"
                fw={550}
                display="block"
                truncate
                title={dashboard.name}
              >
                {dashboard.name}
              </Anchor>
              {dashboard.description !== '' && (
                <Text size="xs" c="dimmed" lineClamp={1}>
                  {dashboard.description}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right" className="numbers">
              {formatNumber(dashboard.tiles.length)}
            </Table.Td>
            <Table.Td>{formatAgo(dashboard.updated_at)}</Table.Td>
            <Table.Td>
              <RecordActions kind="dashboards" record={dashboard} warning="The saved insights on it stay." />
            </Table.Td>
          </Table.Tr>
        ))}
      </CardTable>
      {hasNextPage && (
        <Button variant="default" m="sm" loading={isFetching} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Paper>
  );
}
