import { Anchor, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Cohort } from '../../api/types';
import { formatNumber } from '../../ui/format';
import { CohortState, KindBadge } from './cohort-marks';
import { SizeLine } from './size-line';

const authorOf = ({ created_by }: Cohort): string =>
  created_by ? `${created_by.first_name} ${created_by.last_name}`.trim() || created_by.email : '';

interface CohortTableProps {
  readonly projectId: string;
  readonly cohorts: readonly Cohort[];
}

export function CohortTable({ projectId, cohorts }: CohortTableProps) {
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={820} type="native">
        <Table highlightOnHover verticalSpacing="sm" className="numbers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th w={110}>Type</Table.Th>
              <Table.Th w={110} ta="right">
                Persons
              </Table.Th>
              <Table.Th w={120}>30 days</Table.Th>
              <Table.Th w={220}>Last calculation</Table.Th>
              <Table.Th w={140}>Created by</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cohorts.map((cohort) => (
              <Table.Tr key={cohort.id}>
                <Table.Td>
                  <Anchor
                    component={Link}
                    to={`/p/${projectId}/cohorts/${cohort.id}`}
                    size="sm"
                    fw={600}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {cohort.name || `Cohort ${cohort.id}`}
                  </Anchor>
                  {cohort.description && (
                    <Text
                      size="xs"
                      c="dimmed"
                      lineClamp={1}
                      title={cohort.description}
                      style={{ overflowWrap: 'anywhere' }}
                    >
                      {cohort.description}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <KindBadge cohort={cohort} />
                </Table.Td>
                <Table.Td ta="right">{cohort.count === null ? '–' : formatNumber(cohort.count)}</Table.Td>
                <Table.Td>
                  <SizeLine projectId={projectId} cohort={cohort} />
                </Table.Td>
                <Table.Td>
                  <CohortState cohort={cohort} />
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm" lineClamp={1} title={authorOf(cohort)}>
                    {authorOf(cohort)}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}
