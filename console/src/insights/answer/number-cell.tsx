import { formatNumber } from '../../ui/format';
import { nounBehind, useActors } from '../actors';
import { type Cell, type Point } from '../kind';
import classes from './numbers-table.module.css';

export const textOf = ({ value, text }: Cell): string =>
  text ?? (typeof value === 'number' ? formatNumber(value) : (value ?? '–'));

/** A number that opens the persons behind it, if it has some. Of plain elements, because a table has thousands. */
export function NumberCell({
  cell,
  openPersons,
}: {
  readonly cell: Cell;
  readonly openPersons: (point: Point) => void;
}) {
  const { point, value } = cell;
  const [, many] = nounBehind(useActors(), point?.groupType);
  const text = textOf(cell);
  const exact = typeof value === 'number' ? String(value) : undefined;
  if (!point || value === null || value === 0) {
    return (
      <span className={value === 0 || value === null ? classes.none : undefined} title={exact}>
        {text}
      </span>
    );
  }
  return (
    <button
      type="button"
      className={`mantine-focus-auto ${classes.open}`}
      onClick={() => openPersons(point)}
      title={`${point.title}: ${exact ?? text}`}
      aria-label={`${text}: the ${many} of ${point.title}`}
    >
      {text}
    </button>
  );
}
