import { useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [contenteditable=true]') !== null);

const isInDialog = (): boolean => document.querySelector('[role=dialog], [aria-modal=true]') !== null;

/** The search of the page, if it has one. */
const ownSearch = (): HTMLInputElement | null => document.querySelector('main input[type=search]');

interface Shortcuts {
  readonly onSearch: () => void;
  readonly onKeys: () => void;
}

/** `Ctrl K` opens the search everywhere; `/` and `?` only where they are not typed into a field. */
export const useShortcuts = ({ onSearch, onKeys }: Shortcuts): void => {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (event.defaultPrevented || event.isComposing) return;
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        onSearch();
      } else if (
        !ctrlKey &&
        !metaKey &&
        !altKey &&
        !isTyping(target) &&
        !isInDialog() &&
        (key === '/' || key === '?')
      ) {
        event.preventDefault();
        const field = ownSearch();
        if (key === '?') onKeys();
        else if (field) field.focus();
        else onSearch();
      }
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [onSearch, onKeys]);
};
