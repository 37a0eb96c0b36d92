import { Text, UnstyledButton } from '@mantine/core';
import { formatNumber } from '../../../ui/format';
import { type Point } from '../kind';
import { type Cell } from './numbers-table';
import classes from './numbers-table.module.css';

export const textOf = ({ value, text }: Cell): string =>
  text ?? (typeof value === 'number' ? formatNumber(value) : (value ?? '–'));

/** A number that opens the persons behind it, if it has some. */
export function NumberCell({
  cell,
  openPersons,
}: {
  readonly cell: Cell;
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
      title={`${point.title}: ${exact ?? text}`}
      aria-label={`${text}: the persons of ${point.title}`}
    >
      {text}
    </UnstyledButton>
  );
}
