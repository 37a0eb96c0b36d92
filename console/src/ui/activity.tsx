import { Group, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { type Pages } from '../api/client';
import { type Schemas } from '../api/types';
import { useProject } from '../address/project-context';
import { changeText } from './change-text';
import { formatAgo, formatCount, formatTime } from './format';
import { Records } from './records';
import { Value } from './value';

type Entry = Schemas['ActivityEntryDto'];
type Change = Entry['detail']['changes'][number];

type Describe = (value: unknown) => string | null;

interface ActivityProps {
  readonly query: Pages<Entry>;
  readonly empty: ReactNode;
  /** Says objects, such as definitions, in words. */
  readonly describe?: Describe;
}

/** Lists who changed a record through the interface, and how. */
export function Activity({ query, empty, describe }: ActivityProps) {
  return (
    <Records
      query={query}
      what="the activity"
      empty={empty}
      head={(count) => `${formatCount(count, 'entry', 'entries')}, newest first`}
    >
      {(entries) => entries.map((entry) => <ActivityEntry key={entry.id} entry={entry} describe={describe} />)}
    </Records>
  );
}

const authorOf = ({ user: { is_system, first_name, last_name, email } }: Entry): string =>
  is_system ? 'Kohort' : [first_name, last_name].join(' ').trim() || email || 'A deleted user';

function ActivityEntry({ entry, describe }: { readonly entry: Entry; readonly describe: Describe | undefined }) {
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
        <ChangeLine key={index} change={change} describe={describe} />
      ))}
    </Paper>
  );
}

function ChangeLine({ change, describe }: { readonly change: Change; readonly describe?: Describe | undefined }) {
  return changeText(change, describe).map(({ text, values }, at) => (
    <Stack key={at} gap={4} mt={6}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {values.map(({ label, value }) => (
        <Group key={label} gap={6} align="flex-start">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Value value={value} />
        </Group>
      ))}
    </Stack>
  ));
}
