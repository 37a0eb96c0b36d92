import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { type EndlessList } from '../api/endless-list';

export const rowHeight = 36;
const headHeight = 36;

/**
 * A browser cannot scroll an element of a million rows (Firefox ends at 17 million pixels), so the scrolled element holds a
 * window of the list. Near an end of it the window moves on by half, and the scroll position with it, which cannot be seen.
 */
const windowRows = 100_000;
const step = windowRows / 2;
const margin = 2000;

const baseOf = (top: number): number => Math.max(0, Math.floor((top - margin) / step) * step);

/** Returns the rows of the list that are in view, counted from `base`. */
export const useEndlessWindow = <T>(
  list: EndlessList<T>,
  version: number,
  scroller: RefObject<HTMLDivElement | null>,
) => {
  const [base, setBase] = useState(() => baseOf(list.top));
  const [openList, setOpenList] = useState(list);
  if (openList !== list) {
    setOpenList(list);
    setBase(baseOf(list.top));
  }
  const rows = Math.min(windowRows, list.length - base);
  // eslint-disable-next-line react-hooks/incompatible-library -- the console is built without the compiler that this is about
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // The names of the columns stick to the top, so that much less of the end is in view.
    scrollPaddingEnd: headHeight,
    initialOffset: (list.top - base) * rowHeight,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const first = base + (virtualizer.range?.startIndex ?? 0);
  const last = base + (virtualizer.range?.endIndex ?? 0);

  useEffect(() => {
    list.show(first, last);
    list.top = first;
  }, [list, version, first, last]);

  // A list that was read anew begins where its rows were read down to.
  const shownList = useRef(list);
  useLayoutEffect(() => {
    if (shownList.current === list) return;
    shownList.current = list;
    if (scroller.current) scroller.current.scrollTop = (list.top - baseOf(list.top)) * rowHeight;
  }, [list, scroller]);

  const shift = useRef(0);
  useLayoutEffect(() => {
    if (shift.current === 0 || !scroller.current) return;
    scroller.current.scrollTop -= shift.current * rowHeight;
    shift.current = 0;
  }, [base, scroller]);
  const moveTo = useCallback(
    (next: number) => {
      shift.current += next - base;
      setBase(next);
    },
    [base],
  );
  useEffect(() => {
    const isNearEnd = first - base > windowRows - margin && list.length > base + windowRows;
    const isNearStart = first - base < margin && base > 0;
    if (!scroller.current || !(isNearEnd || isNearStart)) return;
    // Right after a move the virtualizer still has the position of before; the element has the new one.
    const within = scroller.current.scrollTop / rowHeight;
    if (isNearEnd && within > windowRows - margin) moveTo(base + step);
    else if (isNearStart && within < margin) moveTo(base - step);
  }, [first, base, list, version, moveTo, scroller]);

  const scrollTo = useCallback(
    (index: number) => virtualizer.scrollToIndex(Math.max(0, Math.min(index - base, rows - 1)), { align: 'auto' }),
    [virtualizer, base, rows],
  );
  return { items, totalHeight: virtualizer.getTotalSize(), base, scrollTo };
};
