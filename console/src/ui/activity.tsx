import { Group, Paper, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { type Pages } from '../api/client';
import { type Schemas } from '../api/types';
import { useProject } from '../address/project-context';
import { formatAgo, formatCount, formatTime } from './format';
import { Records } from './records';
import { Value } from './value';

type Entry = Schemas['ActivityEntryDto'];
type Change = Entry['detail']['changes'][number];

/** Lists who changed a record through the interface, and how. */
export function Activity({ query, empty }: { readonly query: Pages<Entry>; readonly empty: ReactNode }) {
  return (
    <Records
      query={query}
      what="the activity"
      empty={empty}
      head={(count) => `${formatCount(count, 'entry', 'entries')}, newest first`}
    >
      {(entries) => entries.map((entry) => <ActivityEntry key={entry.id} entry={entry} />)}
    </Records>
  );
}

const authorOf = ({ user: { is_system, first_name, last_name, email } }: Entry): string =>
  is_system ? 'Kohort' : [first_name, last_name].join(' ').trim() || email || 'A deleted user';

function ActivityEntry({ entry }: { readonly entry: Entry }) {
  const { timezone } = useProject();
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          <b>{authorOf(entry)}</b> · {entry.activity.replaceAll('_', ' ')}
        </Text>
        <Text size="xs" c="dimmed" title={entry.created_at} component="time" dateTime={entry.created_at}>
          {formatTime(entry.created_at, timezone)} ({formatAgo(entry.created_at)})
        </Text>
      </Group>
      {entry.detail.changes.map((change, index) => (
        <ChangeLine key={index} change={change} />
      ))}
    </Paper>
  );
}

function ChangeLine({ change: { action, field, before, after } }: { readonly change: Change }) {
  return (
    <Group gap={6} mt={6} align="flex-start">
      <Text size="sm" c="dimmed">
        {action}
      </Text>
      {field !== null && (
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {field}
        </Text>
      )}
      {before !== null && (
        <>
          <Text size="sm" c="dimmed">
            from
          </Text>
          <Value value={before} />
        </>
      )}
      {after !== null && (
        <>
          <Text size="sm" c="dimmed">
            to
          </Text>
          <Value value={after} />
        </>
      )}
    </Group>
  );
}
