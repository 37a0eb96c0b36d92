import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pages } from '../../../api/client';
import { useOpenProject } from '../../../address/project-context';
import { EmptyState } from '../../../ui/empty-state';
import { formatAgo, formatCount, formatNumber, formatTime } from '../../../ui/format';
import { Records } from '../../../ui/records';
import { pathOf, type PersonProps } from '../person';
import { UndoMerge, type Merge } from './undo-merge';

/** The merges that made the person, newest first; each can be taken apart for 90 days. */
export function MergesTab({ projectId, person }: PersonProps) {
  const [undone, setUndone] = useState<Merge | null>(null);
  return (
    <>
      <Records
        query={pages('/api/projects/{project_id}/persons/{id}/merges', {
          path: pathOf(projectId, person),
          query: { limit: 30 },
        })}
        what="the merges"
        empty={
          <EmptyState title="No merges in the last 90 days">
            When another person is merged into this one, by an event or by hand, the merge is listed here and can be
            undone.
          </EmptyState>
        }
        head={(count) => `${formatCount(count, 'merge')} of the last 90 days, newest first`}
      >
        {(merges) =>
          merges.map((merge) => (
            <MergeEntry
              key={merge.id}
              projectId={projectId}
              person={person}
              merge={merge}
              onUndo={() => setUndone(merge)}
            />
          ))
        }
      </Records>
      {undone && <UndoMerge projectId={projectId} person={person} merge={undone} onClose={() => setUndone(null)} />}
    </>
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

interface MergeEntryProps extends PersonProps {
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
