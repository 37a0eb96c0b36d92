import { type EndlessColumn } from '../ui/endless-table';
import { formatTime } from '../ui/format';

/** What lists of persons and of accounts both show. */
interface ListedRecord {
  readonly name: string;
  readonly created_at: string;
}

/** So many properties are shown before the user chooses. */
export const firstProperties = 3;

export const nameColumn = (label: string): EndlessColumn<ListedRecord> => ({
  id: 'name',
  label,
  isFixed: true,
  width: 240,
  phoneWidth: 140,
  render: ({ name }) => name,
  titleOf: ({ name }) => name,
});

export const firstSeenColumn = (timezone: string): EndlessColumn<ListedRecord> => ({
  id: 'created_at',
  label: 'First seen',
  isDefault: true,
  isForPhone: true,
  width: 165,
  phoneWidth: 150,
  isNumber: true,
  render: ({ created_at: createdAt }) => formatTime(createdAt, timezone),
  titleOf: ({ created_at: createdAt }) => createdAt,
});

/** `textOf` is the value of the property as text; empty if the record has none. */
export const propertyColumn = <Row>(
  name: string,
  isDefault: boolean,
  textOf: (row: Row) => string,
): EndlessColumn<Row> => ({
  id: `properties.${name}`,
  label: name,
  width: 125,
  isDefault,
  render: textOf,
  titleOf: (row) => textOf(row) || undefined,
});
