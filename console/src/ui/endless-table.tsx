import { ActionIcon, Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { type ReactNode } from 'react';
import { type List } from '../api/client';
import { ColumnChooser, useColumnChoice } from './column-choice';
import { EmptyState } from './empty-state';
import { EndlessGrid, type RowsProps } from './endless-grid';
import { type EndlessColumn } from './endless-row';
import { formatNumber } from './format';
import { ProblemAlert } from './problem-alert';
import { useEndlessList } from './use-endless-list';

export type { EndlessColumn } from './endless-row';

interface EndlessTableProps<T extends object> extends RowsProps<T> {
  readonly list: List<T>;
  /** All columns; a stable array. The user chooses among them. */
  readonly columns: readonly EndlessColumn<T>[];
  /** Under this name the browser remembers the chosen columns. */
  readonly table: string;
  /** Replaces an empty table. */
  readonly empty?: ReactNode;
  /** Buttons beside the number of rows. */
  readonly actions?: ReactNode;
  /** Buttons that need the number of rows. */
  readonly actionsOf?: (count: number) => ReactNode;
  /** The height of the part that scrolls. */
  readonly height?: string;
}

/** A list route as a table that is scrolled to its end, however far that is; see `EndlessList` for how it stays exact and small. */
export function EndlessTable<T extends object>(props: EndlessTableProps<T>) {
  const { columns, table, noun, empty, actions, actionsOf, height = 'max(360px, calc(100dvh - 215px))' } = props;
  const { list, version, error, isFetching, reload } = useEndlessList(props.list);
  const choice = useColumnChoice(table, columns);
  if (error && !list) return <ProblemAlert error={error} onRetry={reload} />;
  if (!list)
    return (
      <Stack gap="xs" role="status" aria-busy aria-label={`Loading the ${noun[1]}`}>
        <Skeleton height={30} width={140} />
        <Skeleton height={height} />
      </Stack>
    );
  return (
    <Stack gap="xs">
      {error !== null && <ProblemAlert error={error} onRetry={reload} />}
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="numbers" role="status" c={isFetching ? 'dimmed' : undefined}>
          {formatNumber(list.count)} {noun[list.count === 1 ? 0 : 1]}
        </Text>
        <Group gap="xs">
          {actions}
          {actionsOf?.(list.count)}
          <ColumnChooser columns={columns} shown={choice.shown} onChange={choice.setShown} />
          <ActionIcon variant="default" size={30} aria-label="Refresh" loading={isFetching} onClick={reload}>
            <IconRefresh size={16} />
          </ActionIcon>
        </Group>
      </Group>
      {list.length === 0 || (list.count === 0 && list.at(0) === undefined) ? (
        (empty ?? <EmptyState title={`No ${noun[1]}`} />)
      ) : (
        <EndlessGrid {...props} list={list} version={version} height={height} choice={choice} isDimmed={isFetching} />
      )}
      {list.error !== null && (
        <Alert color="red" title="Part of the list could not be loaded" role="alert">
          <Group gap="sm">
            <Text size="sm">{list.error instanceof Error ? list.error.message : 'Something went wrong.'}</Text>
            <Button size="xs" color="red" variant="light" onClick={() => list.retry()}>
              Try again
            </Button>
          </Group>
        </Alert>
      )}
    </Stack>
  );
}
