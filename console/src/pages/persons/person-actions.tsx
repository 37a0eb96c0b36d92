import { Button, Menu } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowMerge,
  IconArrowsSplit2,
  IconDots,
  IconDownload,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useOpenProject } from '../../address/project-context';
import { useQuestion } from '../../address/search';
import { DeletePerson } from './deletion/delete-person';
import { MergePerson } from './merges/merge-person';
import { type PersonProps } from './person';
import { UndoSplit } from './distinct-ids/undo-split';
import { useWasSplit } from './distinct-ids/use-was-split';

export function PersonActions({ projectId, person }: PersonProps) {
  const { can } = useOpenProject();
  const [, ask] = useQuestion();
  const [open, setOpen] = useState<'merge' | 'undo-split' | 'delete' | null>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const wasSplit = useWasSplit({ projectId, person }, isMenuOpen && can('activity_log:read'));
  const close = (): void => setOpen(null);
  const mayWrite = can('person:write');
  return (
    <>
      {can('event:read') && (
        <Button
          variant="default"
          component="a"
          href={`/api/projects/${projectId}/persons/${person.uuid}/export`}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export
        </Button>
      )}
      {mayWrite && (
        <Menu position="bottom-end" onChange={setMenuOpen}>
          <Menu.Target>
            <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
              Change
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconArrowMerge size={16} aria-hidden />} onClick={() => setOpen('merge')}>
              Merge with another person …
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowsSplit2 size={16} aria-hidden />}
              disabled={person.distinct_id_count < 2}
              onClick={() => ask({ tab: 'ids' })}
            >
              {person.distinct_id_count < 2 ? 'Split (the person has one id)' : 'Split off distinct ids …'}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              disabled={!wasSplit}
              onClick={() => setOpen('undo-split')}
            >
              {wasSplit ? 'Undo the last split …' : 'Undo a split (none in the last 90 days)'}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setOpen('delete')}>
              Delete …
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <MergePerson projectId={projectId} person={person} isOpen={open === 'merge'} onClose={close} />
      <UndoSplit projectId={projectId} person={person} isOpen={open === 'undo-split'} onClose={close} />
      <DeletePerson projectId={projectId} person={person} isOpen={open === 'delete'} onClose={close} />
    </>
  );
}
