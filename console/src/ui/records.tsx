import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { type Pages } from '../api/client';
import { formatNumber } from './format';
import { ProblemAlert } from './problem-alert';

interface RecordsProps<Row> {
  readonly query: Pages<Row>;
  /** Names the records for those who hear the page: "the merges". */
  readonly what?: string;
  readonly empty: ReactNode;
  /** How many there are, above the list; otherwise the button for the next page says how many are shown. */
  readonly head?: (count: number) => ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A list of the service, with a button for its next page. */
export function Records<Row>({ query, what, empty, head, children }: RecordsProps<Row>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(query);
  const problem = error && <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return problem ?? <Skeleton h={160} role="status" aria-label={`Loading ${what ?? 'the list'}`} />;
  const { count, rows } = data;
  return (
    <Stack gap="sm">
      {problem}
      {rows.length === 0 && typeof empty === 'string' && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      {rows.length === 0 && typeof empty !== 'string' && empty}
      {rows.length > 0 && head && (
        <Text size="sm" c="dimmed" className="numbers" role="status">
          {head(count)}
        </Text>
      )}
      {rows.length > 0 && children(rows)}
      {hasNextPage && (
        <Group gap="sm">
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
          {!head && (
            <Text size="sm" c="dimmed" className="numbers">
              {formatNumber(rows.length)} of {formatNumber(count)}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  );
}
