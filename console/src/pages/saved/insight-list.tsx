import { Anchor, Badge, Group, Paper, Table, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { personName } from '../../api/accounts';
import { pages } from '../../api/client';
import { useProject } from '../../address/project-context';
import { CardTable, type Head } from '../../ui/card-table';
import { EmptyState } from '../../ui/empty-state';
import { formatAgo } from '../../ui/format';
import { Records } from '../../ui/records';
import { questionLink } from './question-link';
import { RecordActions } from './record-actions';
import { listParams, type SavedFilter } from './use-saved';

const heads: readonly Head[] = [
  { label: 'Name' },
  { label: 'Kind', w: 120 },
  { label: 'On dashboards', w: '20%' },
  { label: 'Owner', w: '14%' },
  { label: 'Changed', w: 130 },
];

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function InsightList(filter: SavedFilter) {
  const projectId = String(useProject().id);
  return (
    <Records
      query={{
        ...pages('/api/projects/{project_id}/insights', listParams(projectId, filter)),
        placeholderData: keepPreviousData,
      }}
      what="the insights"
      empty={
        <EmptyState title="No saved insights yet">
          Open an insight or write a question in SQL, then press Save.
        </EmptyState>
      }
    >
      {(insights) => (
        <Paper withBorder>
          <CardTable minWidth={720} heads={heads} buttons={124} highlightOnHover layout="fixed">
            {insights.map((insight) => (
              <Table.Tr key={insight.id}>
                <Table.Td>
                  <Anchor
                    component={Link}
                    {...questionLink(projectId, insight.question, insight.id)}
                    size="sm"
                    fw={550}
                    display="block"
                    truncate
                    title={insight.name || insight.derived_name}
                  >
                    {insight.name || insight.derived_name}
                  </Anchor>
                  {insight.description !== '' && (
                    <Text size="xs" c="dimmed" lineClamp={1}>
                      {insight.description}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Badge variant="light" tt="none">
                    {insight.question.type === 'sql' ? 'SQL' : capitalized(insight.question.type)}
                  </Badge>
                </Table.Td>
                <Table.Td>
                  <Group gap={6}>
                    {insight.dashboards.map(({ id, name }) => (
                      <Anchor key={id} component={Link} to={`/p/${projectId}/dashboards/${id}`} size="sm">
                        {name}
                      </Anchor>
                    ))}
                  </Group>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" truncate>
                    {insight.created_by ? personName(insight.created_by) : '–'}
                  </Text>
                </Table.Td>
                <Table.Td>{formatAgo(insight.updated_at)}</Table.Td>
                <Table.Td>
                  <RecordActions kind="insights" record={insight} warning="Its tiles are removed from dashboards." />
                </Table.Td>
              </Table.Tr>
            ))}
          </CardTable>
        </Paper>
      )}
    </Records>
  );
}
