import { invalidInput } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { intervals, type Interval } from '../../common/time/intervals.js';
import { readRange, type DateRange } from '../../common/time/range.js';
import { type Filter } from '../../filters/filter.js';
import { filterOfBreakdown, readBreakdown, type Breakdown } from '../asking/breakdown.js';
import { readCommonFilter } from '../asking/common.js';
import { filtersOf, readEntities, type Entity } from '../asking/entity.js';
import { type Params } from '../asking/question-params.js';
import { readExclusions, type Exclusion } from './exclusions.js';
import { orderTypes, type OrderType } from './order-type.js';
import { readSelection, type Selection } from './selection.js';

export const vizTypes = ['steps', 'time_to_convert', 'trends'] as const;
export const attributionTypes = ['first_touch', 'last_touch', 'all_events', 'step'] as const;
export const maxSteps = 20;
export const maxBins = 1000;

/** Whose value of the breakdown property counts: for a step, that of the event which converted it. */
export type Attribution =
  { readonly type: 'first_touch' | 'last_touch' | 'all_events' } | { readonly type: 'step'; readonly step: number };

/** What makes a funnel, whatever is asked about it. */
export interface FunnelDefinition {
  readonly steps: readonly Entity[];
  readonly orderType: OrderType;
  /** Counted from the first step's event, its end included. */
  readonly windowMs: number;
  readonly exclusions: readonly Exclusion[];
  readonly filter: Filter;
}

export interface FunnelQuery extends FunnelDefinition {
  readonly interval: Interval;
  readonly range: DateRange;
  readonly viz: (typeof vizTypes)[number];
  /** Places of the steps, from 0, between which conversion is looked at. */
  readonly between: { readonly from: number; readonly to: number };
  readonly binCount: number | null;
  readonly breakdown: Breakdown | null;
  readonly attribution: Attribution;
  readonly selection: Selection;
}

export const readFunnel = (params: Params, project: ProjectContext, now: Date): FunnelQuery => {
  const interval = params.choice('interval', intervals, 'day');
  const definition = readDefinition(params, project);
  const breakdown = readBreakdown(params);
  const last = Math.max(0, definition.steps.length - 1);
  return {
    ...definition,
    interval,
    range: readRange({ date_from: params.text('date_from'), date_to: params.text('date_to') }, interval, now, project),
    viz: params.choice('funnel_viz_type', vizTypes, 'steps'),
    between: readBetween(params, last),
    binCount: params.optionalInteger('bin_count', { min: 1, max: maxBins }) ?? null,
    breakdown,
    attribution: readAttribution(params, last),
    selection: readSelection(params, { steps: definition.steps.length, breakdown, now, project }),
  };
};

const readDefinition = (params: Params, project: ProjectContext): FunnelDefinition => {
  const steps = readEntities(params.json('events'), 'events');
  if (steps.length > maxSteps) {
    throw invalidInput(`events must have at most ${maxSteps} steps: ask about a part of the way`, 'events');
  }
  const orderType = params.choice('funnel_order_type', orderTypes, 'ordered');
  return {
    steps,
    orderType,
    windowMs: readWindow(params),
    exclusions: readExclusions(params.json('exclusions'), steps.length, orderType),
    filter: readCommonFilter(params, project),
  };
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

export const windowUnits = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;
export const maxWindowInterval = 1_000_000;
const maxWindowMs = 100 * 365 * dayMs;

const readWindow = (params: Params): number => {
  const unit = params.choice('funnel_window_interval_unit', windowUnits, 'day');
  const limits = { min: 1, max: maxWindowInterval };
  const days = params.optionalInteger('funnel_window_days', limits);
  const length = params.optionalInteger('funnel_window_interval', limits);
  const windowMs = length === undefined ? (days ?? 14) * dayMs : length * unitMs[unit];
  if (windowMs > maxWindowMs)
    throw invalidInput('a funnel’s window must be at most 100 years', 'funnel_window_interval');
  return windowMs;
};

const readBetween = (params: Params, last: number): { from: number; to: number } => {
  const from = params.integer('funnel_from_step', { min: 0, max: last, fallback: 0 });
  const to = params.integer('funnel_to_step', { min: 0, max: last, fallback: last });
  if (from >= to && last > 0) {
    throw invalidInput('funnel_from_step must be before funnel_to_step; both count from 0', 'funnel_from_step');
  }
  return { from, to };
};

const readAttribution = (params: Params, last: number): Attribution => {
  const type = params.choice('breakdown_attribution_type', attributionTypes, 'first_touch');
  if (type !== 'step') return { type };
  return { type, step: params.integer('breakdown_attribution_value', { min: 0, max: last, fallback: 0 }) };
};

/** Everything that the scope of the question has to look up. */
export const filtersOfFunnel = ({ filter, steps, exclusions, breakdown }: FunnelQuery): Filter[] => [
  filter,
  ...filtersOf(steps),
  ...filtersOf(exclusions.map(({ entity }) => entity)),
  filterOfBreakdown(breakdown),
];
