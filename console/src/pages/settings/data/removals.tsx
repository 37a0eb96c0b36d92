import { Table, Text } from '@mantine/core';
import { pages } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { CardTable } from '../../../ui/card-table';
import { formatNumber, formatTime } from '../../../ui/format';
import { Records } from '../../../ui/records';
import { Failure, RemovalState } from '../shared/removal-state';
import { Section } from '../shared/section';

/** The removals of events that were older than the project keeps them. */
export function Expiries() {
  const { id, timezone } = useProject();
  return (
    <Section
      title="Expired events"
      description="Each receipt says when neither PostgreSQL nor ClickHouse had the events any more."
    >
      <Records
        query={pages('/api/projects/{project_id}/retention', {
          path: { project_id: String(id) },
          query: { limit: 20 },
        })}
        empty="No events have expired. The project settings say how long events are kept."
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
                  <RemovalState state={run.state} />
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
