import { type EChartsCoreOption } from 'echarts/core';
import { useCallback, useMemo } from 'react';
import { Chart, type ChartPoint } from '../../charts/chart';
import { colorAt } from '../../charts/palette';
import { formatShare, type Noun } from '../../ui/format';
import { axisLabels } from '../../charts/days';
import { useActors } from '../actors';
import { type AnswerProps } from '../kind';
import { enteredPoints, seriesName, type FunnelTrends } from './funnel';

const optionOf = (insight: FunnelTrends, [one]: Noun): EChartsCoreOption => {
  const { series } = insight;
  const isSplit = series.length > 1 || series[0]?.breakdown_value !== undefined;
  const days = series[0]?.days ?? [];
  return {
    grid: { left: 8, right: 16, top: 16, bottom: isSplit ? 40 : 8, containLabel: true },
    legend: { show: isSplit, type: 'scroll', bottom: 0, icon: 'roundRect', itemWidth: 10, itemHeight: 10 },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      order: 'valueDesc',
      axisPointer: { type: 'line' },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? formatShare(value / 100) : `no ${one} entered`),
    },
    xAxis: {
      type: 'category',
      data: axisLabels(days, insight).map((value) => ({ value })),
      boundaryGap: false,
      axisTick: { show: false },
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: 'value', min: 0, max: 100, axisLabel: { formatter: (value: number) => `${value}%` } },
    series: series.map((one, index) => ({
      type: 'line',
      name: seriesName(one) ?? 'Conversion',
      color: colorAt(index),
      // Where none entered there is no rate.
      data: one.data.map((percent, at) => (one.reached_from[at] === 0 ? null : percent)),
      symbol: 'circle',
      symbolSize: 7,
      showSymbol: days.length <= 60,
      lineStyle: { width: 2 },
      emphasis: { focus: 'series' },
    })),
  };
};

/** The conversion of those who entered in each interval. */
export function TrendsPicture({
  insight,
  openPersons,
  onPicture,
}: Omit<AnswerProps<never>, 'insight'> & { readonly insight: FunnelTrends }) {
  const { noun } = useActors();
  const option = useMemo(() => optionOf(insight, noun), [insight, noun]);
  const open = useCallback(
    ({ seriesIndex, dataIndex }: ChartPoint) => {
      const series = insight.series[seriesIndex];
      const point = series && enteredPoints(insight, series, noun)(dataIndex, 'converted');
      if (point) openPersons(point);
    },
    [insight, noun, openPersons],
  );
  return (
    <Chart
      option={option}
      label={`Conversion over time: ${insight.series.length} series. The table below has the numbers.`}
      height={340}
      onPoint={open}
      onReady={onPicture}
    />
  );
}
