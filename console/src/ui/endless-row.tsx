import { type ColumnDef, type columnResizingFeature, type columnSizingFeature, type Row } from '@tanstack/react-table';
import { memo, type CSSProperties, type ReactNode } from 'react';
import { type ChoosableColumn } from './column-choice';
import classes from './endless-table.module.css';

export interface EndlessFeatures {
  readonly columnSizingFeature: typeof columnSizingFeature;
  readonly columnResizingFeature: typeof columnResizingFeature;
}

export interface EndlessColumn<T> extends ChoosableColumn {
  readonly width?: number;
  readonly phoneWidth?: number;
  /** For columns of numbers: digits below each other. */
  readonly isNumber?: boolean;
  readonly render: (row: T) => ReactNode;
  /** The whole text of the cell, shown while the pointer rests on it. */
  readonly titleOf?: (row: T) => string | undefined;
}

export type EndlessColumnDef<T extends object> = ColumnDef<EndlessFeatures, T, unknown>;

interface EndlessRowProps<T extends object> {
  readonly row: Row<EndlessFeatures, T>;
  readonly columns: ReadonlyMap<string, EndlessColumn<T>>;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly href: string | undefined;
  /** True if a click opens something other than a page. */
  readonly canOpen: boolean;
  readonly name: string;
  readonly canFocus: boolean;
  /** Undefined where rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly onSelect: (row: T) => void;
}

const styleAt = (top: number, height: number): CSSProperties => ({ transform: `translateY(${top}px)`, height });

function EndlessRowOnce<T extends object>({
  row,
  columns,
  index,
  top,
  height,
  href,
  canOpen,
  name,
  canFocus,
  isSelected,
  onSelect,
}: EndlessRowProps<T>) {
  const item = row.original;
  return (
    <div
      role="row"
      className={classes.row}
      style={styleAt(top, height)}
      data-index={index}
      data-link={href}
      data-opens={canOpen || undefined}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={canFocus ? 0 : -1}
    >
      {isSelected !== undefined && (
        <div role="gridcell" className={classes.cell}>
          <input
            type="checkbox"
            className={classes.check}
            aria-label={`Select ${name}`}
            checked={isSelected}
            tabIndex={-1}
            onChange={() => onSelect(item)}
          />
        </div>
      )}
      {row.getAllCells().map(({ id, column }, nth) => {
        const shown = columns.get(column.id);
        if (!shown) return null;
        const content = shown.render(item);
        return (
          <div
            key={id}
            role="gridcell"
            className={shown.isNumber ? `${classes.cell} numbers` : classes.cell}
            title={shown.titleOf?.(item)}
          >
            {nth === 0 && href !== undefined ? (
              <a className={classes.link} href={href} tabIndex={-1}>
                {content}
              </a>
            ) : nth === 0 && canOpen ? (
              <span className={classes.link}>{content}</span>
            ) : (
              content
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Drawn again only when something that it shows has changed: scrolling moves the other rows without drawing them. */
export const EndlessRow = memo(
  EndlessRowOnce,
  (before, after) =>
    before.row.original === after.row.original &&
    before.columns === after.columns &&
    before.index === after.index &&
    before.top === after.top &&
    before.height === after.height &&
    before.href === after.href &&
    before.canFocus === after.canFocus &&
    before.isSelected === after.isSelected &&
    before.onSelect === after.onSelect,
) as typeof EndlessRowOnce;

/** A row whose page is on its way. */
export const WaitingRow = memo(function WaitingRow({
  top,
  height,
  index,
  cells,
}: {
  readonly top: number;
  readonly height: number;
  readonly index: number;
  readonly cells: number;
}) {
  return (
    <div role="row" className={classes.row} style={styleAt(top, height)} aria-rowindex={index + 2} aria-busy>
      {Array.from({ length: cells }, (_, cell) => (
        <div key={cell} role="gridcell" className={classes.cell} aria-label="Loading">
          <span className={classes.waiting} />
        </div>
      ))}
    </div>
  );
});
