import { type Header } from '@tanstack/react-table';
import { type KeyboardEvent, type ReactNode } from 'react';
import { type EndlessFeatures } from './endless-row';
import classes from './endless-table.module.css';

export const minWidth = 60;

/** The names of the columns; their edges are dragged, or moved by the arrow keys, to change the width. */
export function EndlessHead<T extends object>({
  headers,
  labels,
  selection,
  onWidth,
}: {
  readonly headers: readonly Header<EndlessFeatures, T, unknown>[];
  readonly labels: ReadonlyMap<string, { readonly label: string }>;
  /** The first cell of tables whose rows can be selected. */
  readonly selection?: ReactNode;
  readonly onWidth: (id: string, width: number) => void;
}) {
  const resizeByKey = (event: KeyboardEvent, id: string, width: number): void => {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(id, Math.max(minWidth, width + step));
  };
  return (
    <div role="row" className={classes.head} aria-rowindex={1}>
      {selection !== undefined && (
        <div role="columnheader" className={classes.headCell}>
          {selection}
        </div>
      )}
      {headers.map((header) => {
        const label = labels.get(header.column.id)?.label ?? header.column.id;
        const resize = header.getResizeHandler();
        return (
          <div key={header.id} role="columnheader" className={classes.headCell} title={label}>
            <span style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{label}</span>
            {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that moves is a control */}
            <div
              role="separator"
              aria-orientation="vertical"
              aria-label={`Width of ${label}`}
              aria-valuenow={header.getSize()}
              aria-valuemin={minWidth}
              aria-valuemax={1000}
              tabIndex={0}
              className={classes.grip}
              onMouseDown={resize}
              onTouchStart={resize}
              onKeyDown={(event) => resizeByKey(event, header.column.id, header.getSize())}
            />
          </div>
        );
      })}
    </div>
  );
}
