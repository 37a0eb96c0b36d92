import { Drawer, Stack, Text } from '@mantine/core';
import { personName } from '../../api/accounts';
import { pages } from '../../api/client';
import { type SavedInsight } from '../../api/types';
import { useProject } from '../../address/project-context';
import { Activity } from '../../ui/activity';
import { formatDay } from '../../ui/format';

interface HistoryDrawerProps {
  readonly saved: SavedInsight;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function HistoryDrawer({ saved, isOpen, onClose }: HistoryDrawerProps) {
  const { id, timezone } = useProject();
  const { created_by: owner, created_at: since } = saved;
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title={`History of ${saved.name || saved.derived_name}`}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {owner ? `Owned by ${personName(owner)}, who saved it on ` : 'Saved on '}
          {formatDay(since, timezone)}
        </Text>
        <Activity
          query={pages('/api/projects/{project_id}/activity', {
            path: { project_id: String(id) },
            query: { scope: 'Insight', item_id: String(saved.id), limit: 30 },
          })}
          empty="No changes are recorded."
        />
      </Stack>
    </Drawer>
  );
}
