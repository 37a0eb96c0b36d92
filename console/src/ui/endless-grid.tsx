import { columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, type CSSProperties, type MouseEvent } from 'react';
import { type useColumnChoice } from './column-choice';
import { type Noun } from './format';
import { EndlessHead, minWidth } from './endless-head';
import { type EndlessList } from '../api/endless-list';
import { EndlessRow, WaitingRow, type EndlessColumn, type EndlessColumnDef } from './endless-row';
import classes from './endless-table.module.css';
import { rowHeight, useEndlessWindow } from './use-endless-window';
import { useRowKeys } from './use-row-keys';

const features = tableFeatures({ columnSizingFeature, columnResizingFeature });
const selectionWidth = 38;

/** Describes the rows of a list. */
export interface RowsProps<T> {
  readonly idOf: (row: T) => string;
  readonly nameOf: (row: T) => string;
  /** The page that a row opens. */
  readonly linkOf?: (row: T) => string | undefined;
  /** Opens a row, if not as a page. */
  readonly onOpen?: (row: T) => void;
  /** Names the rows: `['person', 'persons']`. */
  readonly noun: Noun;
  readonly selection?: {
    readonly selected: ReadonlySet<string>;
    readonly onChange: (selected: ReadonlySet<string>) => void;
    /** How many rows may be selected together. */
    readonly most: number;
  };
}

interface EndlessGridProps<T extends object> extends RowsProps<T> {
  readonly list: EndlessList<T>;
  readonly version: number;
  readonly height: string;
  readonly choice: ReturnType<typeof useColumnChoice<EndlessColumn<T>>>;
  readonly isDimmed: boolean;
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, input, label, [role="separator"]') !== null;

/** The scrolling part: only the rows in view, and a few around them, are elements of the page. */
export function EndlessGrid<T extends object>(props: EndlessGridProps<T>) {
  const { list, version, choice, idOf, nameOf, linkOf, onOpen, selection, noun, height, isDimmed } = props;
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const { items, totalHeight, base, scrollTo } = useEndlessWindow(list, version, scroller);
  const { active, onKeyDown, onFocus } = useRowKeys(scroller, list.length, base, scrollTo);

  const { shown, widths, isPhone, setWidths } = choice;
  const byId = useMemo(() => new Map(shown.map((column) => [column.id, column])), [shown]);
  const defs = useMemo(
    () =>
      shown.map(({ id, width = 180, phoneWidth = width }): EndlessColumnDef<T> => ({
        id,
        size: isPhone ? phoneWidth : width,
        minSize: minWidth,
        maxSize: 1000,
      })),
    [shown, isPhone],
  );
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const data = useMemo(() => {
    const rows: T[] = [];
    for (let index = first; index <= last; index++) {
      const row = list.at(base + index);
      if (row) rows.push(row);
    }
    return rows;
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the version tells that the rows of the list have changed
  }, [list, version, base, first, last]);

  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: idOf,
    columnResizeMode: 'onChange',
    state: { columnSizing: widths },
    onColumnSizingChange: (change) => setWidths(typeof change === 'function' ? change(widths) : change),
  });
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const sizes = headers.map((header) => header.getSize());
  const hasSelection = selection !== undefined;
  const tableWidth = sizes.reduce((sum, size) => sum + size, hasSelection ? selectionWidth : 0);
  const tracks = sizes.map((size, index) => (index === sizes.length - 1 ? `minmax(${size}px, 1fr)` : `${size}px`));
  const style = {
    // A short list has no empty space below its last row.
    height: `min(${height}, ${(Math.max(1, list.length) + 1) * rowHeight + 18}px)`,
    opacity: isDimmed ? 0.6 : 1,
    '--columns': (hasSelection ? [`${selectionWidth}px`, ...tracks] : tracks).join(' '),
    '--table-width': `${tableWidth}px`,
  } as CSSProperties;

  const onSelect = useCallback(
    (row: T) => {
      if (!selection) return;
      const selected = new Set(selection.selected);
      if (!selected.delete(idOf(row)) && selected.size < selection.most) selected.add(idOf(row));
      selection.onChange(selected);
    },
    [selection, idOf],
  );
  const open = (event: MouseEvent<HTMLDivElement>): void => {
    if (isControl(event.target) || (window.getSelection()?.toString() ?? '') !== '') return;
    const opened = (event.target as Element).closest<HTMLElement>('[data-opens]')?.dataset['index'];
    const item = opened === undefined ? undefined : list.at(Number(opened));
    if (item) onOpen?.(item);
    const href = (event.target as Element).closest<HTMLElement>('[data-link]')?.dataset['link'];
    if (href === undefined) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey) {
      if (!(event.target as Element).closest('a')) window.open(href, '_blank', 'noopener');
      return;
    }
    event.preventDefault();
    void navigate({ to: href });
  };

  // One row can be reached by the tab key: the one that was active, or the first in view.
  const tabbed = active >= base + first && active <= base + last ? active : base + first;
  const rows = new Map(table.getRowModel().rows.map((row) => [row.id, row]));
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={noun[1]}
      aria-rowcount={list.count + 1}
      aria-colcount={headers.length + (hasSelection ? 1 : 0)}
      aria-multiselectable={hasSelection ? true : undefined}
      className={classes.scroller}
      style={style}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onClick={open}
      tabIndex={-1}
    >
      <EndlessHead
        headers={headers}
        labels={byId}
        selection={hasSelection ? <SelectLoaded data={data} idOf={idOf} selection={selection} /> : undefined}
        onWidth={(id, width) => setWidths({ ...widths, [id]: width })}
      />
      <div role="rowgroup" className={classes.body} style={{ height: totalHeight, width: tableWidth }}>
        {items.map(({ index, start, key }) => {
          const item = list.at(base + index);
          const row = item && rows.get(idOf(item));
          if (!item || !row)
            return <WaitingRow key={key} top={start} height={rowHeight} index={base + index} cells={headers.length} />;
          return (
            <EndlessRow
              key={key}
              row={row}
              columns={byId}
              index={base + index}
              top={start}
              height={rowHeight}
              href={linkOf?.(item)}
              canOpen={onOpen !== undefined}
              name={nameOf(item)}
              canFocus={base + index === tabbed}
              isSelected={selection?.selected.has(idOf(item))}
              onSelect={onSelect}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Selects the rows on the screen, or none. */
function SelectLoaded<T extends object>({
  data,
  idOf,
  selection: { selected, onChange, most },
}: Pick<RowsProps<T>, 'idOf'> & {
  readonly data: readonly T[];
  readonly selection: NonNullable<RowsProps<T>['selection']>;
}) {
  return (
    <input
      type="checkbox"
      className={classes.check}
      aria-label={selected.size > 0 ? 'Select no rows' : 'Select the rows on the screen'}
      checked={selected.size > 0}
      onChange={() => onChange(selected.size > 0 ? new Set() : new Set(data.slice(0, most).map(idOf)))}
    />
  );
}
