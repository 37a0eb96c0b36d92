import { useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { dialogOnDemand } from '../../ui/on-demand';
import classes from '../list-item.module.css';
import { useShortcuts } from './use-shortcuts';

const SearchDialog = dialogOnDemand(async () => (await import('./search-dialog')).SearchDialog);
const KeysDialog = dialogOnDemand(async () => (await import('./keys-dialog')).KeysDialog);

/** Opens the search of everything, and the list of keys. */
export function SearchButton({ projectId }: { readonly projectId: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [hasKeys, { open: openKeys, close: closeKeys }] = useDisclosure();
  useShortcuts({ onSearch: open, onKeys: openKeys });
  return (
    <>
      <button type="button" className={`mantine-focus-auto ${classes.item}`} aria-haspopup="dialog" onClick={open}>
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <span className={classes.label}>Search</span>
        <kbd className={classes.keys} aria-hidden>
          Ctrl K
        </kbd>
      </button>
      <SearchDialog projectId={projectId} isOpen={isOpen} onClose={close} />
      <KeysDialog isOpen={hasKeys} onClose={closeKeys} />
    </>
  );
}
