import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type ParsedDate } from '../../platform/time/dates.js';
import { endOfDay, startOf, startOfNext, type Interval } from '../../platform/time/intervals.js';
import { bucketsOf, type Buckets } from '../../platform/time/range.js';
import { type NamedGroupType } from '../../filters/checks/filter-checks.js';
import { type Filter, everything } from '../../filters/reading/filter.js';
import { type WrittenExpression } from '../../sql/ask/event-expressions.js';
import {
  expressionsOfBreakdown,
  filterOfBreakdown,
  groupTypesOfBreakdown,
  type Breakdown,
} from '../shared/breakdown.js';
import { readBreakdown, readSelectedValue } from '../shared/breakdown.parameters.js';
import { readCommonFilter, readGroupType } from '../shared/common.parameters.js';
import { type Entity, filtersOf } from '../shared/entity.js';
import { type Params } from '../../filters/asking/questions.js';
import { cellsInRow, cellsOf, type Cell } from './cells.js';
import { retentionParameters, type meanCalculations, type retentionPeriods } from './retention.parameters.js';

const intervalOf = { Hour: 'hour', Day: 'day', Week: 'week', Month: 'month' } as const satisfies Record<
  string,
  Interval
>;

/**
 * The events with which a person begins. `recurring`: every target event. `first_time`: the person's first target event ever.
 * `first_ever_occurrence`: the person's first event ever with the target's name, if it passes the target's filters.
 */
export type RetentionStart = 'recurring' | 'first_time' | 'first_ever_occurrence';

export interface RetentionQuery {
  readonly target: Entity;
  readonly returning: Entity;
  readonly period: (typeof retentionPeriods)[number];
  readonly interval: Interval;
  readonly buckets: Buckets;
  /** The numbers of intervals of the cells after the beginning; null: one each. */
  readonly brackets: readonly number[] | null;
  readonly cells: readonly Cell[];
  readonly filter: Filter;
  /** The index of the type of the groups that the question counts; null: it counts persons. */
  readonly groupType: number | null;
  /** The types of groups that the breakdown names. */
  readonly namedTypes: readonly NamedGroupType[];
  readonly written: readonly WrittenExpression[];
  /** Every value of it has a matrix of its own, of the events that have the value. */
  readonly breakdown: Breakdown | null;
  /** The target events with which a person begins. */
  readonly start: RetentionStart;
  readonly mean: (typeof meanCalculations)[number];
  /** The length of a cell that counts from the moment in which a person began; null: cells are intervals of the calendar. */
  readonly windowMs: number | null;
  /** The number of events that makes a person active in an interval. */
  readonly minimumOccurrences: number;
  /** True if a person counts for an interval when it was active in the interval or any later one. */
  readonly cumulative: boolean;
  /** The row and the cell of the row whose persons are listed. */
  readonly selectedInterval: number;
  readonly returnInterval: number;
  /** The value whose persons are listed; null: any value. */
  readonly value: readonly string[] | null;
}

const pageview: Entity = { name: '$pageview', order: 0, parts: [{ event: '$pageview', filter: everything }] };

export const readRetention = (params: Params, project: ProjectContext, now: Date): RetentionQuery => {
  const read = params.reader(retentionParameters);
  const period = read('period');
  const interval = intervalOf[period];
  const count = read('total_intervals');
  const buckets = lastIntervals(read('date_to', now, project), interval, count, project, now);
  const brackets = read('retention_custom_brackets');
  const cells = cellsOf(count, brackets);
  const selectedInterval = read('selected_interval', count - 1);
  const breakdown = readBreakdown(params);
  return {
    target: read('target_entity', params.actions) ?? pageview,
    returning: read('returning_entity', params.actions) ?? pageview,
    period,
    interval,
    buckets,
    brackets,
    cells,
    filter: readCommonFilter(params, project),
    groupType: readGroupType(params),
    namedTypes: groupTypesOfBreakdown(breakdown),
    written: expressionsOfBreakdown(breakdown),
    breakdown,
    start: read('retention_type').replace(/^retention_/, '') as RetentionStart,
    mean: read('mean_retention_calculation'),
    windowMs: readWindow(params, period),
    minimumOccurrences: read('minimum_occurrences'),
    cumulative: read('cumulative'),
    selectedInterval,
    returnInterval: read('return_interval', cellsInRow({ buckets, cells }, selectedInterval) - 1),
    value: readSelectedValue(params, breakdown),
  };
};

const hourMs = 3_600_000;

const windowsMs = { Hour: hourMs, Day: 24 * hourMs, Week: 7 * 24 * hourMs, Month: 30 * 24 * hourMs } as const;

const readWindow = (params: Params, period: RetentionQuery['period']): number | null => {
  const read = params.reader(retentionParameters);
  if (read('time_window_mode') === 'strict_calendar_dates') return null;
  const isOther = read('cumulative') || read('minimum_occurrences') > 1 || readBreakdown(params) !== null;
  if (!isOther) return windowsMs[period];
  const says = 'must be strict_calendar_dates with cumulative, minimum_occurrences or a breakdown';
  throw invalidInput(`time_window_mode ${says}`, 'time_window_mode');
};

/** The `count` intervals up to the one that contains `date_to`. */
const lastIntervals = (
  dateTo: ParsedDate | null,
  interval: Interval,
  count: number,
  project: ProjectContext,
  now: Date,
): Buckets => {
  const to = dateTo === null ? now : (dateTo.precision === 'day' ? endOfDay(dateTo.at) : dateTo.at).toJSDate();
  const last = startOf(interval, to, project);
  // Goes back step by step, because a subtraction of hours would miss the interval where clocks change by half an hour.
  let from = last;
  for (let n = 1; n < count; n += 1) from = startOf(interval, new Date(from.getTime() - 1), project);
  return bucketsOf({ from, to: new Date(startOfNext(interval, last, project).getTime() - 1) }, interval, project);
};

export const filtersOfRetention = ({ filter, target, returning, breakdown, groupType }: RetentionQuery): Filter[] => [
  filter,
  ...filtersOf([target, returning]),
  filterOfBreakdown(breakdown, [groupType]),
];
