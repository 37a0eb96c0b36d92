import { Table, Text } from '@mantine/core';
import { personName } from '../../../api/accounts';
import { useProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatTime } from '../../../ui/format';
import { Records } from '../shared/records';
import { Section } from '../shared/section';

interface Entry {
  readonly id: string;
  readonly user: {
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string | null;
    readonly is_system?: boolean;
  };
  readonly activity: string;
  readonly scope: string;
  readonly item_id: string;
  readonly created_at: string;
  readonly detail: { readonly name: string | null; readonly changes: readonly { readonly field: string | null }[] };
}

const authorOf = ({ user }: Entry): string =>
  user.is_system === true ? 'Kohort' : personName({ ...user, email: user.email ?? 'A former user' });

const fieldsOf = ({ detail }: Entry): string =>
  [...new Set(detail.changes.flatMap(({ field }) => (field === null ? [] : [field])))].join(', ');

const heads: readonly Head[] = [{ label: 'Time' }, { label: 'Who' }, { label: 'What' }];

/** Who changed what. Entries outlive what they are about. */
export function Activity() {
  const { id, timezone } = useProject();
  return (
    <Section title="Activity" description="All changes, imports and exports of the project, newest first.">
      <Records<Entry>
        name="activity"
        address={`/api/projects/${id}/activity?limit=20`}
        empty="Nothing has changed yet."
      >
        {(entries) => (
          <CardTable minWidth={600} heads={heads}>
            {entries.map((entry) => (
              <Table.Tr key={entry.id}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatTime(entry.created_at, timezone)}</Table.Td>
                <Table.Td maw={180}>
                  <Text size="sm" truncate title={entry.user.email ?? undefined}>
                    {authorOf(entry)}
                  </Text>
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm">
                    {entry.scope} {entry.detail.name ?? entry.item_id}: {entry.activity}
                  </Text>
                  {fieldsOf(entry) !== '' && (
                    <Text size="xs" c="dimmed">
                      {fieldsOf(entry)}
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
