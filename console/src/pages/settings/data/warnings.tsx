import { Table, Text } from '@mantine/core';
import { pages } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatTime } from '../../../ui/format';
import { Records } from '../../../ui/records';
import { Section } from '../shared/section';

const heads: readonly Head[] = [{ label: 'Time' }, { label: 'What happened' }, { label: 'Distinct id' }];

export function Warnings() {
  const { id, timezone } = useProject();
  return (
    <Section title="Ingestion warnings" description="Events that were changed, or only partly accepted.">
      <Records
        query={pages('/api/projects/{project_id}/ingestion_warnings', {
          path: { project_id: String(id) },
          query: { limit: 20 },
        })}
        empty="No warnings. Old ones, and those of deleted persons, are removed."
      >
        {(warnings) => (
          <CardTable minWidth={640} heads={heads}>
            {warnings.map((warning) => (
              <Table.Tr key={warning.id}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatTime(warning.created_at, timezone)}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm">{warning.detail}</Text>
                  <Text size="xs" c="dimmed">
                    {warning.type}
                    {warning.event_uuid === null ? '' : ` · event ${warning.event_uuid}`}
                  </Text>
                </Table.Td>
                <Table.Td maw={200}>
                  <Text size="sm" truncate title={warning.distinct_id ?? undefined}>
                    {warning.distinct_id ?? ''}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </CardTable>
        )}
      </Records>
    </Section>
  );
}
