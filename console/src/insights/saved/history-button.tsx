import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { type SavedInsight } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { dialogOnDemand } from '../../ui/on-demand';

export const HistoryDrawer = dialogOnDemand(async () => (await import('./history-drawer')).HistoryDrawer);

/** Shows who made the saved insight, and who has changed what. */
export function HistoryButton({ saved }: { readonly saved: SavedInsight }) {
  const { can } = useOpenProject();
  const [isOpen, { open, close }] = useDisclosure();
  if (!can('activity_log:read')) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconHistory size={16} aria-hidden />} onClick={open}>
        History
      </Button>
      <HistoryDrawer
        scope="Insight"
        title={saved.name || saved.derived_name}
        saved={saved}
        isOpen={isOpen}
        onClose={close}
      />
    </>
  );
}
