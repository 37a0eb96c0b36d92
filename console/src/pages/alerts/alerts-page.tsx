import { Anchor, Button, Paper, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { pages } from '../../api/client';
import { whileAway } from '../../api/query-client';
import { type Alert } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { CardTable, type Head } from '../../ui/card-table';
import { EmptyState } from '../../ui/empty-state';
import { formatAgo, formatCount, formatNumber, formatTime } from '../../ui/format';
import { Page } from '../../ui/page';
import { Records } from '../../ui/records';
import { AlertBadge, NextCheck } from './alert-state';
import { conditionText, draftOf } from './alert-draft';

const pollEvery = 15_000;

const heads: readonly Head[] = [
  { label: 'Alert' },
  { label: 'State', w: 120 },
  { label: 'Last number', w: 120, ta: 'right' },
  { label: 'Last check', w: 130 },
  { label: 'Next check', w: 140 },
];

/** All alerts on saved insights. */
export function AlertsPage() {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  return (
    <Page
      title="Alerts"
      description="Watch numbers of saved insights, and tell users and servers when one leaves its range"
      actions={
        can('alert:write') && (
          <Button component={Link} to={`/p/${projectId}/alerts/new`} leftSection={<IconPlus size={16} aria-hidden />}>
            New alert
          </Button>
        )
      }
    >
      <Records
        query={{
          ...pages('/api/projects/{project_id}/alerts', { path: { project_id: projectId }, query: { limit: 100 } }),
          refetchInterval: ({ state }) => whileAway(state.error) || pollEvery,
        }}
        what="the alerts"
        empty={
          <EmptyState title="No alerts yet">
            An alert watches a number of a saved trend, such as daily sign-ups, and sends a webhook or an e-mail when it
            leaves its bounds or its usual range.
          </EmptyState>
        }
        head={(count) => formatCount(count, 'alert')}
      >
        {(alerts) => (
          <Paper withBorder>
            <CardTable
              minWidth={820}
              heads={heads}
              hasNumbers
              highlightOnHover
              verticalSpacing="sm"
              aria-label="Alerts"
            >
              {alerts.map((alert) => (
                <AlertRow key={alert.id} projectId={projectId} alert={alert} />
              ))}
            </CardTable>
          </Paper>
        )}
      </Records>
    </Page>
  );
}

function AlertRow({ projectId, alert }: { readonly projectId: string; readonly alert: Alert }) {
  const { project } = useOpenProject();
  const { id, name, insight, last_value: value, last_checked_at: checkedAt, error, disabled_reason: reason } = alert;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={`/p/${projectId}/alerts/${id}`} size="sm" fw={600}>
          {name || `Alert ${id}`}
        </Anchor>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {insight.name ?? 'A deleted insight'} · {conditionText(draftOf(alert))}
        </Text>
        {(error ?? reason) !== null && (
          <Text size="xs" c="var(--mantine-color-error)" lineClamp={2}>
            {error?.detail ?? reason}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <AlertBadge alert={alert} />
      </Table.Td>
      <Table.Td ta="right">{value === null ? '–' : formatNumber(value)}</Table.Td>
      <Table.Td>
        <Text size="sm" title={checkedAt === null ? undefined : formatTime(checkedAt, project.timezone)}>
          {checkedAt === null ? 'None yet' : formatAgo(checkedAt)}
        </Text>
      </Table.Td>
      <Table.Td>
        <NextCheck alert={alert} />
      </Table.Td>
    </Table.Tr>
  );
}
