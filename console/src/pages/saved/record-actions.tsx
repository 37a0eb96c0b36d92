import { ActionIcon, Group } from '@mantine/core';
import { IconPencil, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useOpenProject } from '../../address/project-context';
import { AskFirst } from '../../ui/ask-first';
import { EditRecord } from './edit-record';
import { useSavedChanges, type SavedKind } from './use-saved';

interface RecordActionsProps {
  readonly kind: SavedKind;
  readonly record: {
    readonly id: number;
    readonly name: string;
    readonly description: string;
    readonly favourite: boolean;
  };
  /** Says what a deletion takes with it. */
  readonly warning: string;
}

/** The star, the pencil and the bin of one line. */
export function RecordActions({ kind, record, warning }: RecordActionsProps) {
  const { id, name, favourite } = record;
  const { can } = useOpenProject();
  const { update, remove } = useSavedChanges(kind);
  const [isAsking, setAsking] = useState(false);
  const [isEditing, setEditing] = useState(false);
  if (!can('insight:write')) return null;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <ActionIcon
        variant="subtle"
        color={favourite ? 'yellow' : 'gray'}
        aria-label={favourite ? `Remove ${name} from your favourites` : `Add ${name} to your favourites`}
        aria-pressed={favourite}
        onClick={() => update.mutate({ id, favourite: !favourite })}
      >
        {favourite ? <IconStarFilled size={17} /> : <IconStar size={17} />}
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={`Rename ${name}`} onClick={() => setEditing(true)}>
        <IconPencil size={17} />
      </ActionIcon>
      {isEditing && <EditRecord kind={kind} record={record} onClose={() => setEditing(false)} />}
      <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
        <IconTrash size={17} />
      </ActionIcon>
      <AskFirst
        title={`Delete ${name}?`}
        confirm="Delete"
        isOpen={isAsking}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        {warning}
      </AskFirst>
    </Group>
  );
}
