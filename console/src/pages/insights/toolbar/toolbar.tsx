import { type SavedInsight } from '../../../api/types';
import { menuOnDemand } from '../../../ui/on-demand';
import { SaveButtons } from '../../../insights/saved/save-buttons';
import { ShareButton, type Shared } from './share-button';

const ShareMenu = menuOnDemand(
  (_: Shared, use) => <ShareButton {...use} />,
  async () => (await import('./share-menu')).ShareMenu,
);

interface ToolbarProps extends Shared {
  readonly saved: SavedInsight | undefined;
  /** True if the question is no longer the saved one. */
  readonly isChanged: boolean;
}

/** Takes the insight away, or keeps it. */
export function Toolbar({ saved, isChanged, ...shared }: ToolbarProps) {
  return (
    <>
      <ShareMenu {...shared} />
      <SaveButtons question={{ type: shared.kind.name, params: shared.params }} saved={saved} isChanged={isChanged} />
    </>
  );
}
