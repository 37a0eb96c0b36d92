import { invalidInput } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { intervals, type Interval } from '../../common/time/intervals.js';
import { readRange, type DateRange } from '../../common/time/range.js';
import { type Filter } from '../../filters/filter.js';
import { filtersOf, readEntities, type Entity } from '../asking/entity.js';
import { anyEvent, readCommonFilter } from '../asking/common.js';
import { demandFields, integerField } from '../asking/fields.js';
import { type Params } from '../asking/question-params.js';

export const stickinessPeriods = ['current', 'previous'] as const;

export const comparisons = ['exact', 'gte', 'lte'] as const;

export interface StickinessCriteria {
  readonly operator: (typeof comparisons)[number];
  readonly value: number;
}

export interface StickinessQuery {
  readonly series: readonly Entity[];
  readonly interval: Interval;
  readonly range: DateRange;
  readonly filter: Filter;
  /** How many events make a person active in an interval. */
  readonly criteria: StickinessCriteria;
  readonly compare: boolean;
  /** Whose persons: of this series over this period, active on exactly so many intervals; null: on any number. */
  readonly selected: {
    readonly series: number;
    readonly period: (typeof stickinessPeriods)[number];
    readonly activeIntervals: number | null;
  };
}

export const readStickiness = (params: Params, project: ProjectContext, now: Date): StickinessQuery => {
  const entities = readEntities(params.json('events'), 'events');
  const series = entities.length > 0 ? entities : [anyEvent];
  const interval = params.choice('interval', intervals, 'day');
  const compare = params.boolean('compare');
  return {
    series,
    interval,
    range: readRange({ date_from: params.text('date_from'), date_to: params.text('date_to') }, interval, now, project, {
      wholeDays: true,
    }),
    filter: readCommonFilter(params, project),
    criteria: readCriteria(params.json('stickiness_criteria')),
    compare,
    selected: {
      series: params.integer('series', { min: 0, max: series.length - 1, fallback: 0 }),
      period: readPeriod(params, compare),
      activeIntervals:
        params.optionalInteger('stickiness_days', { min: 1, max: 10_000 }) ??
        params.optionalInteger('selected_interval', { min: 1, max: 10_000 }) ??
        null,
    },
  };
};

const readPeriod = (params: Params, compare: boolean): (typeof stickinessPeriods)[number] => {
  const period = params.choice('compare_label', stickinessPeriods, 'current');
  if (period === 'previous' && !compare)
    throw invalidInput('compare_label previous needs compare=true', 'compare_label');
  return period;
};

const readCriteria = (given: unknown): StickinessCriteria => {
  if (given === undefined) return { operator: 'gte', value: 1 };
  const fields = demandFields(given, 'stickiness_criteria', ['operator', 'value']);
  const operator = comparisons.find((known) => known === (fields.operator ?? 'gte'));
  if (operator === undefined) {
    throw invalidInput(`operator must be one of ${comparisons.join(', ')}`, 'stickiness_criteria.operator');
  }
  return { operator, value: integerField(fields, 'value', 'stickiness_criteria', { min: 1, max: 1_000_000 }) ?? 1 };
};

export const filtersOfStickiness = ({ filter, series }: StickinessQuery): Filter[] => [filter, ...filtersOf(series)];
