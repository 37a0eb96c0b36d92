import { useCallback, useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';

const rowsPerScreen = 15;

const indexOf = (target: EventTarget): number | null => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset['index']) : null;
};

/** The arrow keys, Page Up and Down, Home and End move the focus from row to row; Enter opens a row, the space bar selects it. */
export const useRowKeys = (
  scroller: RefObject<HTMLDivElement | null>,
  length: number,
  base: number,
  scrollTo: (index: number) => void,
) => {
  const [active, setActive] = useState(base);
  const expected = useRef<number | null>(null);

  // The row may become an element only after the table has scrolled to it.
  useEffect(() => {
    if (expected.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${expected.current}"]`);
    if (!row) return;
    row.focus({ preventScroll: true });
    expected.current = null;
  });

  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLDivElement>) => {
      const index = indexOf(event.target);
      if (index === null) return;
      const row = (event.target as Element).closest<HTMLElement>('[data-index]');
      if (event.target === row && event.key === 'Enter') row.click();
      if (event.target === row && event.key === ' ')
        row.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
      const next = {
        ArrowDown: index + 1,
        ArrowUp: index - 1,
        PageDown: index + rowsPerScreen,
        PageUp: index - rowsPerScreen,
        Home: base,
        End: length - 1,
      }[event.key];
      if (event.key === ' ' && event.target === row) event.preventDefault();
      if (next === undefined) return;
      event.preventDefault();
      const reached = Math.max(base, Math.min(next, length - 1));
      expected.current = reached;
      setActive(reached);
      scrollTo(reached);
    },
    [base, length, scrollTo],
  );

  const onFocus = useCallback((event: FocusEvent<HTMLDivElement>) => {
    const index = indexOf(event.target);
    if (index !== null) setActive(index);
  }, []);

  return { active, onKeyDown, onFocus };
};
