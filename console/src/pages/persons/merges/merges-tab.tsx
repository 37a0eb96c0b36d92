import { Anchor, Badge, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { getJson } from '../../../api/client';
import { type components } from '../../../api/schema';
import { type Page } from '../../../api/types';
import { useOpenProject } from '../../../address/project-context';
import { EmptyState } from '../../../ui/empty-state';
import { formatAgo, formatCount, formatNumber, formatTime } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { type OfPerson } from '../person-page';
import { personKey } from '../requests';
import { UndoMerge } from './undo-merge';

export type Merge = components['schemas']['PersonMergeDto'];

/** The merges that made the person, newest first; each can be taken apart for 90 days. */
export function MergesTab({ projectId, person }: OfPerson) {
  const [undone, setUndone] = useState<Merge | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: [...personKey(projectId, person.uuid), 'merges'],
    queryFn: ({ pageParam, signal }) => getJson<Page<Merge>>(pageParam, signal),
    initialPageParam: `/api/projects/${projectId}/persons/${person.uuid}/merges?limit=30`,
    getNextPageParam: ({ next }) => next,
  });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={160} role="status" aria-label="Loading the merges" />;
  const merges = data.pages.flatMap(({ results }) => results);
  if (merges.length === 0)
    return (
      <EmptyState title="No merges in the last 90 days">
        When another person is merged into this one, by an event or by hand, the merge is listed here and can be undone.
      </EmptyState>
    );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {formatCount(data.pages[0]?.count ?? 0, 'merge')} of the last 90 days, newest first
      </Text>
      {error && <ProblemAlert error={error} onRetry={() => void fetchNextPage()} />}
      {merges.map((merge) => (
        <MergeEntry
          key={merge.id}
          projectId={projectId}
          person={person}
          merge={merge}
          onUndo={() => setUndone(merge)}
        />
      ))}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
      {undone && <UndoMerge projectId={projectId} person={person} merge={undone} onClose={() => setUndone(null)} />}
    </Stack>
  );
}

const reasons: Readonly<Record<Merge['reason'], string>> = {
  identify: 'by $identify',
  alias: 'by an alias',
  merge_dangerously: 'by $merge_dangerously',
  import: 'by an import',
  by_hand: 'by hand',
};

const shownIds = 5;

/** The ids that came with the person. */
const idsText = ({ merged: { distinct_ids: ids, distinct_id_count: count } }: Merge): string => {
  const more = count - Math.min(ids.length, shownIds);
  return `${ids.slice(0, shownIds).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
};

interface MergeEntryProps extends OfPerson {
  readonly merge: Merge;
  readonly onUndo: () => void;
}

function MergeEntry({ projectId, person, merge, onUndo }: MergeEntryProps) {
  const { project, can } = useOpenProject();
  const { merged, merged_at: at, undone_at: undoneAt, survivor_id: survivor, why_not: whyNot } = merge;
  const isItself = merged.id === person.id;
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="xs" align="flex-start">
        <Stack gap={2} style={{ flex: '1 1 260px', minWidth: 0 }}>
          <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
            {isItself ? (
              <>
                Merged into{' '}
                <Anchor
                  component={Link}
                  to={`/p/${projectId}/persons/${survivor}`}
                  size="sm"
                  fw={600}
                  underline="always"
                >
                  person {survivor}
                </Anchor>
              </>
            ) : (
              <>
                Merged from <MergedPerson projectId={projectId} merge={merge} />
                {survivor !== person.id && `, into person ${survivor}`}
              </>
            )}
            , {reasons[merge.reason]}
          </Text>
          <Text size="xs" c="dimmed" component="time" dateTime={at} title={at}>
            {formatTime(at, project.timezone)} ({formatAgo(at)})
          </Text>
          {merged.distinct_id_count > 0 && (
            <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {idsText(merge)}
            </Text>
          )}
          {whyNot !== null && undoneAt === null && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              Cannot be undone: {whyNot}.
            </Text>
          )}
        </Stack>
        {undoneAt !== null ? (
          <Badge variant="default" tt="none" fw={500} title={formatTime(undoneAt, project.timezone)}>
            Undone {formatAgo(undoneAt)}
          </Badge>
        ) : (
          can('person:write') && (
            <Button
              size="xs"
              variant="default"
              disabled={!merge.can_undo}
              aria-label={`Undo the merge of person ${merged.id}`}
              leftSection={<IconArrowBackUp size={14} aria-hidden />}
              onClick={onUndo}
            >
              Undo
            </Button>
          )
        )}
      </Group>
    </Paper>
  );
}

/** After the undo the merged person has a page again. */
function MergedPerson({
  projectId,
  merge: { merged, undone_at },
}: {
  readonly projectId: string;
  readonly merge: Merge;
}) {
  if (undone_at === null) return <b title={merged.uuid}>person {merged.id}</b>;
  return (
    <Anchor component={Link} to={`/p/${projectId}/persons/${merged.uuid}`} size="sm" fw={600} underline="always">
      person {merged.id}
    </Anchor>
  );
}
