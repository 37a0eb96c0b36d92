import { type EChartsCoreOption } from 'echarts/core';
import { colorAt } from '../../../charts/palette';
import { formatNumber, formatShort } from '../../../ui/format';
import { dayLabels, dayText } from '../../../charts/days';
import { type CohortHistory } from '../../../insights/cohort-history';

const [sizeColor, leftColor, enteredColor] = [colorAt(0), colorAt(1), colorAt(2)];

const short = (value: number): string => formatShort(Math.abs(value));

/** The size above, and below it who entered and left, on the same days. */
export const historyOption = ({ results }: CohortHistory): EChartsCoreOption => {
  const days = results.map(({ date }) => date);
  const data = dayLabels(days, 'day').map((value) => ({ value }));
  const side = { left: 52, right: 16 };
  const bar = { type: 'bar', xAxisIndex: 1, yAxisIndex: 1, stack: 'moves', barMaxWidth: 28 };
  return {
    grid: [
      { ...side, top: 16, height: 170 },
      { ...side, top: 214, height: 92 },
    ],
    legend: { bottom: 0, icon: 'roundRect', itemWidth: 10, itemHeight: 10 },
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      axisPointer: { type: 'line' },
      formatter: (points: unknown) => {
        const [{ dataIndex = -1 } = {}] = Array.isArray(points) ? (points as { dataIndex?: number }[]) : [];
        const day = results[dataIndex];
        if (!day) return '';
        const lines = [`${formatNumber(day.size)} members`, `${formatNumber(day.entered)} entered`];
        return [dayText(day.date, 'day'), ...lines, `${formatNumber(day.left)} left`].join('\n');
      },
    },
    xAxis: [
      { type: 'category', data, axisTick: { show: false }, axisLabel: { show: false } },
      {
        type: 'category',
        gridIndex: 1,
        data,
        axisTick: { show: false },
        axisLine: { onZero: true },
        axisLabel: { hideOverlap: true, showMinLabel: true },
        offset: 0,
        position: 'bottom',
      },
    ],
    yAxis: [
      { type: 'value', minInterval: 1, axisLabel: { formatter: short } },
      { type: 'value', gridIndex: 1, minInterval: 1, splitNumber: 2, axisLabel: { formatter: short } },
    ],
    series: [
      {
        type: 'line',
        name: 'Members',
        color: sizeColor,
        data: results.map(({ size }) => size),
        areaStyle: { opacity: 0.12 },
        lineStyle: { width: 2 },
        symbol: 'circle',
        symbolSize: 6,
        showSymbol: results.length <= 30,
      },
      { ...bar, name: 'Entered', color: enteredColor, data: results.map(({ entered }) => entered) },
      { ...bar, name: 'Left', color: leftColor, data: results.map(({ left }) => (left === 0 ? 0 : -left)) },
    ],
  };
};
