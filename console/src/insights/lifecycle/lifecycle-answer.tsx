import { type EChartsCoreOption } from 'echarts/core';
import { useCallback, useMemo } from 'react';
import { Chart, type ChartPoint } from '../../charts/chart';
import { EmptyState } from '../../ui/empty-state';
import { formatNumber, formatShort } from '../../ui/format';
import { axisLabels } from '../../charts/days';
import { useActors } from '../actors';
import { type AnswerProps } from '../kind';
import { pointsOf, states, type LifecycleInsight } from './lifecycle';

const optionOf = (insight: LifecycleInsight): EChartsCoreOption => ({
  grid: { left: 8, right: 16, top: 16, bottom: 40, containLabel: true },
  legend: { bottom: 0, icon: 'roundRect', itemWidth: 10, itemHeight: 10 },
  tooltip: {
    trigger: 'axis',
    renderMode: 'richText',
    confine: true,
    axisPointer: { type: 'shadow' },
    valueFormatter: (value: unknown) => (typeof value === 'number' ? formatNumber(value) : '–'),
  },
  xAxis: {
    type: 'category',
    data: axisLabels(insight.days, insight).map((value) => ({ value })),
    axisTick: { show: false },
    axisLine: { onZero: false },
    axisLabel: { hideOverlap: true },
  },
  yAxis: { type: 'value', axisLabel: { formatter: (value: number) => formatShort(value) } },
  series: states.map(({ name, label, color }) => ({
    type: 'bar',
    name: label,
    stack: 'all',
    color,
    barMaxWidth: 48,
    data: insight[name],
    emphasis: { focus: 'series' },
  })),
});

export function LifecycleAnswer({ insight, openPersons, onPicture }: AnswerProps<LifecycleInsight>) {
  const [one, many] = useActors().noun;
  const option = useMemo(() => optionOf(insight), [insight]);
  const open = useCallback(
    ({ seriesIndex, dataIndex }: ChartPoint) => {
      const point = pointsOf(insight)(seriesIndex, dataIndex);
      if (point) openPersons(point);
    },
    [insight, openPersons],
  );
  if (states.every(({ name }) => insight[name].every((count) => count === 0))) {
    return (
      <EmptyState title={`No active ${one} in this range`}>
        Try another event, a longer range or fewer filters.
      </EmptyState>
    );
  }
  return (
    <Chart
      option={option}
      label={`Lifecycle: new, returning, resurrecting and dormant ${many} at ${insight.days.length} points. The table below has the numbers.`}
      height={360}
      onPoint={open}
      onReady={onPicture}
    />
  );
}
