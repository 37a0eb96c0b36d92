import { Anchor, CopyButton, Group, Skeleton, Stack, Table, Text, Timeline } from '@mantine/core';
import { IconArrowLeft, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answer } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { formatCount, formatNumber, formatTime } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { Failure, RemovalState } from '../shared/removal-state';
import { Section } from '../shared/section';
import { subjectOf, type DeletionRequest } from './deletion';

interface ReceiptProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** One request: what was asked for, how far it is, and in the end that nothing remains. It follows the request until then. */
export function Receipt({ id, onClose }: ReceiptProps) {
  const projectId = String(useProject().id);
  const { data, error, refetch } = useQuery({
    ...answer('/api/projects/{project_id}/deletion_requests/{id}', { path: { project_id: projectId, id } }),
    refetchInterval: ({ state }) => (state.data?.verified_at || state.error ? false : 5000),
  });
  return (
    <Section
      title="Receipt"
      actions={
        <Anchor component="button" type="button" size="sm" onClick={onClose}>
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden /> All requests
          </Group>
        </Anchor>
      }
    >
      {error && !data && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={240} role="status" aria-label="Loading the receipt" />}
      {data && <Shown request={data} />}
    </Section>
  );
}

const listed = (texts: readonly string[] | undefined): string | null => (texts?.length ? texts.join(', ') : null);

function Shown({ request }: { readonly request: DeletionRequest }) {
  const { timezone } = useProject();
  const time = (moment: string): string => formatTime(moment, timezone, { second: '2-digit' });
  const { id, kind, criteria, state, created_at: createdAt, up_to: upTo, remaining } = request;
  const { started_at: startedAt, verified_at: verifiedAt, scheduled_for: scheduledFor } = request;
  const { events_selected: selected, events_deleted: deleted, events_scrubbed: scrubbed, events_left: left } = request;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['What', subjectOf(request)],
    ['Events', listed(criteria?.events)],
    ['After', criteria?.after && time(criteria.after)],
    ['Before', criteria?.before && time(criteria.before)],
    ['Uuids', criteria?.uuids === undefined ? null : formatNumber(criteria.uuids)],
    ['Filters', criteria?.is_filtered ? 'Yes; they are not kept' : null],
    ['Removed properties', listed(criteria?.scrub)],
    ['Distinct ids', kind === 'person' ? formatNumber(request.distinct_id_count) : null],
    ['Selected', selected === null ? null : formatCount(selected, 'event')],
    ['Received up to', time(upTo)],
    ['Request id', request.request_id],
  ];
  const done = kind === 'properties' ? scrubbed : deleted;
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <RemovalState state={state} />
        <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Text>
        <CopyButton value={id}>
          {({ copied, copy }) => (
            <Anchor component="button" type="button" size="xs" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Anchor>
          )}
        </CopyButton>
      </Group>
      <Timeline active={verifiedAt ? 2 : startedAt ? 1 : 0} bulletSize={22} lineWidth={2}>
        <Timeline.Item title="Requested" bullet={<IconCheck size={12} aria-hidden />}>
          <Text size="sm" c="dimmed">
            {time(createdAt)}
          </Text>
        </Timeline.Item>
        <Timeline.Item
          title={startedAt === null ? 'Waiting for the next run' : 'Running'}
          bullet={startedAt && <IconCheck size={12} aria-hidden />}
        >
          <Text size="sm" c="dimmed" role="status">
            {startedAt === null
              ? `Planned for ${time(scheduledFor)}. Until then insights count the events.`
              : `Since ${time(startedAt)}: ${formatCount(done, 'event')} ${kind === 'properties' ? 'cleaned' : 'deleted'}${left === null || left === 0 ? '' : `, ${formatNumber(left)} still there`}.`}
          </Text>
          <Failure text={request.error && `The last attempt did not finish: ${request.error}. It is tried again.`} />
        </Timeline.Item>
        <Timeline.Item
          title={verifiedAt === null ? 'Verified' : 'Verified: nothing remains'}
          bullet={verifiedAt && <IconCheck size={12} aria-hidden />}
        >
          <Text size="sm" c="dimmed">
            {verifiedAt === null ? 'When no store has any of them' : time(verifiedAt)}
          </Text>
          {request.backups_until !== null && (
            <Text size="sm" c="dimmed">
              Backups have them until {time(request.backups_until)}.
            </Text>
          )}
        </Timeline.Item>
      </Timeline>
      <Table variant="vertical" withTableBorder layout="fixed" aria-label="The request">
        <Table.Tbody>
          {facts.map(
            ([name, value]) =>
              value && (
                <Table.Tr key={name}>
                  <Table.Th w="35%">{name}</Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                </Table.Tr>
              ),
          )}
        </Table.Tbody>
      </Table>
      {remaining !== null && (
        <Table variant="vertical" withTableBorder layout="fixed" className="numbers" aria-label="What remained">
          <Table.Tbody>
            {(
              [
                ['Rows in PostgreSQL', remaining.rows],
                ['Compressed blocks', remaining.blocks],
                ['Files of the archive', remaining.files],
                ['Rows in ClickHouse', remaining.clickhouse],
                ['Ingestion warnings', remaining.warnings],
              ] as const
            ).map(([name, count]) => (
              <Table.Tr key={name}>
                <Table.Th w="35%">{name}</Table.Th>
                <Table.Td>{formatNumber(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
