import { Box, Paper, ScrollArea, Table, Text, UnstyledButton } from '@mantine/core';
import { formatNumber } from '../../../ui/format';
import { type Point } from '../kind';
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
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly Cell[])[];
}

const textOf = ({ value, text }: Cell): string =>
  text ?? (typeof value === 'number' ? formatNumber(value) : (value ?? '–'));

/** The exact numbers of the picture. Each one that has persons behind it can be opened. */
export function NumbersTableView({
  table,
  openPersons,
}: {
  readonly table: NumbersTable;
  readonly openPersons: (point: Point) => void;
}) {
  if (table.rows.length === 0) return null;
  return (
    <Paper withBorder>
      <ScrollArea.Autosize mah={520} type="auto" offsetScrollbars="present">
        <Table stickyHeader highlightOnHover className="numbers" fz="sm" verticalSpacing={6} aria-label={table.caption}>
          <Table.Thead>
            <Table.Tr>
              {table.columns.map((column, at) => (
                <Table.Th key={at} ta={at === 0 ? 'left' : 'right'} className={at === 0 ? classes.first : classes.cell}>
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {table.rows.map(([name, ...cells], row) => (
              <Table.Tr key={row}>
                <Table.Th scope="row" fw={500} className={classes.first}>
                  {name && <RowName cell={name} />}
                </Table.Th>
                {cells.map((cell, at) => (
                  <Table.Td key={at} ta="right" className={classes.cell}>
                    <NumberCell cell={cell} row={name ? textOf(name) : ''} openPersons={openPersons} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
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

function NumberCell({
  cell,
  row,
  openPersons,
}: {
  readonly cell: Cell;
  readonly row: string;
  readonly openPersons: (point: Point) => void;
}) {
  const { point, value } = cell;
  const text = textOf(cell);
  const exact = typeof value === 'number' ? String(value) : undefined;
  if (!point || value === null || value === 0) {
    return (
      <Text span inherit c={value === 0 || value === null ? 'dimmed' : undefined} title={exact}>
        {text}
      </Text>
    );
  }
  return (
    <UnstyledButton
      className={classes.open}
      onClick={() => openPersons(point)}
      title={exact}
      aria-label={`${text}: the persons of ${point.title === '' ? row : point.title}`}
    >
      {text}
    </UnstyledButton>
  );
}
