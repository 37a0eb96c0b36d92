import { ActionIcon, Alert as Notice, Button, Menu, Switch, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBellOff, IconDots, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, pages } from '../../api/client';
import { type Alert } from '../../api/types';
import { useOpenProject, useProject, useProjectId } from '../../address/project-context';
import { useQuestion } from '../../address/search';
import { Activity } from '../../ui/activity';
import { AskFirst } from '../../ui/ask-first';
import { CardTable, type Head } from '../../ui/card-table';
import { EmptyState } from '../../ui/empty-state';
import { formatAgo, formatNumber, formatTime } from '../../ui/format';
import { notifyDone } from '../../ui/notify';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { RecordSkeleton, TabbedRecord, type RecordTab } from '../../ui/tabbed-record';
import { useChange } from '../../ui/use-change';
import { alertQuery, useAlertChange, type AlertProps } from './alert';
import { AlertForm, type WrittenAlert } from './alert-form';
import { AlertBadge } from './alert-state';

const tabs: readonly RecordTab<AlertProps>[] = [
  { name: 'definition', label: 'Definition', staysMounted: true, Content: DefinitionTab },
  { name: 'checks', label: 'Checks', Content: ChecksTab },
  { name: 'activity', label: 'Activity', scopes: ['activity_log:read'], Content: ActivityTab },
];

export function AlertPage() {
  const { alertId } = useParams({ from: '/p/$projectId/alerts/$alertId' });
  if (alertId === 'new') return <NewAlert />;
  if (!/^\d{1,9}$/.test(alertId))
    return (
      <Page title="Alert">
        <EmptyState kind="missing" title="There is no such alert">
          The address may be mistyped.
        </EmptyState>
      </Page>
    );
  return <ExistingAlert key={alertId} id={Number(alertId)} />;
}

/** The editor with nothing in it but, maybe, the insight whose page led here. */
function NewAlert() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [{ insight }] = useQuestion();
  const create = useChange(
    (written: WrittenAlert) =>
      api.POST('/api/projects/{project_id}/alerts', { params: { path: { project_id: projectId } }, body: written }),
    {
      refreshes: ['/api/projects/{project_id}/alerts'],
      hasForm: true,
      message: 'Alert created. The last finished interval is checked now.',
      onDone: ({ id }) =>
        navigate({
          to: '/p/$projectId/alerts/$alertId',
          params: { projectId, alertId: String(id) },
          ignoreBlocker: true,
        }),
    },
  );
  return (
    <Page title="New alert" description="See when it would have fired in the past as you type.">
      <AlertForm
        alert={null}
        insightId={typeof insight === 'number' ? insight : null}
        saveLabel="Create alert"
        isSaving={create.isPending}
        saveError={create.error}
        onSave={create.mutate}
      />
    </Page>
  );
}

function ExistingAlert({ id }: { readonly id: number }) {
  const projectId = useProjectId();
  const { data: alert, error, refetch } = useQuery(alertQuery(projectId, id));
  const problem = error && <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!alert) return <Page title="Alert">{problem ?? <RecordSkeleton label="Loading the alert" />}</Page>;
  const of = { projectId, alert };
  const failure = alert.error?.detail ?? alert.disabled_reason;
  return (
    <Page title={alert.name || `Alert ${alert.id}`} description={<Summary {...of} />} actions={<Actions {...of} />}>
      {problem}
      {failure !== null && (
        <Notice color="red" role="alert" title={alert.error ? 'The last check failed' : 'Disabled by the service'}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {failure}
            {alert.error && '. It is tried again.'}
          </Text>
        </Notice>
      )}
      <TabbedRecord tabs={tabs} of={of} />
    </Page>
  );
}

const summaryOf = ({ last_value: value, last_checked_at: checked, next_check_at: next, snoozed_until: until }: Alert) =>
  [
    value === null ? 'Not checked yet' : `Last number ${formatNumber(value)}`,
    checked !== null && `checked ${formatAgo(checked)}`,
    until !== null && new Date(until) > new Date()
      ? `snoozed until ${formatAgo(until)}`
      : next !== null && `next check ${formatAgo(next)}`,
  ]
    .filter(Boolean)
    .join(' · ');

function Summary({ alert }: AlertProps) {
  return (
    <Text size="sm" component="div" className="numbers" mt={4}>
      <AlertBadge alert={alert} /> {summaryOf(alert)}
    </Text>
  );
}

const snoozes = [
  ['1h', 'For an hour'],
  ['1d', 'For a day'],
  ['1w', 'For a week'],
] as const;

function Actions({ projectId, alert }: AlertProps) {
  const { can } = useOpenProject();
  const navigate = useNavigate();
  const [isDeleting, { open, close }] = useDisclosure();
  const { id, enabled, state, name } = alert;
  const change = useAlertChange(projectId, {
    message: (saved) =>
      saved.enabled ? (saved.state === 'Snoozed' ? 'The alert is snoozed.' : 'The alert is on.') : 'The alert is off.',
  });
  const remove = useChange(
    () => api.DELETE('/api/projects/{project_id}/alerts/{id}', { params: { path: { project_id: projectId, id } } }),
    {
      refreshes: ['/api/projects/{project_id}/alerts'],
      hasForm: true,
      onDone: async () => {
        notifyDone('Alert deleted.');
        await navigate({ to: '/p/$projectId/alerts', params: { projectId }, ignoreBlocker: true });
      },
    },
  );
  if (!can('alert:write')) return null;
  return (
    <>
      <Switch
        label={enabled ? 'On' : 'Off'}
        checked={enabled}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate({ id, enabled: currentTarget.checked })}
      />
      {state === 'Snoozed' ? (
        <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ id, snoozed_until: null })}>
          Watch again
        </Button>
      ) : (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" disabled={!enabled} leftSection={<IconBellOff size={16} aria-hidden />}>
              Snooze
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {snoozes.map(([until, label]) => (
              <Menu.Item key={until} onClick={() => change.mutate({ id, snoozed_until: until })}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <AskFirst
        title="Delete the alert?"
        confirm="Delete"
        isOpen={isDeleting}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={remove.mutate}
        onClose={close}
      >
        “{name}” and its checks are deleted. This cannot be undone; to stop it for a while, snooze it.
      </AskFirst>
    </>
  );
}

function DefinitionTab({ projectId, alert }: AlertProps) {
  const save = useAlertChange(projectId, { hasForm: true, message: () => 'Alert saved.' });
  return (
    <AlertForm
      alert={alert}
      insightId={null}
      saveLabel="Save"
      isSaving={save.isPending}
      saveError={save.error}
      onSave={(written) => save.mutate({ id: alert.id, ...written })}
    />
  );
}

const heads: readonly Head[] = [
  { label: 'Interval' },
  { label: 'Number', ta: 'right' },
  { label: 'Compared', ta: 'right' },
  { label: 'Bounds', ta: 'right' },
  { label: 'Decision' },
  { label: 'Decided' },
];

const boundsText = (lower: number | null, upper: number | null): string =>
  [lower === null ? '' : `≥ ${formatNumber(lower)}`, upper === null ? '' : `≤ ${formatNumber(upper)}`]
    .filter(Boolean)
    .join(', ');

const decisions = { fired: 'A breach began', resolved: 'The breach ended' } as const;

/** The intervals that were decided, newest first. */
function ChecksTab({ alert: { checks, checks_total: total } }: AlertProps) {
  const { timezone } = useProject();
  if (checks.length === 0) return <EmptyState title="No interval has been checked yet" />;
  return (
    <>
      <CardTable minWidth={720} heads={heads} hasNumbers aria-label="Checks">
        {checks.map((check) => (
          <Table.Tr key={check.interval_start}>
            <Table.Td>{formatTime(check.interval_start, timezone)}</Table.Td>
            <Table.Td ta="right">{formatNumber(check.calculated_value)}</Table.Td>
            <Table.Td ta="right">{check.compared === null ? '∞' : formatNumber(check.compared)}</Table.Td>
            <Table.Td ta="right">{boundsText(check.lower, check.upper)}</Table.Td>
            <Table.Td c={check.state === 'Firing' ? 'var(--mantine-color-error)' : undefined}>
              {check.change === null
                ? check.state === 'Firing'
                  ? 'Still a breach'
                  : 'No breach'
                : decisions[check.change]}
            </Table.Td>
            <Table.Td title={formatTime(check.created_at, timezone)}>{formatAgo(check.created_at)}</Table.Td>
          </Table.Tr>
        ))}
      </CardTable>
      {(total ?? 0) > checks.length && (
        <Text size="sm" c="dimmed">
          The newest {formatNumber(checks.length)} of {formatNumber(total ?? 0)}.
        </Text>
      )}
    </>
  );
}

/** Lists who changed the alert, and how. */
function ActivityTab({ projectId, alert }: AlertProps) {
  return (
    <Activity
      query={pages('/api/projects/{project_id}/activity', {
        path: { project_id: projectId },
        query: { scope: 'Alert', item_id: String(alert.id), limit: 30 },
      })}
      empty={<EmptyState title="No changes yet" />}
    />
  );
}
