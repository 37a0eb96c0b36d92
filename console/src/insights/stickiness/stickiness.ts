import { type Schemas } from '../../api/types';
import { colorAt } from '../../charts/palette';
import { capital } from '../../filters/account-words';
import { formatNumber, formatShare } from '../../ui/format';
import { type Actors } from '../actors';
import { type Cell, type NumbersTable, type Point } from '../kind';
import { type Params } from '../question/params';

export type StickinessInsight = Schemas['StickinessDto'];
export type StickinessSeries = StickinessInsight['series'][number];

export const isPrevious = ({ compare_label }: StickinessSeries): boolean => compare_label === 'previous';

export const nameOf = (series: StickinessSeries): string =>
  isPrevious(series) ? `${series.label} (previous)` : series.label;

const unitOf = ({ interval, interval_count }: StickinessInsight, days: number): string => {
  if (interval_count > 1)
    return days === 1 ? `group of ${interval_count} ${interval}s` : `groups of ${interval_count} ${interval}s`;
  return days === 1 ? interval : `${interval}s`;
};

export const daysText = (insight: StickinessInsight, days: number): string =>
  `${formatNumber(days)} ${unitOf(insight, days)}`;

/** The persons who were active in exactly so many intervals; all of a series without an index. */
export const pointOf = (insight: StickinessInsight, at: number, dayAt: number | null): Point | undefined => {
  const series = insight.series[at];
  if (!series) return undefined;
  const days = dayAt === null ? undefined : series.days[dayAt];
  return {
    title: days === undefined ? nameOf(series) : `${nameOf(series)} · active in ${daysText(insight, days)}`,
    params: {
      series: series.order,
      ...(days === undefined ? {} : { stickiness_days: days }),
      ...(series.compare_label ? { compare_label: series.compare_label } : {}),
    },
  };
};

export const stickinessTable = (insight: StickinessInsight, _: Params, { noun }: Actors): NumbersTable => {
  const longest = insight.series.reduce((max, { days }) => (days.length > max.length ? days : max), [] as number[]);
  return {
    caption: 'Stickiness',
    columns: ['Series', capital(noun[1]), ...longest.map((days) => daysText(insight, days))],
    rows: insight.series.map((series, at): Cell[] => [
      { value: nameOf(series), color: colorAt(series.order) },
      { value: series.count, point: pointOf(insight, at, null) },
      ...series.data.map((value, dayAt) => ({
        value,
        text:
          series.count === 0 || value === 0
            ? undefined
            : `${formatNumber(value)} (${formatShare(value / series.count)})`,
        point: pointOf(insight, at, dayAt),
      })),
    ]),
  };
};
