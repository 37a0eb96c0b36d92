import { Badge, Button, Table, Text } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { api } from '../../../api/client';
import { useOpenProject } from '../../../address/project-context';
import { cohortNameIn, useCohorts } from '../../../filters/cohorts';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatAgo, formatCount, formatNumber, formatTime } from '../../../ui/format';
import { useSending, type Delivery } from './webhooks';

const states = {
  waiting: { label: 'Waiting', color: 'orange' },
  delivered: { label: 'Delivered', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
  dropped: { label: 'Dropped', color: 'gray' },
} as const;

/** Messages that are about no cohort. */
const notices: Readonly<Partial<Record<Delivery['type'], string>>> = {
  'alert.fired': 'An alert fired',
  'alert.resolved': 'An alert was resolved',
  'dashboard.sent': 'A scheduled dashboard',
  'import.finished': 'An import finished',
  'deletion.finished': 'A deletion finished',
  'quota.near': 'A quota is nearly used',
};

/** Messages that are about several at a time. */
const counted: Readonly<Partial<Record<Delivery['type'], string>>> = {
  'person.created': 'new person',
  'person.merged': 'merged person',
  'person.deleted': 'deleted person',
  'action.matched': 'matching event',
};

interface DeliveryTableProps {
  readonly webhookId: number;
  readonly deliveries: readonly Delivery[];
}

const heads: readonly Head[] = [
  { label: 'Message' },
  { label: 'Status' },
  { label: 'Attempts', ta: 'right' },
  { label: 'Last attempt' },
];

export function DeliveryTable({ webhookId, deliveries }: DeliveryTableProps) {
  return (
    <CardTable minWidth={640} heads={heads} buttons={96} hasNumbers aria-label="Deliveries">
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} webhookId={webhookId} />
      ))}
    </CardTable>
  );
}

function DeliveryRow({ delivery, webhookId }: { readonly delivery: Delivery; readonly webhookId: number }) {
  const { project, can } = useOpenProject();
  const { id, status, attempts, error, response_status: answer } = delivery;
  const { created_at: createdAt, last_attempt_at: last, next_attempt_at: next } = delivery;
  const replay = useSending('The message', () =>
    api.POST('/api/projects/{project_id}/webhooks/{id}/deliveries/{delivery_id}/replay', {
      params: { path: { project_id: String(project.id), id: webhookId, delivery_id: id } },
    }),
  );
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <MessageText delivery={delivery} />
        <Text size="xs" c="dimmed" title={id}>
          {formatTime(createdAt, project.timezone, { second: '2-digit' })}
        </Text>
      </Table.Td>
      <Table.Td maw={240} style={{ overflowWrap: 'anywhere' }}>
        <Badge variant="dot" tt="none" miw="max-content" color={states[status].color}>
          {states[status].label}
        </Badge>
        {(error !== null || answer !== null) && (
          <Text size="xs" c={error === null ? 'dimmed' : 'var(--mantine-color-error)'} mt={2}>
            {error ?? `Answered with status ${answer}`}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{formatNumber(attempts)}</Table.Td>
      <Table.Td>
        <Text size="sm" title={last === null ? undefined : formatTime(last, project.timezone, { second: '2-digit' })}>
          {last === null ? 'None yet' : formatAgo(last)}
        </Text>
        {next !== null && (
          <Text size="xs" c="dimmed" title={formatTime(next, project.timezone, { second: '2-digit' })}>
            next {formatAgo(next)}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        {can('webhook:write') && (delivery.skipped === null || status === 'waiting') && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Replay ${id}`}
            leftSection={<IconRepeat size={13} aria-hidden />}
            loading={replay.isPending}
            onClick={() => replay.mutate()}
          >
            Replay
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function MessageText({ delivery }: { readonly delivery: Delivery }) {
  const { type, cohort_id: cohort, changes, page, pages, sent, skipped } = delivery;
  const nameOf = cohortNameIn(useCohorts());
  const one = counted[type];
  if (one !== undefined) return <Text size="sm">{formatCount(changes, one)}</Text>;
  if (cohort === null) return <Text size="sm">{notices[type] ?? 'Test'}</Text>;
  return (
    <Text size="sm">
      {formatCount(changes, page === null ? 'change' : 'member')} of {nameOf(cohort)}
      {page !== null && `, page ${formatNumber(page)} of ${formatNumber(pages ?? page)}`}
      {sent !== null && sent !== changes && `: ${formatNumber(sent)} sent`}
      {skipped !== null && skipped > 0 && `, ${formatNumber(skipped)} left out`}
    </Text>
  );
}
