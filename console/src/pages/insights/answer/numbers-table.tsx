import { Box, Button, Group, Pagination, Paper, ScrollArea, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../../../ui/format';
import { type Point } from '../kind';
import { NumberCell, textOf } from './number-cell';
import classes from './numbers-table.module.css';

export interface Cell {
  /** What the CSV file has. */
  readonly value: string | number | null;
  /** What the page shows instead of the number. */
  readonly text?: string;
  /** The persons behind the number. */
  readonly point?: Point;
  /** The colour of the line in the picture. */
  readonly color?: string;
}

export interface NumbersTable {
  readonly caption: string;
  readonly columns: readonly string[];
  /** The columns of the CSV file, where programs read other names than people: 2026-03-01 instead of 1 Mar. */
  readonly csvColumns?: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly Cell[])[];
}

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
  const sideOf = (column: number) => (typeof firstCells[column]?.value === 'string' ? 'left' : 'right');
  if (table.rows.length === 0) return null;
  const pages = Math.max(1, Math.ceil(columns.length / columnsAtOnce));
  const from = Math.min(page, pages - 1) * columnsAtOnce;
  return (
    <Paper withBorder>
      <ScrollArea.Autosize mah={520} type="auto" offsetScrollbars="present">
        <Table stickyHeader highlightOnHover className="numbers" fz="sm" verticalSpacing={6} aria-label={table.caption}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.first}>{firstColumn}</Table.Th>
              {columns.slice(from, from + columnsAtOnce).map((column, at) => (
                <Table.Th key={at} ta={sideOf(from + at)} className={classes.cell}>
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {table.rows.slice(0, rowLimit).map(([name, ...cells], row) => (
              <Table.Tr key={row}>
                <Table.Th scope="row" fw={500} className={classes.first}>
                  {name && <RowName cell={name} />}
                </Table.Th>
                {cells.slice(from, from + columnsAtOnce).map((cell, at) => (
                  <Table.Td key={at} ta={sideOf(from + at)} className={classes.cell}>
                    <NumberCell cell={cell} openPersons={openPersons} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {(pages > 1 || table.rows.length > rowLimit) && (
        <Group gap="xs" p="xs">
          {pages > 1 && (
            <>
              <Pagination
                size="sm"
                total={pages}
                value={Math.min(page, pages - 1) + 1}
                onChange={(at) => setPage(at - 1)}
                getControlProps={(control) => ({ 'aria-label': `${control} columns` })}
              />
              <Text size="xs" c="dimmed">
                Columns {formatNumber(from + 1)} to {formatNumber(Math.min(from + columnsAtOnce, columns.length))} of{' '}
                {formatNumber(columns.length)}
              </Text>
            </>
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
