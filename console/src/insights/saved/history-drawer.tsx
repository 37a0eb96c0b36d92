import { Drawer, Stack, Text } from '@mantine/core';
import { personName } from '../../api/accounts';
import { pages } from '../../api/client';
import { type Dashboard, type SavedInsight } from '../../api/types';
import { useProject } from '../../address/project-context';
import { Activity } from '../../ui/activity';
import { formatDay } from '../../ui/format';

interface HistoryDrawerProps {
  readonly scope: 'Insight' | 'Dashboard';
  readonly title: string;
  readonly saved: Pick<SavedInsight | Dashboard, 'id' | 'created_by' | 'created_at'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Who made a saved record, and who has changed what. */
export function HistoryDrawer({ scope, title, saved, isOpen, onClose }: HistoryDrawerProps) {
  const { id, timezone } = useProject();
  const { created_by: owner, created_at: since } = saved;
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size="lg" title={`History of ${title}`}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {owner ? `Owned by ${personName(owner)}, who saved it on ` : 'Saved on '}
          {formatDay(since, timezone)}
        </Text>
        <Activity
          query={pages('/api/projects/{project_id}/activity', {
            path: { project_id: String(id) },
            query: { scope, item_id: String(saved.id), limit: 30 },
          })}
          empty="No changes are recorded."
        />
      </Stack>
    </Drawer>
  );
}
