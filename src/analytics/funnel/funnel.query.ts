import { invalidInput, type Problem } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import {
  type Breakdown,
  cohortParts,
  expressionsOfBreakdown,
  filterOfBreakdown,
  groupTypesOfBreakdown,
} from '../shared/breakdown.js';
import { type WrittenExpression } from '../../sql/ask/event-expressions.js';
import { type NamedGroupType } from '../../filters/checks/filter-checks.js';
import { readBreakdown } from '../shared/breakdown.parameters.js';
import { type ComparedPeriod, type PeriodComparison, readComparison, readPeriod } from '../shared/comparison.js';
import { type Params } from '../../filters/asking/questions.js';
import {
  type Exclusion,
  excludes,
  funnelParameters,
  maxFunnelSteps,
  maxWindowDays,
  type vizTypes,
} from './funnel.parameters.js';
import { type Interval } from '../../platform/time/intervals.js';
import { type DateRange } from '../../platform/time/range.js';
import { type Filter } from '../../filters/reading/filter.js';
import {
  readCommonFilter,
  readEventsAndActions,
  readGroupType,
  readQuestionRange,
} from '../shared/common.parameters.js';
import { type ReadEntity, filtersOf } from '../shared/entity.js';
import { firstTimeMath } from '../shared/entity-fields.js';
import {
  indexesOf,
  isOptional,
  refusal,
  requiredIndex,
  splitSteps,
  type FunnelSteps,
  type StepIndex,
} from './optional-steps.js';
import { type OrderType } from './order-type.js';
import { readSelection, type Selection } from './selection.js';

/** The event whose value of the breakdown property counts; `step`: the event that converted this step. */
export type Attribution =
  | { readonly type: 'first_touch' | 'last_touch' | 'all_events' }
  | { readonly type: 'step'; readonly step: number };

/** The definition of a funnel, independent of the question about the funnel. */
export interface FunnelDefinition extends FunnelSteps {
  readonly orderType: OrderType;
  /** The longest time from the event of the first step to that of the last step, inclusive. */
  readonly windowMs: number;
  readonly exclusions: readonly Exclusion[];
  readonly filter: Filter;
  /** The expression whose values the funnel counts; null: it counts persons or groups. */
  readonly aggregate: string | null;
}

export interface FunnelQuery extends FunnelDefinition, PeriodComparison {
  /** The index of the type of the groups that the question counts; null: it counts persons. */
  readonly groupType: number | null;
  /** The types of groups that the breakdown names. */
  readonly namedTypes: readonly NamedGroupType[];
  readonly written: readonly WrittenExpression[];
  readonly interval: Interval;
  readonly range: DateRange;
  readonly viz: (typeof vizTypes)[number];
  /** The indexes of the two steps, from 0, between which conversion is measured. */
  readonly between: { readonly from: number; readonly to: number };
  readonly binCount: number | null;
  /** True if a trend ends with the last interval whose window has passed. */
  readonly onlyPassed: boolean;
  readonly breakdown: Breakdown | null;
  readonly attribution: Attribution;
  readonly selection: Selection;
  /** The range whose persons are listed. */
  readonly period: ComparedPeriod;
}

export const readFunnel = (params: Params, project: ProjectContext, now: Date): FunnelQuery => {
  const read = params.reader(funnelParameters);
  const interval = read('interval');
  const definition = readDefinition(params, project);
  const breakdown = readBreakdown(params);
  if (definition.aggregate !== null && breakdown !== null && cohortParts(breakdown).length > 0)
    throw aggregateRefusal('is not possible with a breakdown by cohorts: only persons and groups are in cohorts');
  const indexes = indexesOf(definition);
  const last = Math.max(0, indexes.length - 1);
  const viz = read('funnel_viz_type');
  if (definition.optional.length > 0 && viz !== 'steps')
    throw invalidInput('funnel_viz_type must be steps in a funnel with optional steps', 'funnel_viz_type');
  const comparison = readComparison(params);
  if (comparison.compare && viz === 'time_to_convert')
    throw invalidInput('compare is not possible with funnel_viz_type time_to_convert', 'compare');
  return {
    ...definition,
    groupType: readGroupType(params),
    namedTypes: groupTypesOfBreakdown(breakdown),
    written: [...aggregateOf(definition), ...expressionsOfBreakdown(breakdown)],
    interval,
    range: readQuestionRange(params, interval, now, project),
    viz,
    between: readBetween(params, last),
    binCount: read('bin_count'),
    onlyPassed: read('hide_incomplete_conversion_window_periods'),
    breakdown,
    attribution: readAttribution(params, indexes),
    selection: readSelection(params, { definition, breakdown, now, project }),
    ...comparison,
    period: readPeriod(params, comparison),
  };
};

const readDefinition = (params: Params, project: ProjectContext): FunnelDefinition => {
  const read = params.reader(funnelParameters);
  const all = readSteps(params);
  const orderType = read('funnel_order_type');
  const split = splitSteps(all);
  assertOptional(all, orderType);
  return {
    ...split,
    orderType,
    windowMs: readWindow(params),
    exclusions: read('exclusions', all, orderType, params.actions).map((one) => betweenRequired(one, split)),
    filter: readCommonFilter(params, project),
    aggregate: readAggregate(params),
  };
};

/** Expressions for the person of an event, as clients write them. */
const ofPersons = ['', 'person_id', 'person.id'];

const readAggregate = (params: Params): string | null => {
  const text = params.reader(funnelParameters)('funnel_aggregate_by_hogql')?.trim() ?? '';
  if (ofPersons.includes(text)) return null;
  if (readGroupType(params) === null) return text;
  throw aggregateRefusal('is not possible beside aggregation_group_type_index');
};

const aggregateRefusal = (says: string): Problem =>
  invalidInput(`funnel_aggregate_by_hogql ${says}`, 'funnel_aggregate_by_hogql');

const assertOptional = (all: readonly ReadEntity[], orderType: OrderType): void => {
  for (const [at, step] of all.entries()) {
    if (!isOptional(step)) continue;
    if (orderType !== 'ordered') throw refusal(step, 'is for funnels with funnel_order_type ordered');
    const next = all.slice(at + 1).find((one) => !isOptional(one));
    if (next && excludes(next, step))
      throw refusal(step, `must be false: every event of the step is one of the step after it, ${next.name}`);
  }
};

const betweenRequired = (exclusion: Exclusion, steps: FunnelSteps): Exclusion => {
  const indexes = indexesOf(steps);
  return {
    ...exclusion,
    from: requiredIndex(indexes, exclusion.from, 'exclusions'),
    to: requiredIndex(indexes, exclusion.to, 'exclusions'),
  };
};

const readSteps = (params: Params): ReadEntity[] => {
  const steps = readEventsAndActions(params).map((step) =>
    step.fields.math === firstTimeMath ? { ...step, isFirst: true } : step,
  );
  if (steps.length <= maxFunnelSteps) return steps;
  const attr = params.has('events') ? 'events' : 'actions';
  throw invalidInput(`${attr} must have at most ${maxFunnelSteps} steps: ask about a part of the funnel`, attr);
};

const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;

/** A month of a window is 30 days. */
const unitMs = {
  second: secondMs,
  minute: 60 * secondMs,
  hour: 3600 * secondMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
} as const;

const readWindow = (params: Params): number => {
  const read = params.reader(funnelParameters);
  const unit = read('funnel_window_interval_unit');
  const days = read('funnel_window_days');
  const length = read('funnel_window_interval');
  const windowMs = length === null ? days * dayMs : length * unitMs[unit];
  if (windowMs > maxWindowDays * dayMs)
    throw invalidInput('a funnel’s window must be at most 100 years', 'funnel_window_interval');
  return windowMs;
};

const readBetween = (params: Params, last: number): { from: number; to: number } => {
  const read = params.reader(funnelParameters);
  const from = read('funnel_from_step', last);
  const to = read('funnel_to_step', last) ?? last;
  if (from >= to && last > 0) {
    throw invalidInput('funnel_from_step must be before funnel_to_step; both count from 0', 'funnel_from_step');
  }
  return { from, to };
};

const readAttribution = (params: Params, indexes: readonly StepIndex[]): Attribution => {
  const read = params.reader(funnelParameters);
  const type = read('breakdown_attribution_type');
  if (type !== 'step') return { type };
  const step = read('breakdown_attribution_value', Math.max(0, indexes.length - 1));
  return { type, step: requiredIndex(indexes, step, 'breakdown_attribution_value') };
};

const aggregateOf = ({ aggregate }: FunnelDefinition): WrittenExpression[] =>
  aggregate === null ? [] : [{ use: 'value', text: aggregate, attr: 'funnel_aggregate_by_hogql' }];

/** Refuses the list of persons behind the values of an expression: there are as many as values, not as persons. */
export const withoutPersons = ({ aggregate }: FunnelDefinition): Problem | null =>
  aggregate === null
    ? null
    : aggregateRefusal('counts values, so that there is no list of persons: leave it out, or ask with include=insight');

/** Refuses optional steps, values in place of persons and a comparison where the funnel is part of another question. */
export const asPart = (funnel: FunnelQuery): FunnelQuery => {
  if (funnel.aggregate !== null) throw aggregateRefusal('is for a funnel that is the question itself');
  if (funnel.compare) throw invalidInput('compare is for a funnel that is the question itself', 'compare');
  const [step] = funnel.optional;
  if (step === undefined) return funnel;
  throw refusal(step.entity, 'is for the steps of a funnel that is the question itself');
};

/** All filters that the question scope must resolve. */
export const filtersOfFunnel = (query: FunnelQuery): Filter[] => [
  query.filter,
  ...filtersOf([...query.steps, ...[...query.optional, ...query.exclusions].map(({ entity }) => entity)]),
  filterOfBreakdown(query.breakdown, [query.groupType]),
];
