import { Badge, Table, Text } from '@mantine/core';
import { pages } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { CardTable } from '../../../ui/card-table';
import { formatCount, formatNumber, formatTime } from '../../../ui/format';
import { Records } from '../../../ui/records';
import { Section } from '../shared/section';

const states = {
  pending: { label: 'Waiting', color: 'gray' },
  running: { label: 'Running', color: 'blue' },
  done: { label: 'Done', color: 'teal' },
  stopped: { label: 'Stopped', color: 'gray' },
} as const;

function State({ state }: { readonly state: keyof typeof states }) {
  const { label, color } = states[state];
  return (
    <Badge variant="dot" tt="none" miw="max-content" color={color}>
      {label}
    </Badge>
  );
}

function Failure({ text }: { readonly text: string | null }) {
  return (
    text !== null && (
      <Text size="xs" c="red" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    )
  );
}

const listOf = (id: number) => ({ path: { project_id: String(id) }, query: { limit: 20 } });

type Receipt = Schemas['DeletionRequestDto'];

const subjectOf = ({ kind, person_id: person, criteria }: Receipt): string =>
  ({
    person: `Person ${person}`,
    events: 'Events by question',
    properties: 'Properties of events',
    group: `Account ${criteria?.group_id}`,
  })[kind];

const detailOf = ({ kind, distinct_id_count: ids, events_selected: selected, criteria }: Receipt): string =>
  [
    kind === 'person' ? formatCount(ids, 'distinct id') : `${formatCount(selected ?? 0, 'event')} selected`,
    ...(criteria?.scrub ?? []),
    ...(criteria?.events ?? []),
  ].join(', ');

/** Requests to delete events, with the receipt of each. */
export function Deletions() {
  const { id, timezone } = useProject();
  return (
    <Section
      title="Deletion requests"
      description="The receipt of a request is the time at which neither PostgreSQL nor ClickHouse had any of the events, or of the properties that were removed from them."
    >
      <Records
        query={pages('/api/projects/{project_id}/deletion_requests', listOf(id))}
        empty="No events were deleted."
      >
        {(requests) => (
          <CardTable
            minWidth={760}
            heads={[
              { label: 'Of' },
              { label: 'State' },
              { label: 'Requested' },
              { label: 'Events', ta: 'right' },
              { label: 'Left in the stores', ta: 'right' },
              { label: 'Receipt' },
            ]}
          >
            {requests.map((request) => (
              <Table.Tr key={request.id}>
                <Table.Td>
                  {subjectOf(request)}
                  <Text size="xs" c="dimmed">
                    {detailOf(request)}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <State state={request.state} />
                </Table.Td>
                <Table.Td>{formatTime(request.created_at, timezone)}</Table.Td>
                <Table.Td ta="right" className="numbers">
                  {formatNumber(request.events_deleted + request.events_scrubbed)}
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
                  <Failure text={request.error && `The last attempt did not finish: ${request.error}`} />
                </Table.Td>
              </Table.Tr>
            ))}
          </CardTable>
        )}
      </Records>
    </Section>
  );
}

/** The removals of events that were older than the project keeps them. */
export function Expiries() {
  const { id, timezone } = useProject();
  return (
    <Section
      title="Removals of old events"
      description="The receipt of a removal is the time at which neither PostgreSQL nor ClickHouse had any of the events."
    >
      <Records
        query={pages('/api/projects/{project_id}/retention', listOf(id))}
        empty="No old events were removed. The project settings say how long events are kept."
      >
        {(runs) => (
          <CardTable
            minWidth={640}
            heads={[
              { label: 'Began' },
              { label: 'State' },
              { label: 'Kept for' },
              { label: 'Removed', ta: 'right' },
              { label: 'Receipt' },
            ]}
          >
            {runs.map((run) => (
              <Table.Tr key={run.id}>
                <Table.Td>{formatTime(run.started_at, timezone)}</Table.Td>
                <Table.Td>
                  <State state={run.state} />
                </Table.Td>
                <Table.Td>
                  {run.events_ttl_days === null ? 'for ever' : `${formatNumber(run.events_ttl_days)} days`}
                  {Object.keys(run.events_ttl_days_by_name).length > 0 && (
                    <Text size="xs" c="dimmed">
                      with exceptions
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="right" className="numbers">
                  {formatNumber(run.events_deleted)}
                </Table.Td>
                <Table.Td>
                  {run.verified_at !== null &&
                    `Verified ${formatTime(run.verified_at, timezone, { second: '2-digit' })}`}
                  <Failure text={run.error} />
                </Table.Td>
              </Table.Tr>
            ))}
          </CardTable>
        )}
      </Records>
    </Section>
  );
}
