import { Alert, Anchor, CopyButton, Group, Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answer } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { formatCount, formatNumber, formatTime } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';

type DeletionRequest = Schemas['DeletionRequestDto'];

const stateOf = (
  { state, scheduled_for, events_deleted, events_left, verified_at, error }: DeletionRequest,
  zone: string,
): string => {
  if (verified_at !== null)
    return `Done: ${formatCount(events_deleted, 'event was', 'events were')} deleted. At ${formatTime(verified_at, zone)} neither store had any of them.`;
  if (error !== null) return `The last attempt did not finish: ${error} The job repeats by itself.`;
  if (state === 'pending')
    return `Waiting for the next run, at ${formatTime(scheduled_for, zone)}. Until then insights count the events.`;
  const left = events_left === null ? '' : `, ${formatCount(events_left, 'is', 'are')} left`;
  return `Running: ${formatCount(events_deleted, 'event is', 'events are')} deleted${left}.`;
};

/** Shows the removal of a deleted person's events, and follows the request until the events are gone. */
export function DeletionReceipt({
  projectId,
  id,
  onClose,
}: {
  readonly projectId: string;
  readonly id: string;
  readonly onClose?: () => void;
}) {
  const { timezone } = useProject();
  const { data, error, refetch } = useQuery({
    ...answer('/api/projects/{project_id}/deletion_requests/{id}', { path: { project_id: projectId, id } }),
    // Until all events are gone.
    refetchInterval: ({ state }) => (state.data?.verified_at || state.error ? false : 5000),
  });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Alert
      icon={<IconReceipt aria-hidden />}
      color={data?.verified_at ? 'teal' : 'kohort'}
      title={data ? `Deletion of the events of person ${data.person_id}` : 'Deletion of events'}
      withCloseButton={onClose !== undefined}
      closeButtonLabel="Close the receipt"
      onClose={onClose}
    >
      <Text size="sm" role="status">
        {data ? stateOf(data, timezone) : 'Reading the request …'}
      </Text>
      {data && (
        <Text size="xs" mt={4}>
          {formatNumber(data.distinct_id_count)} distinct {data.distinct_id_count === 1 ? 'id' : 'ids'}; events received
          up to {formatTime(data.created_at, timezone, { second: '2-digit' })}.
        </Text>
      )}
      <Group gap={6} mt={4}>
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
    </Alert>
  );
}
