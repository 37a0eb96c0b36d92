import { Anchor, Paper, Table, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pages } from '../../api/client';
import { useProject } from '../../address/project-context';
import { CardTable, type Head } from '../../ui/card-table';
import { EmptyState } from '../../ui/empty-state';
import { formatAgo, formatNumber } from '../../ui/format';
import { Records } from '../../ui/records';
import { RecordActions } from './record-actions';
import { listParams, type SavedFilter } from './use-saved';

const heads: readonly Head[] = [
  { label: 'Name' },
  { label: 'Tiles', w: 80, ta: 'right' },
  { label: 'Changed', w: 130 },
];

export function DashboardList(filter: SavedFilter) {
  const projectId = String(useProject().id);
  return (
    <Records
      query={{
        ...pages('/api/projects/{project_id}/dashboards', listParams(projectId, filter)),
        placeholderData: keepPreviousData,
      }}
      what="the dashboards"
      empty={<EmptyState title="No dashboard">A dashboard shows saved insights beside each other.</EmptyState>}
    >
      {(dashboards) => (
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
        </Paper>
      )}
    </Records>
  );
}
