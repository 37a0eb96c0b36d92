import { type EChartsCoreOption } from 'echarts/core';
import { markLine, type ChartMark } from '../../charts/marks';
import { colorAt } from '../../charts/palette';
import { formatNumber, formatShort } from '../../ui/format';
import { axisLabels } from '../../charts/days';
import { colorIndexes, displayOf, hasPoints, isPrevious, namesOf, type TrendsInsight } from './trends';
import { type Actors } from '../actors';
import { type Params } from '../question/params';

const legendFrom = 2;

const grid = (hasLegend: boolean) => ({ left: 8, right: 16, top: 16, bottom: hasLegend ? 40 : 8, containLabel: true });

/** The mark of a line is a piece of it, solid or dashed. */
const base = (hasLegend: boolean, isLine: boolean): EChartsCoreOption => ({
  grid: grid(hasLegend),
  legend: {
    show: hasLegend,
    type: 'scroll',
    bottom: 0,
    itemHeight: 12,
    textStyle: { lineHeight: 16 },
    ...(isLine ? { itemWidth: 22 } : { itemWidth: 10, icon: 'roundRect' }),
  },
});

/** Points over time: lines, stacked areas or stacked bars. The previous range is drawn below the current one, and is dashed. */
const overTime = (
  insight: TrendsInsight,
  params: Params,
  actors: Actors,
  marks: readonly ChartMark[],
): EChartsCoreOption => {
  const display = displayOf(params);
  const { series } = insight;
  const lines = series.filter(hasPoints);
  const axis = lines.find((line) => !isPrevious(line)) ?? lines[0];
  const length = Math.max(0, ...lines.map(({ days }) => days.length));
  const labels = axisLabels(axis?.days ?? [], insight);
  const indexes = colorIndexes(series);
  const names = namesOf(insight, params, actors);
  const isBar = display === 'ActionsBar';
  const isStacked = isBar || display === 'ActionsAreaGraph';
  return {
    ...base(series.length >= legendFrom, !isBar),
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      order: 'valueDesc',
      axisPointer: { type: isBar ? 'shadow' : 'line' },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? formatNumber(value) : '–'),
    },
    xAxis: {
      type: 'category',
      // By index and not by text, because where clocks change two points may have the same text.
      data: Array.from({ length }, (_, at) => ({ value: labels[at] ?? '' })),
      boundaryGap: isBar,
      axisTick: { show: false },
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: 'value', minInterval: 0, axisLabel: { formatter: (value: number) => formatShort(value) } },
    series: lines.map((line, at) => ({
      type: isBar ? 'bar' : 'line',
      name: names[at] ?? line.label,
      data: line.data,
      color: colorAt(indexes[at] ?? 0),
      stack: isStacked ? (line.compare_label ?? 'all') : undefined,
      areaStyle: display === 'ActionsAreaGraph' ? { opacity: isPrevious(line) ? 0.12 : 0.35 } : undefined,
      lineStyle: { width: 2, type: isPrevious(line) ? 'dashed' : 'solid', opacity: isPrevious(line) ? 0.6 : 1 },
      itemStyle:
        isBar && isPrevious(line) ? { opacity: 0.45, decal: { symbol: 'rect', dashArrayX: 6, dashArrayY: 3 } } : {},
      symbol: 'circle',
      symbolSize: line.days.length > 60 ? 4 : 7,
      showSymbol: line.days.length <= 60,
      triggerLineEvent: false,
      barMaxWidth: 48,
      emphasis: { focus: 'series' },
      ...(at === 0 && marks.length > 0 && { markLine: markLine(marks) }),
    })),
  };
};

/** One horizontal bar for each line. */
const totals = (insight: TrendsInsight, params: Params, actors: Actors): EChartsCoreOption => {
  const { series } = insight;
  const indexes = colorIndexes(series);
  return {
    ...base(false, false),
    grid: { ...grid(false), right: 72 },
    tooltip: {
      trigger: 'item',
      renderMode: 'richText',
      confine: true,
      valueFormatter: (value: unknown) => (typeof value === 'number' ? formatNumber(value) : '–'),
    },
    xAxis: { type: 'value', axisLabel: { formatter: (value: number) => formatShort(value) } },
    yAxis: {
      type: 'category',
      inverse: true,
      data: namesOf(insight, params, actors),
      axisTick: { show: false },
      axisLabel: { width: 140, overflow: 'truncate' },
    },
    series: [
      {
        type: 'bar',
        barMaxWidth: 28,
        data: series.map((one, at) => ({
          value: one.count,
          itemStyle: { color: colorAt(indexes[at] ?? 0), opacity: isPrevious(one) ? 0.45 : 1 },
        })),
        label: {
          show: true,
          position: 'right',
          formatter: ({ value }: { value: unknown }) => (typeof value === 'number' ? formatNumber(value) : ''),
        },
      },
    ],
  };
};

export const trendsOption = (
  insight: TrendsInsight,
  params: Params,
  actors: Actors,
  marks: readonly ChartMark[] = [],
): EChartsCoreOption =>
  displayOf(params) === 'ActionsBarValue' ? totals(insight, params, actors) : overTime(insight, params, actors, marks);
