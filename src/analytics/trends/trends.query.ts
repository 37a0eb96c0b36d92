import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Interval } from '../../platform/time/intervals.js';
import { type DateRange } from '../../platform/time/range.js';
import { type Filter } from '../../filters/reading/filter.js';
import { type NamedGroupType } from '../../filters/checks/filter-checks.js';
import { type NamedProperty } from '../../filters/warnings/unknown-properties.js';
import {
  expressionsOfBreakdown,
  filterOfBreakdown,
  groupTypesOfBreakdown,
  propertiesOfBreakdown,
  type Breakdown,
} from '../shared/breakdown.js';
import { readBreakdown, readSelectedValue } from '../shared/breakdown.parameters.js';
import {
  anyEvent,
  readCommonFilter,
  readGroupType,
  readMathGroupType,
  readQuestionRange,
} from '../shared/common.parameters.js';
import { type PeriodComparison, type comparedPeriods, readComparison } from '../shared/comparison.js';
import { type Entity, type ReadEntity, filtersOf } from '../shared/entity.js';
import { type Params } from '../../filters/asking/questions.js';
import { readSelectedSeries, readSeries, type EntityMath } from '../shared/selected-series.js';
import { type WrittenExpression } from '../../sql/ask/event-expressions.js';
import { parseFormula, type Formula } from './formula.js';
import { type Display, type Maths, displays, mathName, readMath, trendsParameters } from './trends.parameters.js';

export interface TrendsSeries extends Entity {
  readonly math: Maths;
  /** The index of the type of the groups that the series counts, and lists; null: it counts persons. */
  readonly groupType: number | null;
}

/** The type of the groups of whom the numbers of a series are; null for numbers of persons, events, sessions and properties. */
export const countedType = ({ math, groupType }: TrendsSeries): number | null =>
  ['total', 'property', 'session', 'expression'].includes(math.kind) ? null : groupType;

/** The selected persons: those of a series, at a point (null: any point) and with a breakdown value (null: any value). */
export interface TrendsSelection {
  readonly series: number;
  readonly day: Date | null;
  readonly value: readonly string[] | null;
  /** Null: the period that contains the day. */
  readonly period: (typeof comparedPeriods)[number] | null;
}

export interface TrendsQuery extends PeriodComparison {
  readonly series: readonly TrendsSeries[];
  readonly interval: Interval;
  readonly range: DateRange;
  readonly filter: Filter;
  readonly breakdown: Breakdown | null;
  readonly formula: Formula | null;
  readonly display: Display;
  /** The number of points that are averaged. */
  readonly smoothing: number;
  readonly selected: TrendsSelection;
  readonly groupType: number | null;
  /** The types of groups that series and the breakdown name. */
  readonly namedTypes: readonly NamedGroupType[];
  readonly written: readonly WrittenExpression[];
}

const worldMapLimit = 300;

export const readTrends = (params: Params, project: ProjectContext, now: Date): TrendsQuery => {
  const read = params.reader(trendsParameters);
  const entityMath = readEntityMath(params);
  const entities = readSeries(params, entityMath);
  const interval = read('interval');
  const displayName = read('display');
  const display = displays[displayName];
  const groupType = readGroupType(params);
  const series = entities.map((entity): TrendsSeries => ({
    ...entity,
    math: mathAt(readMath(entity), interval, display),
    groupType: readMathGroupType(entity) ?? groupType,
  }));
  const breakdown = readBreakdown(params);
  const isMapDefault = breakdown !== null && displayName === 'WorldMap' && !params.has('breakdown_limit');
  const formula = read('formula');
  const comparison = readComparison(params);
  return {
    series: series.length > 0 ? series : [{ ...anyEvent, math: { kind: 'total' }, groupType }],
    groupType,
    written: [...entities.flatMap(expressionOfMath), ...expressionsOfBreakdown(breakdown)],
    namedTypes: [...entities.flatMap(typeOfMath), ...groupTypesOfBreakdown(breakdown)],
    interval,
    range: readQuestionRange(params, interval, now, project),
    filter: readCommonFilter(params, project),
    breakdown: isMapDefault ? { ...breakdown, limit: worldMapLimit } : breakdown,
    formula: formula === null ? null : parseFormula(formula, Math.max(1, series.length)),
    display,
    ...comparison,
    smoothing: read('smoothing_intervals'),
    selected: {
      series: readSelectedSeries(params, entities, entityMath),
      day: readDay(params, display, project, now),
      value: readSelectedValue(params, breakdown),
      period: readPeriod(params, comparison.compare),
    },
  };
};

const typeOfMath = (entity: ReadEntity): NamedGroupType[] => {
  const index = readMathGroupType(entity);
  return index === null ? [] : [{ index, at: `${entity.attr}.math_group_type_index` }];
};

const expressionOfMath = (entity: ReadEntity): WrittenExpression[] => {
  const math = readMath(entity);
  if (math.kind !== 'expression') return [];
  return [{ use: 'aggregate', text: math.text, attr: `${entity.attr}.math_hogql` }];
};

/**
 * For each number of days of a math, the intervals that are at least as long: there the math counts the persons of the
 * interval.
 */
const spannedBy: Readonly<Record<number, readonly Interval[]>> = { 7: ['week', 'month'], 30: ['month'] };

/** The math at the points of an axis. */
const mathAt = (math: Maths, interval: Interval, display: Display): Maths =>
  math.kind === 'reach' && display !== 'total' && spannedBy[math.days]?.includes(interval) ? { kind: 'dau' } : math;

const readEntityMath = (params: Params): EntityMath => ({
  selected: params.reader(trendsParameters)('entity_math'),
  nameOf: mathName,
});

const readDay = (params: Params, display: Display, project: ProjectContext, now: Date): Date | null => {
  if (!params.has('day')) return null;
  if (display === 'total') throw invalidInput('day needs a display with points; this one has a single number', 'day');
  return params.reader(trendsParameters)('day', now, project)?.at.toJSDate() ?? null;
};

const readPeriod = (params: Params, compare: boolean): TrendsSelection['period'] => {
  const period = params.reader(trendsParameters)('compare_label');
  if (period === 'previous' && !compare)
    throw invalidInput('compare_label previous needs compare=true', 'compare_label');
  return period;
};

export const filtersOfTrends = ({ filter, series, breakdown }: TrendsQuery): Filter[] => [
  filter,
  ...filtersOf(series),
  // First times are those of actors: they have no event that names a group.
  filterOfBreakdown(
    breakdown,
    series.flatMap(({ math, groupType }) => (math.kind === 'first' ? [groupType] : [])),
  ),
];

/** The properties that the question names outside filters. */
export const propertiesOfTrends = ({ series, breakdown }: TrendsQuery): NamedProperty[] => [
  ...series.flatMap(({ math }) =>
    math.kind === 'property' ? [{ source: 'event' as const, key: math.key, in: 'math' as const }] : [],
  ),
  ...propertiesOfBreakdown(breakdown),
];
