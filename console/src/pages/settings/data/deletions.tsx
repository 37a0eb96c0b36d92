import { Badge, Table, Text } from '@mantine/core';
import { useProject } from '../../../address/project-context';
import { type components } from '../../../api/schema';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatNumber, formatTime } from '../../../ui/format';
import { Records } from '../shared/records';
import { Section } from '../shared/section';

type DeletionRequest = components['schemas']['DeletionRequestDto'];

const states = {
  pending: { label: 'Waiting', color: 'gray' },
  running: { label: 'Running', color: 'blue' },
  done: { label: 'Done', color: 'teal' },
} as const;

const heads: readonly Head[] = [
  { label: 'Person' },
  { label: 'State' },
  { label: 'Requested' },
  { label: 'Deleted', ta: 'right' },
  { label: 'Left in the stores', ta: 'right' },
  { label: 'Receipt' },
];

/** Persons whose events are deleted, with the receipt of each. */
export function Deletions() {
  const { id, timezone } = useProject();
  return (
    <Section
      title="Deletion requests"
      description="The receipt of a request is the time at which neither PostgreSQL nor ClickHouse had any of the person’s events."
    >
      <Records<DeletionRequest>
        name="deletion-requests"
        address={`/api/projects/${id}/deletion_requests?limit=20`}
        empty="No person was deleted with the events."
      >
        {(requests) => (
          <CardTable minWidth={760} heads={heads}>
            {requests.map((request) => (
              <Table.Tr key={request.id}>
                <Table.Td>
                  {request.person_id}
                  <Text size="xs" c="dimmed" title={request.person_uuid}>
                    {request.distinct_id_count} distinct {request.distinct_id_count === 1 ? 'id' : 'ids'}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Badge variant="dot" tt="none" miw="max-content" color={states[request.state].color}>
                    {states[request.state].label}
                  </Badge>
                </Table.Td>
                <Table.Td>{formatTime(request.created_at, timezone)}</Table.Td>
                <Table.Td ta="right" className="numbers">
                  {formatNumber(request.events_deleted)}
                </Table.Td>
                <Table.Td ta="right" className="numbers">
                  {request.events_left === null ? 'Not counted yet' : formatNumber(request.events_left)}
                </Table.Td>
                <Table.Td>
                  {request.verified_at === null ? (
                    <Text size="sm" c="dimmed">
                      Planned for {formatTime(request.scheduled_for, timezone)}
                    </Text>
                  ) : (
                    `Verified ${formatTime(request.verified_at, timezone, { second: '2-digit' })}`
                  )}
                  {request.error !== null && (
                    <Text size="xs" c="red" style={{ overflowWrap: 'anywhere' }}>
                      The last attempt did not finish: {request.error}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </CardTable>
        )}
      </Records>
    </Section>
  );
}
