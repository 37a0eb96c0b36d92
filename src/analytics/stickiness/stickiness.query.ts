import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Interval } from '../../platform/time/intervals.js';
import { type DateRange } from '../../platform/time/range.js';
import { type Filter } from '../../filters/reading/filter.js';
import { type ComparedPeriod, type PeriodComparison, readComparison, readPeriod } from '../shared/comparison.js';
import { type Entity, type ReadEntity, filtersOf } from '../shared/entity.js';
import {
  anyEvent,
  readCommonFilter,
  readGroupType,
  readMathGroupType,
  readQuestionRange,
} from '../shared/common.parameters.js';
import { type Params } from '../../filters/asking/questions.js';
import { readSelectedSeries, readSeries } from '../shared/selected-series.js';
import { stickinessParameters, type comparisons } from './stickiness.parameters.js';

export interface StickinessCriteria {
  readonly operator: (typeof comparisons)[number];
  readonly value: number;
}

export interface StickinessQuery extends PeriodComparison {
  readonly series: readonly Entity[];
  readonly interval: Interval;
  /** The number of intervals that count as one. */
  readonly intervalCount: number;
  readonly range: DateRange;
  readonly filter: Filter;
  /** The index of the type of the groups that the question counts; null: it counts persons. */
  readonly groupType: number | null;
  /** The number of events that makes a person active in an interval. */
  readonly criteria: StickinessCriteria;
  /** The selected persons: of one series and period, active in `activeIntervals` intervals by the operator; null: in any number. */
  readonly selected: {
    readonly series: number;
    readonly period: ComparedPeriod;
    readonly activeIntervals: number | null;
    readonly operator: (typeof comparisons)[number];
  };
}

export const readStickiness = (params: Params, project: ProjectContext, now: Date): StickinessQuery => {
  const read = params.reader(stickinessParameters);
  const entities = readSeries(params);
  const series = entities.length > 0 ? entities : [anyEvent];
  const interval = read('interval');
  const comparison = readComparison(params);
  return {
    series,
    interval,
    intervalCount: read('interval_count'),
    range: readQuestionRange(params, interval, now, project, { wholeDays: true }),
    filter: readCommonFilter(params, project),
    groupType: readCounted(params, entities),
    criteria: read('stickiness_criteria'),
    ...comparison,
    selected: {
      series: readSelectedSeries(params, entities),
      period: readPeriod(params, comparison),
      activeIntervals: read('stickiness_days') ?? read('selected_interval'),
      operator: read('stickiness_days_operator'),
    },
  };
};

/** The type of `aggregation_group_type_index`, or of the math `unique_group`; null: the question counts persons. */
const readCounted = (params: Params, entities: readonly ReadEntity[]): number | null => {
  const groupType = readGroupType(params);
  const [first = groupType, ...others] = entities.map((entity) => readMathGroupType(entity) ?? groupType);
  const at = others.findIndex((other) => other !== first);
  if (at < 0) return first;
  const attr = `${entities[at + 1]?.attr}.math`;
  throw invalidInput(`${attr} must count the same as the first series: persons, or groups of one type`, attr);
};

export const filtersOfStickiness = ({ filter, series }: StickinessQuery): Filter[] => [filter, ...filtersOf(series)];
