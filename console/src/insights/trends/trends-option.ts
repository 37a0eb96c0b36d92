import { type EChartsCoreOption } from 'echarts/core';
import { markLine, type ChartMark } from '../../charts/marks';
import { colorAt } from '../../charts/palette';
import { formatChange, formatNumber, formatShort } from '../../ui/format';
import { pointText, type TooltipPoint } from '../../charts/tooltip';
import { axisLabels, unfinishedAt } from '../../charts/days';
import {
  colorIndexes,
  displayOf,
  hasPoints,
  isPrevious,
  namesOf,
  type Display,
  type TrendsInsight,
  type TrendsSeries,
} from './trends';
import { type Actors } from '../actors';
import { growthOf } from './growth';
import { type Params } from '../question/params';

const grid = { left: 8, right: 16, top: 16, bottom: 8, containLabel: true };

const format = (value: unknown): string => (typeof value === 'number' ? formatNumber(value) : '–');

/** How the numbers of a display are written, at the axis and in full. */
const formatsOf = (display: Display) =>
  display === 'GrowthRate' ? { short: formatChange, full: formatChange } : { short: formatShort, full: formatNumber };

/** What a line has beside its finished points. */
interface Ending {
  readonly data: readonly (number | null)[];
  /** Draws the way to the point that is not over. */
  readonly tail: readonly (number | null)[];
}

/** Takes the point that is not over from a line: it still grows, and would look like a fall. */
const endingOf = (data: readonly (number | null)[], unfinished: number): Ending | null =>
  unfinished < 1 || unfinished >= data.length
    ? null
    : {
        data: data.map((value, at) => (at < unfinished ? value : null)),
        tail: data.map((value, at) => (at < unfinished - 1 ? null : value)),
      };

/** Points over time: lines, stacked areas or stacked bars. The previous range is drawn below the current one, and is dashed. */
const overTime = (
  insight: TrendsInsight,
  params: Params,
  actors: Actors,
  { marks, colors, scale }: Drawing,
): EChartsCoreOption => {
  const display = displayOf(params);
  const { short, full } = formatsOf(display);
  const { series } = insight;
  const lines = series.filter(hasPoints);
  const axis = lines.find((line) => !isPrevious(line)) ?? lines[0];
  const length = Math.max(0, ...lines.map(({ days }) => days.length));
  const labels = axisLabels(axis?.days ?? [], insight);
  const indexes = colorIndexes(series);
  const names = namesOf(insight, params, actors);
  const isBar = display === 'ActionsBar';
  const isStacked = isBar || display === 'ActionsAreaGraph';
  const unfinished = unfinishedAt(axis?.days ?? [], insight);
  const colorOf = (at: number): string | undefined => colors.get(indexes[at] ?? 0);
  const datas = lines.map(({ data }) => (display === 'GrowthRate' ? growthOf(data, unfinished) : data));
  const endings = lines.map((line, at) =>
    isStacked || isPrevious(line) || display === 'GrowthRate' ? null : endingOf(datas[at] ?? [], unfinished),
  );
  const styleOf = (line: TrendsSeries, at: number) => ({
    type: isBar ? 'bar' : 'line',
    name: names[at] ?? line.label,
    color: colorOf(at),
    symbol: 'circle',
    symbolSize: 6,
    showSymbol: length < 2 || (length <= 14 && colors.size <= mostWithSymbols && !scale),
    triggerLineEvent: false,
    emphasis: { focus: 'series' },
  });
  const style = (line: TrendsSeries) => ({
    width: 2,
    type: isPrevious(line) ? 'dashed' : 'solid',
    opacity: isPrevious(line) ? 0.6 : 1,
  });
  return {
    grid,
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      axisPointer: { type: isBar ? 'shadow' : 'line' },
      formatter: (points: unknown) =>
        // A tail begins at the last point of its line, which then has both.
        pointText(
          (points as readonly (TooltipPoint & { readonly seriesIndex: number; readonly dataIndex: number })[]).filter(
            ({ seriesIndex, dataIndex }) => seriesIndex < lines.length || dataIndex === unfinished,
          ),
          full,
        ),
    },
    xAxis: {
      type: 'category',
      // By index and not by text, because where clocks change two points may have the same text.
      data: Array.from({ length }, (_, at) => ({ value: labels[at] ?? '' })),
      boundaryGap: isBar,
      axisTick: { show: false },
      axisLabel: { hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      minInterval: 0,
      axisLabel: { formatter: (value: number) => short(value) },
      ...scale,
    },
    series: [
      ...lines.map((line, at) => ({
        ...styleOf(line, at),
        // A line that is not drawn keeps its number, by which a click finds it.
        data: colorOf(at) === undefined ? [] : (endings[at]?.data ?? datas[at]),
        stack: isStacked ? (line.compare_label ?? 'all') : undefined,
        areaStyle: display === 'ActionsAreaGraph' ? { opacity: isPrevious(line) ? 0.12 : 0.35 } : undefined,
        lineStyle: style(line),
        itemStyle:
          isBar && isPrevious(line) ? { opacity: 0.45, decal: { symbol: 'rect', dashArrayX: 6, dashArrayY: 3 } } : {},
        barMaxWidth: 48,
        ...(at === 0 && marks.length > 0 && { markLine: markLine(marks) }),
      })),
      ...lines.map((line, at) => ({
        ...styleOf(line, at),
        data: colorOf(at) === undefined ? [] : (endings[at]?.tail ?? []),
        lineStyle: { ...style(line), type: 'dashed' },
      })),
    ],
  };
};

/** One horizontal bar for each line. */
const totals = (insight: TrendsInsight, params: Params, actors: Actors): EChartsCoreOption => {
  const { series } = insight;
  const indexes = colorIndexes(series);
  return {
    grid: { ...grid, right: 72 },
    tooltip: {
      trigger: 'item',
      renderMode: 'richText',
      confine: true,
      valueFormatter: format,
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

export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly interval: number;
}

interface Drawing {
  readonly marks: readonly ChartMark[];
  /** The colour of each line that is drawn. */
  readonly colors: ReadonlyMap<number, string>;
  /** Of several small pictures: the axis of numbers that they share. */
  readonly scale?: Scale;
}

/** Each point of more lines than these has no dot, under which the lines could not be seen. */
const mostWithSymbols = 5;

export const trendsOption = (
  insight: TrendsInsight,
  params: Params,
  actors: Actors,
  drawing: Drawing,
): EChartsCoreOption =>
  displayOf(params) === 'ActionsBarValue'
    ? totals(insight, params, actors)
    : overTime(insight, params, actors, drawing);
