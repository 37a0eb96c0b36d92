import { Badge, Table, Text } from '@mantine/core';
import { type components } from '../../../api/schema';
import { useProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatNumber, formatTime } from '../../../ui/format';
import { Records } from '../shared/records';
import { Section } from '../shared/section';

type ExpiryRun = components['schemas']['ExpiryRunDto'];

const states = {
  running: { label: 'Running', color: 'blue' },
  done: { label: 'Done', color: 'teal' },
  stopped: { label: 'Stopped', color: 'gray' },
} as const;

const heads: readonly Head[] = [
  { label: 'Began' },
  { label: 'State' },
  { label: 'Kept for' },
  { label: 'Removed', ta: 'right' },
  { label: 'Receipt' },
];

/** The removals of events that were older than the project keeps them. */
export function Expiries() {
  const { id, timezone } = useProject();
  return (
    <Section
      title="Removals of old events"
      description="The receipt of a removal is the time at which neither PostgreSQL nor ClickHouse had any of the events."
    >
      <Records<ExpiryRun>
        name="expiry-runs"
        address={`/api/projects/${id}/retention?limit=20`}
        empty="No old events were removed. The project settings say how long events are kept."
      >
        {(runs) => (
          <CardTable minWidth={640} heads={heads}>
            {runs.map((run) => (
              <Table.Tr key={run.id}>
                <Table.Td>{formatTime(run.started_at, timezone)}</Table.Td>
                <Table.Td>
                  <Badge variant="dot" tt="none" miw="max-content" color={states[run.state].color}>
                    {states[run.state].label}
                  </Badge>
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
                  {run.error !== null && (
                    <Text size="xs" c="red" style={{ overflowWrap: 'anywhere' }}>
                      {run.error}
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
