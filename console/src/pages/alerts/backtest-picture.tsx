import { Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { type Schemas } from '../../api/types';
import { useProject } from '../../address/project-context';
import { Chart } from '../../charts/chart';
import { colorAt } from '../../charts/palette';
import { formatCount, formatDay, formatNumber, formatShort, formatTime } from '../../ui/format';
import { backtestDays } from './use-backtest';

type Backtest = Schemas['BacktestDto'];
type Decided = Backtest['results'][number];

interface BacktestPictureProps {
  readonly backtest: Backtest | undefined;
  readonly isCounting: boolean;
  /** True if the bounds are those of the number itself, and not of its change. */
  readonly hasBounds: boolean;
  /** What is missing before it can be drawn. */
  readonly missing: string | null;
}

const breach = '#e03131';

/** The number of the past, its bounds, and where the alert would have fired. */
export function BacktestPicture({ backtest, isCounting, hasBounds, missing }: BacktestPictureProps) {
  const { timezone } = useProject();
  const option = useMemo(() => optionOf(backtest?.results ?? [], timezone, hasBounds), [backtest, timezone, hasBounds]);
  const result = missing === null ? backtest : undefined;
  const fired = backtest?.results.filter(({ change }) => change === 'fired') ?? [];
  const labels = fired.slice(-6).map(({ interval_start: start }) => formatDay(start, timezone));
  return (
    <Paper withBorder p="md" component="section" aria-label="Backtest">
      <Stack gap="xs">
        <Group gap={8} role="status" align="baseline">
          <Text fz={24} fw={650} lh={1.2} className="numbers" c={isCounting ? 'dimmed' : undefined}>
            {result === undefined ? '–' : formatNumber(result.fired)}
          </Text>
          <Text size="sm">
            {result === undefined
              ? (missing ?? 'Loading the past')
              : `${result.fired === 1 ? 'time' : 'times'} it would have fired in the past ${backtestDays} days`}
          </Text>
          {isCounting && <Loader size={14} role="img" aria-label="Counting" />}
        </Group>
        {backtest !== undefined && (
          <>
            {result !== undefined && (
              <Text size="sm" c="dimmed">
                {fired.length === 0
                  ? `None of ${formatCount(backtest.results.length, 'interval')} would have begun a breach.`
                  : `${fired.length > labels.length ? 'The last ones: ' : ''}${labels.join(' · ')}`}
              </Text>
            )}
            <Chart
              option={option}
              height={280}
              label={`The number over the past ${backtestDays} days; ${formatCount(backtest.fired, 'breach', 'breaches')} begin: ${labels.join(', ') || 'none'}.`}
            />
          </>
        )}
      </Stack>
    </Paper>
  );
}

const line = (name: string, data: readonly (number | null)[]) => ({
  type: 'line',
  name,
  data,
  symbol: 'none',
  step: 'middle',
  color: '#868e96',
  lineStyle: { width: 1.5, type: 'dashed' },
});

const pointOf = ({ calculated_value: value, state, change }: Decided) =>
  state === 'Firing'
    ? { value, symbolSize: change === 'fired' ? 12 : 7, itemStyle: { color: breach } }
    : { value, symbolSize: 0 };

const optionOf = (results: readonly Decided[], timezone: string, hasBounds: boolean) => {
  const isHourly =
    results.length > 1 &&
    Date.parse(results[1]?.interval_start ?? '') - Date.parse(results[0]?.interval_start ?? '') < 86_000_000;
  const label = ({ interval_start: start }: Decided): string =>
    isHourly
      ? formatTime(start, timezone, { year: undefined })
      : formatTime(start, timezone, { year: undefined, hour: undefined, minute: undefined });
  const [lower, upper] = [results.map((one) => one.lower), results.map((one) => one.upper)];
  const has = (bounds: readonly (number | null)[]): boolean => hasBounds && bounds.some((bound) => bound !== null);
  return {
    grid: { left: 8, right: 16, top: 16, bottom: 36, containLabel: true },
    legend: { bottom: 0, itemHeight: 12, itemWidth: 22 },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      valueFormatter: (value: unknown) => (typeof value === 'number' ? formatNumber(value) : '–'),
    },
    xAxis: {
      type: 'category',
      data: results.map(label),
      boundaryGap: false,
      axisTick: { show: false },
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: 'value', axisLabel: { formatter: (value: number) => formatShort(value) } },
    series: [
      {
        type: 'line',
        name: 'Number',
        color: colorAt(0),
        data: results.map(pointOf),
        symbol: 'circle',
        showAllSymbol: true,
        lineStyle: { width: 2 },
      },
      ...(has(lower) ? [line('Lower bound', lower)] : []),
      ...(has(upper) ? [line('Upper bound', upper)] : []),
    ],
  };
};
