import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type SavedInsight } from '../../../api/types';
import { useOpenProject } from '../../../address/project-context';
import { menuOnDemand } from '../../../ui/on-demand';
import { HistoryButton } from '../../../insights/saved/history-button';
import { SaveButtons } from '../../../insights/saved/save-buttons';
import { ShareButton, type Shared } from './share-button';

const ShareMenu = menuOnDemand(
  (_: Shared, use) => <ShareButton {...use} />,
  async () => (await import('./share-menu')).ShareMenu,
);

/** Watches the number of a saved trend. */
function AlertButton({ saved }: Pick<ToolbarProps, 'saved'>) {
  const { project, can } = useOpenProject();
  if (!can('alert:write')) return null;
  const button = { variant: 'default', leftSection: <IconBell size={16} aria-hidden /> } as const;
  if (!saved)
    return (
      <Button {...button} disabled title="Save the insight first: an alert watches what is saved">
        Alert me
      </Button>
    );
  return (
    <Button {...button} component={Link} to={`/p/${project.id}/alerts/new?insight=${saved.id}`}>
      Alert me
    </Button>
  );
}

interface ToolbarProps extends Shared {
  readonly saved: SavedInsight | undefined;
  /** True if the question is no longer the saved one. */
  readonly isChanged: boolean;
}

/** Takes the insight away, or keeps it. */
export function Toolbar({ saved, isChanged, ...shared }: ToolbarProps) {
  return (
    <>
      {saved && <HistoryButton saved={saved} />}
      <ShareMenu {...shared} />
      {shared.kind.name === 'trends' && <AlertButton saved={isChanged ? undefined : saved} />}
      <SaveButtons question={{ type: shared.kind.name, params: shared.params }} saved={saved} isChanged={isChanged} />
    </>
  );
}
