import { Button, Stack, Text } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import { useState } from 'react';
import { type Schemas } from '../../../api/types';
import { api, list } from '../../../api/client';
import { useOpenProject } from '../../../address/project-context';
import { AskFirst } from '../../../ui/ask-first';
import { EndlessTable, type EndlessColumn } from '../../../ui/endless-table';
import { formatNumber } from '../../../ui/format';
import { notifyDone } from '../../../ui/notify';
import { CopiedText } from '../copied-text';
import { pathOf, type PersonProps, usePersonChange } from '../person';

type DistinctId = Schemas['DistinctIdDto'];

const columns: EndlessColumn<DistinctId>[] = [
  {
    id: 'distinct_id',
    label: 'Distinct id',
    isFixed: true,
    width: 380,
    phoneWidth: 180,
    render: ({ distinct_id: id }) => <CopiedText text={id} label={`Copy ${id}`} />,
  },
  {
    id: 'looks_generated',
    label: 'Looks generated',
    isDefault: true,
    isForPhone: true,
    width: 160,
    phoneWidth: 110,
    render: ({ looks_generated: isGenerated }) => (isGenerated ? 'yes' : 'no'),
  },
];

const idOf = ({ distinct_id }: DistinctId): string => distinct_id;

/** All distinct ids of the person; some of them can be split off. */
export function DistinctIdsTab({ projectId, person }: PersonProps) {
  const { can } = useOpenProject();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isSplitting, setSplitting] = useState(false);
  const canSplit = can('person:write') && person.distinct_id_count > 1;
  return (
    <>
      {canSplit && (
        <Text size="sm" c="dimmed" mb="xs">
          Select the ids that belong to someone else and split them off.
        </Text>
      )}
      <EndlessTable
        list={list('/api/projects/{project_id}/persons/{id}/distinct_ids', { path: pathOf(projectId, person) })}
        columns={columns}
        table="distinct-ids"
        noun={['distinct id', 'distinct ids']}
        idOf={idOf}
        nameOf={idOf}
        height="max(240px, calc(100dvh - 400px))"
        selection={
          canSplit
            ? { selected, onChange: setSelected, most: Math.min(person.distinct_id_count - 1, 10_000) }
            : undefined
        }
        actions={
          canSplit && (
            <Button
              size="xs"
              variant="light"
              disabled={selected.size === 0}
              leftSection={<IconArrowsSplit2 size={14} aria-hidden />}
              onClick={() => setSplitting(true)}
            >
              Split {selected.size > 0 ? `${formatNumber(selected.size)} off` : 'off'}
            </Button>
          )
        }
      />
      <SplitDialog
        projectId={projectId}
        person={person}
        ids={[...selected]}
        isOpen={isSplitting}
        onClose={() => setSplitting(false)}
        onDone={() => setSelected(new Set())}
      />
    </>
  );
}

function SplitDialog({
  projectId,
  person,
  ids,
  isOpen,
  onClose,
  onDone,
}: PersonProps & {
  readonly ids: string[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { mutate, isPending } = usePersonChange(
    () =>
      api.POST('/api/projects/{project_id}/persons/{id}/split', {
        params: { path: pathOf(projectId, person) },
        body: { distinct_ids_to_split: ids },
      }),
    ({ split_persons: made }) => {
      notifyDone(`${formatNumber(made.length)} ${made.length === 1 ? 'person was' : 'persons were'} made.`);
      onDone();
      onClose();
    },
  );
  return (
    <AskFirst
      title="Split off distinct ids?"
      confirm="Split"
      isOpen={isOpen}
      isPending={isPending}
      onConfirm={mutate}
      onClose={onClose}
    >
      {ids.length === 1 ? 'This id becomes' : `Each of these ${formatNumber(ids.length)} ids becomes`} a person of its
      own, without properties. The past events of {ids.length === 1 ? 'the id' : 'each id'} follow it in every answer.{' '}
      <b>{person.name}</b> keeps its properties and the other ids. The last split can be undone for 90 days.
      <Stack
        gap={2}
        mt="sm"
        mah={160}
        style={{ overflow: 'auto' }}
        tabIndex={0}
        role="list"
        aria-label="Ids to split off"
      >
        {ids.map((id) => (
          <Text key={id} size="xs" ff="monospace" role="listitem" style={{ overflowWrap: 'anywhere' }}>
            {id}
          </Text>
        ))}
      </Stack>
    </AskFirst>
  );
}
