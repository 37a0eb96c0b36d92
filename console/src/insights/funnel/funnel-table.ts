import { colorAt } from '../../charts/palette';
import { capital } from '../../filters/account-words';
import { formatDuration, formatShare, type Noun } from '../../ui/format';
import { axisLabels } from '../../charts/days';
import { type Actors } from '../actors';
import { type Cell, type NumbersTable } from '../kind';
import { type Params } from '../question/params';
import {
  binPoint,
  binText,
  droppedBefore,
  droppedPoint,
  enteredPoints,
  reachedPoint,
  rowsOf,
  seriesName,
  splitOf,
  valueText,
  type FunnelInsight,
  type FunnelRow,
  type FunnelStep,
  type FunnelTimes,
  type FunnelTrends,
} from './funnel';

const share = (value: number): Cell => ({ value, text: formatShare(value) });

const duration = (value: number | null): Cell => ({ value, text: value === null ? '–' : formatDuration(value) });

const stepRow = (steps: readonly FunnelStep[], at: number): Cell[] => {
  const step = steps[at];
  if (!step) return [];
  return [
    { value: `${at + 1}. ${step.name}`, color: colorAt(0) },
    { value: step.count, point: reachedPoint(step) },
    share(step.conversion_rate),
    at === 0 ? { value: null } : share(step.conversion_rate_from_previous),
    at === 0 ? { value: null } : { value: droppedBefore(steps, at), point: droppedPoint(step) },
    duration(step.average_conversion_time),
    duration(step.median_conversion_time),
  ];
};

const stepsTable = (row: FunnelRow | undefined, [, many]: Noun): NumbersTable => ({
  caption: 'Steps of the funnel',
  columns: ['Step', capital(many), 'From first', 'From previous', 'Dropped off', 'Average time', 'Median time'],
  rows: (row?.steps ?? []).map((_, at, steps) => stepRow(steps, at)),
});

const valuesTable = (rows: readonly FunnelRow[]): NumbersTable => ({
  caption: 'Steps of the funnel by value',
  columns: [
    'Value',
    ...(rows[0]?.steps ?? []).flatMap(({ name }, at) => [
      `${at + 1}. ${name}`,
      ...(at === 0 ? [] : [`Dropped before ${at + 1}`, `Median time to ${at + 1}`]),
    ]),
    'Conversion',
  ],
  rows: rows.map((row, index) => [
    { value: valueText({ value: '', ...splitOf(row) }), color: colorAt(index) },
    ...row.steps.flatMap((step, at) => [
      { value: step.count, point: reachedPoint(step, splitOf(row)) },
      ...(at === 0
        ? []
        : [
            { value: droppedBefore(row.steps, at), point: droppedPoint(step, splitOf(row)) },
            duration(step.median_conversion_time),
          ]),
    ]),
    share(row.steps.at(-1)?.conversion_rate ?? 0),
  ]),
});

const timesTable = (insight: FunnelTimes, [, many]: Noun): NumbersTable => {
  const { bins } = insight;
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  return {
    caption: 'Time to convert',
    columns: ['Time', capital(many), 'Share'],
    rows: bins.map((bin, at) => [
      { value: binText(bin) },
      { value: bin.count, point: binPoint(insight, at) },
      share(all === 0 ? 0 : bin.count / all),
    ]),
  };
};

const trendsTable = (insight: FunnelTrends, noun: Noun): NumbersTable => ({
  caption: 'Conversion over time',
  columns: [capital(noun[1]), ...axisLabels(insight.series[0]?.days ?? [], insight)],
  rows: insight.series.flatMap((series, index): Cell[][] => {
    const pointOf = enteredPoints(insight, series, noun);
    const name = seriesName(series);
    const { reached_from: entered, reached_to: converted, data } = series;
    const named = (text: string): Cell => ({
      value: name === undefined ? text : `${name}: ${text}`,
      color: colorAt(index),
    });
    return [
      [named('entered'), ...entered.map((count, at) => ({ value: count, point: pointOf(at, 'entered') }))],
      [named('converted'), ...converted.map((count, at) => ({ value: count, point: pointOf(at, 'converted') }))],
      [
        named('dropped off'),
        ...entered.map((count, at) => ({
          value: count - (converted[at] ?? 0),
          point: pointOf(at, 'dropped'),
        })),
      ],
      [
        named('conversion'),
        ...data.map((percent, at): Cell => {
          const none = entered[at] === 0;
          return { value: none ? null : percent, text: none ? '–' : formatShare(percent / 100) };
        }),
      ],
    ];
  }),
});

export const funnelTable = (insight: FunnelInsight, _: Params, { noun }: Actors): NumbersTable => {
  if ('bins' in insight) return timesTable(insight, noun);
  if ('series' in insight) return trendsTable(insight, noun);
  const rows = rowsOf(insight);
  return 'steps' in insight ? stepsTable(rows[0], noun) : valuesTable(rows);
};
