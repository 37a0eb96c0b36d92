import { type ProjectContext } from '../../common/project-context.js';
import { demandDate } from '../../common/time/dates.js';
import { endOfDay, startOf, startOfNext, type Interval } from '../../common/time/intervals.js';
import { bucketsOf, type Buckets } from '../../common/time/range.js';
import { everything, type Filter } from '../../filters/filter.js';
import { readCommonFilter } from '../asking/common.js';
import { filtersOf, readEntity, type Entity } from '../asking/entity.js';
import { type Params } from '../asking/question-params.js';

export const retentionPeriods = ['Hour', 'Day', 'Week', 'Month'] as const;
export const retentionTypes = ['retention_recurring', 'retention_first_time', 'recurring', 'first_time'] as const;
export const maxIntervals = 100;

const intervalOf = { Hour: 'hour', Day: 'day', Week: 'week', Month: 'month' } as const satisfies Record<
  string,
  Interval
>;

export interface RetentionQuery {
  readonly target: Entity;
  readonly returning: Entity;
  readonly period: (typeof retentionPeriods)[number];
  readonly interval: Interval;
  readonly buckets: Buckets;
  readonly filter: Filter;
  /** Only the first target event of all time counts. */
  readonly firstTime: boolean;
  /** How many events make a person active in an interval. */
  readonly minimumOccurrences: number;
  /** Who was active in an interval or any later one. */
  readonly cumulative: boolean;
  readonly selectedInterval: number;
}

const pageview: Entity = { name: '$pageview', order: 0, parts: [{ event: '$pageview', filter: everything }] };

export const readRetention = (params: Params, project: ProjectContext, now: Date): RetentionQuery => {
  const period = params.choice('period', retentionPeriods, 'Day');
  const interval = intervalOf[period];
  const count = params.integer('total_intervals', { min: 1, max: maxIntervals, fallback: 11 });
  return {
    target: entityOf(params, 'target_entity') ?? pageview,
    returning: entityOf(params, 'returning_entity') ?? entityOf(params, 'target_entity') ?? pageview,
    period,
    interval,
    buckets: lastIntervals(params.text('date_to'), interval, count, project, now),
    filter: readCommonFilter(params, project),
    firstTime: params.choice('retention_type', retentionTypes, 'retention_recurring').endsWith('first_time'),
    minimumOccurrences: params.integer('minimum_occurrences', { min: 1, max: 1_000_000, fallback: 1 }),
    cumulative: params.boolean('cumulative'),
    selectedInterval: params.integer('selected_interval', { min: 0, max: count - 1, fallback: 0 }),
  };
};

const entityOf = (params: Params, name: string): Entity | null => {
  const given = params.json(name);
  return given === undefined ? null : readEntity(given, name);
};

/** So many intervals, of which the last holds `date_to`. */
const lastIntervals = (
  dateTo: string | undefined,
  interval: Interval,
  count: number,
  project: ProjectContext,
  now: Date,
): Buckets => {
  const said = dateTo === undefined ? null : demandDate(dateTo, 'date_to', now, project);
  const to = said === null ? now : said.precision === 'day' ? endOfDay(said.at).toJSDate() : said.at.toJSDate();
  const last = startOf(interval, to, project);
  // One before the other: where clocks change by half an hour, so many hours back is not so many intervals.
  let from = last;
  for (let n = 1; n < count; n += 1) from = startOf(interval, new Date(from.getTime() - 1), project);
  return bucketsOf({ from, to: new Date(startOfNext(interval, last, project).getTime() - 1) }, interval, project);
};

export const filtersOfRetention = ({ filter, target, returning }: RetentionQuery): Filter[] => [
  filter,
  ...filtersOf([target, returning]),
];
