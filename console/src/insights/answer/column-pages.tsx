import { Pagination, Text } from '@mantine/core';
import { formatNumber } from '../../ui/format';

/** Leads through the columns of a wide table. Pages are counted from zero. */
export function ColumnPages({
  page,
  perPage,
  columns,
  onPage,
}: {
  readonly page: number;
  readonly perPage: number;
  readonly columns: number;
  readonly onPage: (page: number) => void;
}) {
  const from = page * perPage;
  return (
    <>
      <Pagination
        size="sm"
        total={Math.ceil(columns / perPage)}
        value={page + 1}
        onChange={(at) => onPage(at - 1)}
        getControlProps={(control) => ({ 'aria-label': `${control} columns` })}
      />
      <Text size="xs" c="dimmed">
        Columns {formatNumber(from + 1)} to {formatNumber(Math.min(from + perPage, columns))} of {formatNumber(columns)}
      </Text>
    </>
  );
}
