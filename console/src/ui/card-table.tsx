import { Table, type TableProps } from '@mantine/core';
import { type CSSProperties, type ReactNode } from 'react';
import classes from './card-table.module.css';

export interface Head {
  readonly label: string;
  readonly w?: number | string;
  readonly ta?: 'right';
}

interface CardTableProps extends Pick<TableProps, 'aria-label' | 'highlightOnHover' | 'layout' | 'verticalSpacing'> {
  readonly heads: readonly Head[];
  /** The width of the last column if it has buttons, which need no heading. */
  readonly buttons?: number;
  /** A narrower window scrolls the table sideways, unless it is as narrow as a phone. */
  readonly minWidth: number;
  readonly hasNumbers?: boolean;
  /** The rows. */
  readonly children: ReactNode;
}

/** A table whose rows are cards on a phone: there each cell is below the one before, beside its heading. */
export function CardTable({ heads, buttons, minWidth, hasNumbers, children, ...props }: CardTableProps) {
  const style = {
    '--least-width': `${minWidth}px`,
    ...(buttons === undefined ? {} : { '--buttons-width': `${buttons}px` }),
    // As texts of CSS.
    ...Object.fromEntries(heads.map(({ label }, at) => [`--head-${at + 1}`, JSON.stringify(label)])),
  } as CSSProperties;
  return (
    <div className={classes.scroller}>
      <Table
        verticalSpacing="xs"
        {...props}
        className={hasNumbers ? `${classes.table} numbers` : classes.table}
        style={style}
        data-buttons={buttons}
      >
        <Table.Thead>
          <Table.Tr>
            {heads.map(({ label, w, ta }) => (
              <Table.Th key={label} w={w} ta={ta}>
                {label}
              </Table.Th>
            ))}
            {buttons !== undefined && <Table.Th w={buttons} aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}
