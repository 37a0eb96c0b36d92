import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Interval } from '../../platform/time/intervals.js';
import { type DateRange } from '../../platform/time/range.js';
import { type Filter } from '../../filters/reading/filter.js';
import { filterOfBreakdown, type Breakdown } from '../shared/breakdown.js';
import { readBreakdown } from '../shared/breakdown.parameters.js';
import { readCommonFilter, readQuestionRange } from '../shared/common.js';
import { type Entity, filtersOf } from '../shared/entity.js';
import { readEventsAndActions } from '../shared/events-and-actions.js';
import { type Params } from '../../filters/asking/questions.js';
import { maxFunnelSteps, type Exclusion } from './exclusions.js';
import { funnelParameters, maxWindowDays, type vizTypes } from './funnel.parameters.js';
import { type OrderType } from './order-type.js';
import { readSelection, type Selection } from './selection.js';

/** The event whose value of the breakdown property counts; `step`: the event that converted this step. */
export type Attribution =
  | { readonly type: 'first_touch' | 'last_touch' | 'all_events' }
  | { readonly type: 'step'; readonly step: number };

/** The definition of a funnel, independent of the question about the funnel. */
export interface FunnelDefinition {
  readonly steps: readonly Entity[];
  readonly orderType: OrderType;
  /** The longest time from the event of the first step to that of the last step, inclusive. */
  readonly windowMs: number;
  readonly exclusions: readonly Exclusion[];
  readonly filter: Filter;
}

export interface FunnelQuery extends FunnelDefinition {
  readonly interval: Interval;
  readonly range: DateRange;
  readonly viz: (typeof vizTypes)[number];
  /** The indexes of the two steps, from 0, between which conversion is measured. */
  readonly between: { readonly from: number; readonly to: number };
  readonly binCount: number | null;
  readonly breakdown: Breakdown | null;
  readonly attribution: Attribution;
  readonly selection: Selection;
}

export const readFunnel = (params: Params, project: ProjectContext, now: Date): FunnelQuery => {
  const read = params.reader(funnelParameters);
  const interval = read('interval');
  const definition = readDefinition(params, project);
  const breakdown = readBreakdown(params);
  const last = Math.max(0, definition.steps.length - 1);
  return {
    ...definition,
    interval,
    range: readQuestionRange(params, interval, now, project),
    viz: read('funnel_viz_type'),
    between: readBetween(params, last),
    binCount: read('bin_count'),
    breakdown,
    attribution: readAttribution(params, last),
    selection: readSelection(params, { steps: definition.steps.length, breakdown, now, project }),
  };
};

const readDefinition = (params: Params, project: ProjectContext): FunnelDefinition => {
  const read = params.reader(funnelParameters);
  const steps = readSteps(params);
  const orderType = read('funnel_order_type');
  return {
    steps,
    orderType,
    windowMs: readWindow(params),
    exclusions: read('exclusions', steps, orderType, params.actions),
    filter: readCommonFilter(params, project),
  };
};

const readSteps = (params: Params): Entity[] => {
  const steps = readEventsAndActions(params);
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

const readAttribution = (params: Params, last: number): Attribution => {
  const read = params.reader(funnelParameters);
  const type = read('breakdown_attribution_type');
  if (type !== 'step') return { type };
  return { type, step: read('breakdown_attribution_value', last) };
};

/** All filters that the question scope must resolve. */
export const filtersOfFunnel = ({ filter, steps, exclusions, breakdown }: FunnelQuery): Filter[] => [
  filter,
  ...filtersOf(steps),
  ...filtersOf(exclusions.map(({ entity }) => entity)),
  filterOfBreakdown(breakdown),
];
