import { type Schemas } from '../../api/types';
import { textOf, type Question } from '../../address/search';
import { formatCount, formatDuration, formatNumber, type Noun } from '../../ui/format';
import { dayText } from '../../charts/days';
import { type Point } from '../kind';
import { readEntities } from '../question/entities';

export type FunnelStep = Schemas['FunnelStepDto'];
export type FunnelTimes = Schemas['FunnelTimesDto'];
export type FunnelTrends = Schemas['FunnelTrendsDto'];
export type FunnelInsight = Schemas['FunnelDto'] | Schemas['FunnelByValueDto'] | FunnelTimes | FunnelTrends;
export type FunnelValue = Schemas['FunnelBreakdownDto']['value'];

export const views = [
  { value: 'steps', label: 'Steps' },
  { value: 'time_to_convert', label: 'Time to convert' },
  { value: 'trends', label: 'Trends' },
] as const;

export type View = (typeof views)[number]['value'];

export const viewOf = ({ funnel_viz_type }: Question): View =>
  views.find(({ value }) => value === funnel_viz_type)?.value ?? 'steps';

/** A value of the breakdown. */
export interface SplitValue {
  readonly value: FunnelValue;
  /** Its parts with names of cohorts in place of ids. */
  readonly labels?: readonly string[];
}

/** The steps of the whole funnel, or of each value of the breakdown. */
export interface FunnelRow extends Partial<SplitValue> {
  readonly steps: readonly FunnelStep[];
}

export const rowsOf = (insight: FunnelInsight): readonly FunnelRow[] => {
  if ('steps' in insight) return insight.steps.length === 0 ? [] : [{ steps: insight.steps }];
  return 'breakdown' in insight ? insight.breakdown : [];
};

/** The value of the breakdown to which a row belongs, if there is one. */
export const splitOf = ({ value, labels }: Partial<SplitValue>): SplitValue | undefined =>
  value === undefined ? undefined : { value, ...(labels && { labels }) };

export const valueText = ({ value, labels }: SplitValue): string =>
  (labels ?? (typeof value === 'string' ? [value] : value)).map((text) => (text === '' ? '(none)' : text)).join(' · ');

export const stepNames = (question: Question): string[] =>
  readEntities(question).map(({ id, name }) => name ?? (id === null ? 'All events' : String(id)));

const stepIndexOf = (value: unknown, last: number): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= last ? value : undefined;

/** The indexes of the two steps between which the conversion is computed. */
export const betweenOf = (question: Question, steps: number): { readonly from: number; readonly to: number } => {
  const last = Math.max(0, steps - 1);
  return {
    from: stepIndexOf(question.funnel_from_step, last) ?? 0,
    to: stepIndexOf(question.funnel_to_step, last) ?? last,
  };
};

const ofValue = (split: SplitValue | undefined) =>
  split === undefined ? {} : { funnel_step_breakdown: JSON.stringify(split.value) };

const withValue = (title: string, split: SplitValue | undefined): string =>
  split === undefined ? title : `${valueText(split)}: ${title}`;

/** The persons who took the step. */
export const reachedPoint = ({ order, name }: FunnelStep, split?: SplitValue): Point => ({
  title: withValue(`Reached step ${order + 1}, ${name}`, split),
  params: { funnel_step: order + 1, ...ofValue(split) },
});

/** The persons who took all steps before this one, but not this one. */
export const droppedPoint = ({ order, name }: FunnelStep, split?: SplitValue): Point => ({
  title: withValue(`Dropped off before step ${order + 1}, ${name}`, split),
  params: { funnel_step: -(order + 1), ...ofValue(split) },
});

export const droppedBefore = (steps: readonly FunnelStep[], at: number): number =>
  at === 0 ? 0 : (steps[at - 1]?.count ?? 0) - (steps[at]?.count ?? 0);

type TrendsSeries = FunnelTrends['series'][number];

const splitOfSeries = ({ breakdown_value: value, breakdown_labels: labels }: TrendsSeries) =>
  splitOf({ ...(value !== undefined && { value }), ...(labels && { labels }) });

/** The value of the breakdown that a line is about; undefined for the line of all. */
export const seriesName = (series: TrendsSeries): string | undefined => {
  const split = splitOfSeries(series);
  return split && valueText(split);
};

/** The persons who entered in each interval, and converted or dropped off. */
export const enteredPoints = (
  { interval }: FunnelTrends,
  series: TrendsSeries,
  noun: Noun,
): ((at: number, first: 'entered' | 'converted' | 'dropped') => Point | undefined) => {
  const { days, reached_from, reached_to } = series;
  const split = splitOfSeries(series);
  return (at, first) => {
    const day = days[at];
    if (day === undefined) return undefined;
    const entered = { entrance_period_start: day, ...ofValue(split) };
    const [all, converted] = [reached_from[at] ?? 0, reached_to[at] ?? 0];
    const lists = [
      { label: `${formatNumber(converted)} converted`, params: entered },
      { label: `${formatNumber(all - converted)} dropped off`, params: { ...entered, drop_off: true } },
    ];
    return {
      title: withValue(`Entered on ${dayText(day, interval)}`, split),
      number:
        first === 'entered' ? `${formatCount(all, ...noun)} entered: those who converted and the others.` : undefined,
      params: entered,
      others: first === 'dropped' ? lists.toReversed() : lists,
    };
  };
};

/** The persons who took as long as the bin says. The last bin includes its end, and has no bound. */
export const binPoint = ({ bins }: FunnelTimes, at: number): Point | undefined => {
  const bin = bins[at];
  return (
    bin && {
      title: `Took ${binText(bin)}`,
      params: {
        conversion_time_from: bin.from,
        ...(at === bins.length - 1 ? {} : { conversion_time_to: bin.to }),
      },
    }
  );
};

export const binText = ({ from, to }: FunnelTimes['bins'][number]): string =>
  `${formatDuration(from)} to ${formatDuration(to)}`;

/** How long a person has for all steps. */
export const windowOf = (question: Question): { readonly count: number; readonly unit: string } => ({
  count: typeof question.funnel_window_interval === 'number' ? question.funnel_window_interval : 14,
  unit: textOf(question.funnel_window_interval_unit) ?? 'day',
});
