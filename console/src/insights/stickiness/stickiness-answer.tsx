import { type EChartsCoreOption } from 'echarts/core';
import { useCallback, useMemo } from 'react';
import { Chart, type ChartPoint } from '../../charts/chart';
import { colorAt } from '../../charts/palette';
import { EmptyState } from '../../ui/empty-state';
import { formatCount, formatShort, type Noun } from '../../ui/format';
import { useActors } from '../actors';
import { type AnswerProps } from '../kind';
import { daysText, isPrevious, nameOf, pointOf, type StickinessInsight } from './stickiness';

const optionOf = (insight: StickinessInsight, noun: Noun): EChartsCoreOption => {
  const length = Math.max(0, ...insight.series.map(({ days }) => days.length));
  return {
    grid: { left: 8, right: 16, top: 16, bottom: insight.series.length > 1 ? 40 : 8, containLabel: true },
    legend: {
      show: insight.series.length > 1,
      type: 'scroll',
      bottom: 0,
      itemWidth: 22,
      itemHeight: 12,
      textStyle: { lineHeight: 16 },
    },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      axisPointer: { type: 'line' },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? formatCount(value, ...noun) : '–'),
    },
    xAxis: {
      type: 'category',
      data: Array.from({ length }, (_, at) => daysText(insight, at + 1)),
      boundaryGap: false,
      axisTick: { show: false },
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: 'value', minInterval: 1, axisLabel: { formatter: (value: number) => formatShort(value) } },
    series: insight.series.map((series) => ({
      type: 'line',
      name: nameOf(series),
      color: colorAt(series.order),
      data: series.data,
      symbol: 'circle',
      symbolSize: 7,
      showSymbol: length <= 60,
      lineStyle: { width: 2, type: isPrevious(series) ? 'dashed' : 'solid', opacity: isPrevious(series) ? 0.6 : 1 },
      emphasis: { focus: 'series' },
    })),
  };
};

export function StickinessAnswer({ insight, openPersons, onPicture }: AnswerProps<StickinessInsight>) {
  const { noun } = useActors();
  const option = useMemo(() => optionOf(insight, noun), [insight, noun]);
  const open = useCallback(
    ({ seriesIndex, dataIndex }: ChartPoint) => {
      const point = pointOf(insight, seriesIndex, dataIndex);
      if (point) openPersons(point);
    },
    [insight, openPersons],
  );
  if (insight.series.every(({ count }) => count === 0)) {
    return (
      <EmptyState title={`No active ${noun[0]} in this range`}>
        Try another event, a longer range or fewer filters.
      </EmptyState>
    );
  }
  return (
    <Chart
      option={option}
      label={`Stickiness: ${noun[1]} by the number of ${insight.interval}s in which they were active. The table below has the numbers.`}
      height={360}
      onPoint={open}
      onReady={onPicture}
    />
  );
}
