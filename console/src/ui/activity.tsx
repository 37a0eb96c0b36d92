import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getJson } from '../api/client';
import { type components } from '../api/schema';
import { type Page } from '../api/types';
import { useProject } from '../address/project-context';
import { EmptyState } from './empty-state';
import { formatAgo, formatCount, formatTime } from './format';
import { ProblemAlert } from './problem-alert';
import { type OfPerson } from '../pages/persons/person-page';
import { personKey } from '../pages/persons/requests';
import { Value } from './value';

type Entry = components['schemas']['ActivityEntryDto'];
type Change = Entry['detail']['changes'][number];

/** Who changed the person through the interface, and what. */
export function ActivityTab({ projectId, person }: OfPerson) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: [...personKey(projectId, person.uuid), 'activity'],
    queryFn: ({ pageParam, signal }) => getJson<Page<Entry>>(pageParam, signal),
    initialPageParam: `/api/projects/${projectId}/persons/${person.uuid}/activity?limit=30`,
    getNextPageParam: ({ next }) => next,
  });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={200} role="status" aria-label="Loading the activity" />;
  const entries = data.pages.flatMap(({ results }) => results);
  if (entries.length === 0)
    return (
      <EmptyState title="No changes by hand yet">
        Changes made here or through the interface are listed with their author. What events set is in the history of
        each property.
      </EmptyState>
    );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {formatCount(data.pages[0]?.count ?? 0, 'entry', 'entries')}, newest first
      </Text>
      {error && <ProblemAlert error={error} onRetry={() => void fetchNextPage()} />}
      {entries.map((entry) => (
        <ActivityEntry key={entry.id} entry={entry} />
      ))}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}

const authorOf = ({ user: { is_system, first_name, last_name, email } }: Entry): string =>
  is_system ? 'Kohort' : [first_name, last_name].join(' ').trim() || email || 'A deleted user';

export function ActivityEntry({ entry }: { readonly entry: Entry }) {
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
