import { Table, Text } from '@mantine/core';
import { type Schemas } from '../../../api/types';
import { pages } from '../../../api/client';
import { personName } from '../../../api/accounts';
import { useProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatTime } from '../../../ui/format';
import { Records } from '../../../ui/records';
import { Section } from '../shared/section';

type Entry = Schemas['ActivityEntryDto'];

const authorOf = ({ user }: Entry): string =>
  user.is_system === true ? 'Kohort' : personName({ ...user, email: user.email ?? 'A former user' });

/** The kinds of items whose names on the pages are not those of the API. */
const kinds: Readonly<Partial<Record<Entry['scope'], string>>> = {
  Group: 'Account',
  FeatureFlag: 'Flag',
  Definition: 'Catalogue',
  PersonalApiKey: 'Key',
};

const fieldsOf = ({ detail }: Entry): string =>
  [...new Set(detail.changes.flatMap(({ field }) => (field === null ? [] : [field])))].join(', ');

const heads: readonly Head[] = [{ label: 'Time' }, { label: 'Who' }, { label: 'What' }];

/** Lists who changed what. Entries outlive their records. */
export function Activity() {
  const { id, timezone } = useProject();
  return (
    <Section title="Activity" description="All changes, imports and exports of the project, newest first.">
      <Records
        query={pages('/api/projects/{project_id}/activity', { path: { project_id: String(id) }, query: { limit: 20 } })}
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
                    {kinds[entry.scope] ?? entry.scope} {entry.detail.name ?? entry.item_id}: {entry.activity}
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
