import { Anchor, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { personName } from '../../../api/accounts';
import { type Cohort } from '../../../api/types';
import { CardTable, type Head } from '../../../ui/card-table';
import { useAccountTypes } from '../../../filters/account-types';
import { actorsOf } from '../../../insights/actors';
import { formatCount } from '../../../ui/format';
import { CohortState, KindBadge } from '../cohort-marks';
import { SizeLine } from '../../../insights/size-line';

const authorOf = ({ created_by }: Cohort): string => (created_by ? personName(created_by) : '');

interface CohortTableProps {
  readonly projectId: string;
  readonly cohorts: readonly Cohort[];
}

const heads: readonly Head[] = [
  { label: 'Name' },
  { label: 'Type', w: 110 },
  { label: 'Members', w: 130, ta: 'right' },
  { label: '30 days', w: 120 },
  { label: 'Last calculation', w: 220 },
  { label: 'Created by', w: 140 },
];

export function CohortTable({ projectId, cohorts }: CohortTableProps) {
  const types = useAccountTypes();
  return (
    <Paper withBorder>
      <CardTable minWidth={820} heads={heads} highlightOnHover verticalSpacing="sm" hasNumbers>
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
            <Table.Td ta="right">
              {cohort.count === null
                ? '–'
                : formatCount(cohort.count, ...actorsOf(types, cohort.group_type_index).noun)}
            </Table.Td>
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
      </CardTable>
    </Paper>
  );
}
