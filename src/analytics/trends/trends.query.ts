import { invalidInput, required } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { demandDate } from '../../common/time/dates.js';
import { intervals, type Interval } from '../../common/time/intervals.js';
import { readRange, type DateRange } from '../../common/time/range.js';
import { type Filter } from '../../filters/filter.js';
import { filterOfBreakdown, readBreakdown, readBreakdownValue, type Breakdown } from '../asking/breakdown.js';
import { anyEvent, readCommonFilter } from '../asking/common.js';
import { filtersOf, readEntities, type Entity, type ReadEntity } from '../asking/entity.js';
import { type Params } from '../asking/question-params.js';
import { parseFormula, type Formula } from './formula.js';
import { isMath, mathName, mathNames, readMath, type Maths } from './math.js';

export interface TrendsSeries extends Entity {
  readonly math: Maths;
}

/** A number for each point, a running sum, or one for the whole range. */
export type Display = 'points' | 'cumulative' | 'total';

export const displays = {
  ActionsLineGraph: 'points',
  ActionsLineGraphCumulative: 'cumulative',
  ActionsBar: 'points',
  ActionsAreaGraph: 'points',
  ActionsBarValue: 'total',
  ActionsPie: 'total',
  ActionsTable: 'total',
  BoldNumber: 'total',
  WorldMap: 'total',
} as const satisfies Record<string, Display>;

type DisplayName = keyof typeof displays;

export const comparedPeriods = ['current', 'previous'] as const;

/** Whose persons: of a series, at a point (null: at any) and of a breakdown value (null: of any). */
export interface TrendsSelection {
  readonly series: number;
  readonly day: Date | null;
  readonly value: readonly string[] | null;
  /** Null: wherever the day lies. */
  readonly period: (typeof comparedPeriods)[number] | null;
}

export interface TrendsQuery {
  readonly series: readonly TrendsSeries[];
  readonly interval: Interval;
  readonly range: DateRange;
  readonly filter: Filter;
  readonly breakdown: Breakdown | null;
  readonly formula: Formula | null;
  readonly display: Display;
  readonly compare: boolean;
  /** So many points up to each are averaged. */
  readonly smoothing: number;
  readonly selected: TrendsSelection;
}

const worldMapLimit = 300;

export const readTrends = (params: Params, project: ProjectContext, now: Date): TrendsQuery => {
  const entities = readTrendsEntities(params);
  const series = entities.map((entity): TrendsSeries => ({ ...entity, math: readMath(entity) }));
  const interval = params.choice('interval', intervals, 'day');
  const shown = params.choice('display', Object.keys(displays) as DisplayName[], 'ActionsLineGraph');
  const breakdown = readBreakdown(params);
  const isMapDefault = breakdown !== null && shown === 'WorldMap' && !params.has('breakdown_limit');
  const formula = params.text('formula');
  const compare = params.boolean('compare');
  return {
    series: series.length > 0 ? series : [{ ...anyEvent, math: { kind: 'total' } }],
    interval,
    range: readRange({ date_from: params.text('date_from'), date_to: params.text('date_to') }, interval, now, project),
    filter: readCommonFilter(params, project),
    breakdown: isMapDefault ? { ...breakdown, limit: worldMapLimit } : breakdown,
    formula: formula === undefined ? null : parseFormula(formula, Math.max(1, series.length)),
    display: displays[shown],
    compare,
    smoothing: params.integer('smoothing_intervals', { min: 1, max: 28, fallback: 1 }),
    selected: {
      series: readSelectedSeries(params, entities),
      day: readDay(params, displays[shown], project, now),
      value: readValue(params, breakdown),
      period: readPeriod(params, compare),
    },
  };
};

/** `entity_id` without `events` is a question about that one event. */
const readTrendsEntities = (params: Params): ReadEntity[] => {
  const entities = readEntities(params.json('events'), 'events');
  const id = params.text('entity_id');
  if (entities.length > 0 || id === undefined) return entities;
  return readEntities([{ id, math: readEntityMath(params) ?? 'total' }], 'events');
};

const readEntityMath = (params: Params): string | undefined => {
  const math = params.text('entity_math');
  if (math !== undefined && !isMath(math)) {
    throw invalidInput(`entity_math must be one of ${mathNames.join(', ')}`, 'entity_math');
  }
  return math;
};

const readSelectedSeries = (params: Params, entities: readonly ReadEntity[]): number => {
  const count = Math.max(1, entities.length);
  const series = params.optionalInteger('series', { min: 0, max: count - 1 });
  const id = params.text('entity_id');
  const math = readEntityMath(params);
  const order = params.optionalInteger('entity_order', { min: 0, max: 1000 });
  if (series !== undefined || (id === undefined && math === undefined && order === undefined)) return series ?? 0;
  const found = entities.findIndex(
    (entity) =>
      (id === undefined || entity.name === id || entity.parts.some(({ event }) => event === id)) &&
      (order === undefined || entity.order === order) &&
      (math === undefined || mathName(entity) === math),
  );
  if (found >= 0) return found;
  const attr = id === undefined ? (order === undefined ? 'entity_math' : 'entity_order') : 'entity_id';
  throw invalidInput(`${attr} must name one of the events, together with entity_math and entity_order if given`, attr);
};

const readDay = (params: Params, display: Display, project: ProjectContext, now: Date): Date | null => {
  const day = params.text('day');
  if (day === undefined) return null;
  if (display === 'total') throw invalidInput('day needs a display with points; this one has a single number', 'day');
  return demandDate(day, 'day', now, project).at.toJSDate();
};

const readValue = (params: Params, breakdown: Breakdown | null): readonly string[] | null => {
  const value = readBreakdownValue(params);
  if (value === null) return null;
  if (breakdown === null) {
    if (!params.has('breakdown_value')) return null;
    throw required('breakdown');
  }
  if (
    breakdown.kind === 'cohort' &&
    !breakdown.cohorts.some((cohort) => value.length === 1 && String(cohort) === value[0])
  ) {
    throw invalidInput('breakdown_value must be one of the cohorts of breakdown', 'breakdown_value');
  }
  const parts = breakdown.kind === 'property' ? breakdown.keys.length : 1;
  if (value.length !== parts && !isRest(value)) {
    throw invalidInput(`breakdown_value must have ${parts} values, one for each key of breakdown`, 'breakdown_value');
  }
  return value;
};

export const restName = 'Other';

export const isRest = (value: readonly string[]): boolean => value.length === 1 && value[0] === restName;

const readPeriod = (params: Params, compare: boolean): TrendsSelection['period'] => {
  const period = params.optionalChoice('compare_label', comparedPeriods) ?? null;
  if (period === 'previous' && !compare)
    throw invalidInput('compare_label previous needs compare=true', 'compare_label');
  return period;
};

export const filtersOfTrends = ({ filter, series, breakdown }: TrendsQuery): Filter[] => [
  filter,
  ...filtersOf(series),
  filterOfBreakdown(breakdown),
];
