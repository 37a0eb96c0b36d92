import { Anchor, Button, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Dashboard } from '../../api/insights';
import { useProject } from '../../app/project-context';
import { EmptyState } from '../../ui/empty-state';
import { formatAgo, formatNumber } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import { RecordActions } from './record-actions';
import { useSavedList, type SavedFilter } from './use-saved';

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
      <Table.ScrollContainer minWidth={520} type="native">
        <Table highlightOnHover verticalSpacing="xs" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th w={80} ta="right">
                Tiles
              </Table.Th>
              <Table.Th w={130}>Changed</Table.Th>
              <Table.Th w={124} aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
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
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {hasNextPage && (
        <Button variant="default" m="sm" loading={isFetching} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Paper>
  );
}
