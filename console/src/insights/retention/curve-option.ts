import { type EChartsCoreOption } from 'echarts/core';
import { colorAt } from '../../charts/palette';
import { formatShare } from '../../ui/format';
import { isUnfinished, rowLabels, type RetentionInsight } from './retention';

/** In the interval in which persons begin all of them are there: drawn too, it would press all other points to the ground. */
export const firstDrawn = 1;

/** Beyond so many rows their lines would only be a grey area. */
const mostRows = 30;

/** The rows that are drawn: the newest ones that have more than their beginning. */
const drawnRows = ({ matrix }: RetentionInsight): number[] =>
  matrix
    .map((_, at) => at)
    .filter((at) => (matrix[at]?.[0] ?? 0) > 0 && (matrix[at]?.length ?? 0) > 1)
    .slice(-mostRows);

/** The rates of a row, up to the last interval that is over: what still grows would look like a fall. */
const finishedRates = (insight: RetentionInsight, row: number): number[] =>
  (insight.rates[row] ?? []).filter((_, later) => !isUnfinished(insight, row, later)).slice(firstDrawn);

/** The index in the answer of the row that the line at `series` draws; undefined for the mean. */
export const rowOfLine = (insight: RetentionInsight, series: number): number | undefined => drawnRows(insight)[series];

/** The share of persons who came back over time: one thin line for each row, and the mean of all over them. */
export const curveOption = (insight: RetentionInsight): EChartsCoreOption => {
  const labels = rowLabels(insight);
  const drawn = drawnRows(insight);
  const finished = Math.max(0, ...drawn.map((row) => finishedRates(insight, row).length));
  const rows = drawn.map((row) => ({
    type: 'line',
    name: labels[row] ?? '',
    data: finishedRates(insight, row),
    color: '#868e96',
    symbolSize: 5,
    lineStyle: { width: 1, opacity: 0.45 },
    itemStyle: { opacity: 0.45 },
    emphasis: { focus: 'series', lineStyle: { width: 2, opacity: 1 }, itemStyle: { opacity: 1 } },
  }));
  const mean = {
    type: 'line',
    name: 'Mean',
    data: insight.mean?.slice(firstDrawn, firstDrawn + finished) ?? [],
    color: colorAt(0),
    symbolSize: 7,
    lineStyle: { width: 3 },
    z: 3,
  };
  return {
    grid: { left: 8, right: 24, top: 24, bottom: 8, containLabel: true },
    tooltip: {
      trigger: 'item',
      renderMode: 'richText',
      confine: true,
      valueFormatter: (value: unknown) => (typeof value === 'number' ? formatShare(value) : '–'),
    },
    xAxis: {
      type: 'category',
      data: insight.labels.slice(firstDrawn),
      boundaryGap: false,
      axisTick: { show: false },
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: 'value', min: 0, axisLabel: { formatter: (value: number) => formatShare(value) } },
    series: insight.mean === null ? rows : [...rows, mean],
  };
};
