import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { getJson } from '../../../api/client';
import { type Page } from '../../../api/types';
import { formatNumber } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';

interface RecordsProps<T> {
  /** The name by which changes make the list old. */
  readonly name: string;
  readonly address: string;
  readonly empty: ReactNode;
  /** Milliseconds after which the list is read again, where records change by themselves. */
  readonly readAgainAfter?: number;
  readonly children: (records: readonly T[]) => ReactNode;
}

/** A list of the service, with a button for its next page. */
export function Records<T>({ name, address, empty, readAgainAfter, children }: RecordsProps<T>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [name, address],
    queryFn: ({ pageParam, signal }) => getJson<Page<T>>(pageParam, signal),
    initialPageParam: address,
    getNextPageParam: ({ next }) => next,
    ...(readAgainAfter === undefined ? {} : { refetchInterval: readAgainAfter }),
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={96} />;
  const records = data.pages.flatMap(({ results }) => results);
  if (records.length === 0) {
    return (
      <Text size="sm" c="dimmed" component="div">
        {empty}
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      {children(records)}
      {hasNextPage && (
        <Group gap="sm">
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
          <Text size="sm" c="dimmed" className="numbers">
            {formatNumber(records.length)} of {formatNumber(data.pages[0]?.count ?? records.length)}
          </Text>
        </Group>
      )}
    </Stack>
  );
}
