import { Box, Button, Group, Paper } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../ui/later';
import { formatNumber } from '../../ui/format';
import { type Cell, type NumbersTable, type Point } from '../kind';
import { NumberCell, textOf } from './number-cell';
import classes from './numbers-table.module.css';

/** Most tables have fewer columns. */
const ColumnPages = lazyPart(async () => (await import('./column-pages')).ColumnPages);

/** So many columns and rows are drawn at once: more would hold up the page. */
const columnsAtOnce = 60;
const rowsAtOnce = 100;

/** The exact numbers of the picture. Each one that has persons behind it can be opened. */
export function NumbersTableView({
  table,
  openPersons,
}: {
  readonly table: NumbersTable;
  readonly openPersons: (point: Point) => void;
}) {
  const [page, setPage] = useState(0);
  const [rowLimit, setRowLimit] = useState(rowsAtOnce);
  const [firstColumn = '', ...columns] = table.columns;
  const [, ...firstCells] = table.rows[0] ?? [];
  const sideOf = (column: number) => (typeof firstCells[column]?.value === 'string' ? classes.words : classes.number);
  if (table.rows.length === 0) return null;
  const pages = Math.max(1, Math.ceil(columns.length / columnsAtOnce));
  const from = Math.min(page, pages - 1) * columnsAtOnce;
  return (
    <Paper withBorder>
      <div className={classes.scroller} role="region" aria-label={table.caption} tabIndex={0}>
        <table className={`numbers ${classes.table}`} aria-label={table.caption}>
          <thead>
            <tr>
              <th className={classes.first}>{firstColumn}</th>
              {columns.slice(from, from + columnsAtOnce).map((column, at) => (
                <th key={at} className={sideOf(from + at)}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.slice(0, rowLimit).map(([name, ...cells], row) => (
              <tr key={row}>
                <th scope="row" className={classes.first}>
                  {name && <RowName cell={name} />}
                </th>
                {cells.slice(from, from + columnsAtOnce).map((cell, at) => (
                  <td key={at} className={sideOf(from + at)}>
                    <NumberCell cell={cell} openPersons={openPersons} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(pages > 1 || table.rows.length > rowLimit) && (
        <Group gap="xs" p="xs">
          {pages > 1 && (
            <Suspense>
              <ColumnPages
                page={Math.min(page, pages - 1)}
                perPage={columnsAtOnce}
                columns={columns.length}
                onPage={setPage}
              />
            </Suspense>
          )}
          {table.rows.length > rowLimit && (
            <Button size="xs" variant="default" onClick={() => setRowLimit(rowLimit + rowsAtOnce)}>
              Show more of {formatNumber(table.rows.length)} rows
            </Button>
          )}
        </Group>
      )}
    </Paper>
  );
}

function RowName({ cell }: { readonly cell: Cell }) {
  const text = textOf(cell);
  return (
    <span className={classes.name} title={text}>
      {cell.color !== undefined && <Box component="span" className={classes.mark} bg={cell.color} aria-hidden />}
      <span className={classes.text}>{text}</span>
    </span>
  );
}
