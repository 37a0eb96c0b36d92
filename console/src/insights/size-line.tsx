import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Cohort } from '../api/types';
import { useActorsOfType } from './actors';
import { formatCount } from '../ui/format';
import { useWasSeen } from '../ui/use-was-seen';
import { historyQuery } from './cohort-history';

const [width, height, edge] = [96, 24, 2];

/** The points of the line; a size that does not change is in the middle. */
const pointsOf = (sizes: readonly number[]): string => {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const step = (width - 2 * edge) / (sizes.length - 1);
  return sizes
    .map((size, at) => {
      const share = most === least ? 0.5 : (size - least) / (most - least);
      return `${(edge + at * step).toFixed(1)},${(height - edge - share * (height - 2 * edge)).toFixed(1)}`;
    })
    .join(' ');
};

/** The size of the last 30 days as a small line. It is requested when the row comes into view. */
export function SizeLine({ projectId, cohort }: { readonly projectId: string; readonly cohort: Cohort }) {
  const [ref, wasSeen] = useWasSeen<HTMLDivElement>();
  const { noun } = useActorsOfType(cohort.group_type_index);
  const query = historyQuery(projectId, cohort, 30);
  const { data } = useQuery({
    ...query,
    enabled: wasSeen && cohort.count !== null,
    // Beside the other columns the line is not worth a second request.
    retry: false,
    refetchInterval: false,
  });
  const sizes = data?.results.map(({ size }) => size) ?? [];
  return (
    <Box ref={ref} h={height} w={width} c="kohort.5">
      {sizes.length === 1 && (
        <Text size="xs" c="dimmed" lh={`${height}px`} ta="start">
          New today
        </Text>
      )}
      {sizes.length > 1 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`From ${formatCount(sizes[0] ?? 0, ...noun)} to ${formatCount(sizes.at(-1) ?? 0, ...noun)} in ${formatCount(sizes.length, 'day')}`}
        >
          <polyline points={pointsOf(sizes)} fill="none" stroke="currentColor" strokeWidth={1.5} />
        </svg>
      )}
    </Box>
  );
}
