import { Box, Button, Center, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { memo, useCallback, useMemo, useState } from 'react';
import { Chart, type ChartPoint } from '../../charts/chart';
import { colorAt } from '../../charts/palette';
import { formatNumber } from '../../ui/format';
import { useWasSeen } from '../../ui/use-was-seen';
import { useActors } from '../actors';
import { NumberCell } from '../answer/number-cell';
import { type AnswerProps } from '../kind';
import { colorIndexes, hasPoints, namesOf, type TrendsInsight } from './trends';
import { trendsOption, type Scale } from './trends-option';
import { pointsOf } from './trends-points';

/** So many are drawn before the others are asked for. */
const mostAtFirst = 12;
const height = 150;

/** The least of 1, 2, 5, 10, 20, … that is not smaller. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([1, 2, 5].find((digit) => digit * power >= value) ?? 10) * power;
};

/** The scale that all charts share. It has 0, so that heights can be compared. */
const scaleOf = ({ series }: TrendsInsight): Scale => {
  const values = series.filter(hasPoints).flatMap(({ data }) => data);
  const interval = roundUp(Math.max(...values.map(Math.abs)) / 2);
  const ends = (value: number): number => Math.ceil(value / interval) * interval;
  return { min: -ends(Math.max(0, -Math.min(...values))) || 0, max: ends(Math.max(0, ...values)), interval };
};

/** A chart for each line, all with the same scale. */
export function SmallCharts(props: AnswerProps<TrendsInsight>) {
  const { insight } = props;
  const [hasAll, setHasAll] = useState(false);
  const scale = useMemo(() => scaleOf(insight), [insight]);
  const groups = useMemo(() => {
    const indexes = colorIndexes(insight.series);
    return [...new Set(indexes)].map((line) => indexes.flatMap((one, at) => (one === line ? [at] : [])));
  }, [insight]);
  const shown = hasAll ? groups : groups.slice(0, mostAtFirst);
  return (
    <Stack gap="sm">
      <SimpleGrid
        cols={{ base: 1, sm: 2, lg: shown.length === 1 ? 1 : 3 }}
        spacing="sm"
        role="list"
        aria-label="Charts"
      >
        {shown.map((positions, line) => (
          <SmallChart key={line} {...props} positions={positions} color={colorAt(line)} scale={scale} />
        ))}
      </SimpleGrid>
      {shown.length < groups.length && (
        <Center>
          <Button variant="default" size="xs" onClick={() => setHasAll(true)}>
            Show {formatNumber(groups.length - shown.length)} more
          </Button>
        </Center>
      )}
    </Stack>
  );
}

interface SmallChartProps extends AnswerProps<TrendsInsight> {
  /** The series of the chart: one, and that of the previous range. */
  readonly positions: readonly number[];
  readonly color: string;
  readonly scale: Scale;
}

const SmallChart = memo(function SmallChart({
  insight,
  params,
  openPersons,
  positions,
  color,
  scale,
}: SmallChartProps) {
  const actors = useActors();
  const [ref, wasSeen] = useWasSeen<HTMLDivElement>();
  const [first = 0] = positions;
  const name = useMemo(() => namesOf(insight, params, actors)[first] ?? '', [insight, params, actors, first]);
  const option = useMemo(() => {
    const series = positions.flatMap((at) => insight.series[at] ?? []);
    const drawn = trendsOption({ ...insight, series }, params, actors, {
      marks: [],
      colors: new Map([[0, color]]),
      scale,
    });
    return { ...drawn, grid: { left: 4, right: 12, top: 10, bottom: 4, containLabel: true } };
  }, [insight, params, actors, positions, color, scale]);
  const open = useCallback(
    ({ seriesIndex, dataIndex }: ChartPoint) => {
      const point = pointsOf(insight, params, actors)(positions[seriesIndex % positions.length] ?? 0, dataIndex);
      if (point) openPersons(point);
    },
    [insight, params, actors, positions, openPersons],
  );
  const point = useMemo(() => pointsOf(insight, params, actors)(first, null), [insight, params, actors, first]);
  const count = insight.series[first]?.count ?? 0;
  return (
    <Paper withBorder p="sm" role="listitem" ref={ref} miw={0}>
      <Group justify="space-between" wrap="nowrap" gap="xs" mb={4}>
        <Group gap={8} wrap="nowrap" miw={0}>
          <Box w={10} h={10} bg={color} style={{ borderRadius: 3, flex: 'none' }} aria-hidden />
          <Text size="sm" fw={600} truncate title={name}>
            {name}
          </Text>
        </Group>
        <Text size="sm" component="div" className="numbers">
          <NumberCell cell={{ value: count, ...(point && { point }) }} openPersons={openPersons} />
        </Text>
      </Group>
      {wasSeen ? (
        <Chart
          option={option}
          height={height}
          onPoint={open}
          label={`${name}: ${formatNumber(count)} in all. The table below has the numbers.`}
        />
      ) : (
        <Skeleton h={height} />
      )}
    </Paper>
  );
});
