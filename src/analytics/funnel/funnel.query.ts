import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import {
  type Breakdown,
  filterOfBreakdown,
  groupTypesOfBreakdown,
  refuseCohortsOfGroups,
  requireValueOf,
} from '../shared/breakdown.js';
import { type NamedGroupType } from '../../filters/checks/filter-checks.js';
import { readBreakdown, readBreakdownValue } from '../shared/breakdown.parameters.js';
import { type Params } from '../../filters/asking/questions.js';
import { type Exclusion, funnelParameters, maxFunnelSteps, maxWindowDays, type vizTypes } from './funnel.parameters.js';
import { type Interval } from '../../platform/time/intervals.js';
import { type DateRange } from '../../platform/time/range.js';
import { type Filter } from '../../filters/reading/filter.js';
import {
  readCommonFilter,
  readEventsAndActions,
  readGroupType,
  readQuestionRange,
} from '../shared/common.parameters.js';
import { type Entity, filtersOf } from '../shared/entity.js';
import { type OrderType } from './order-type.js';

/** The number of steps that an actor reached: at least a number, or exactly one of several numbers. */
export type Reached =
  | { readonly atLeast: number }
  /** `droppedOff`: the question is about the step that these actors did not take. */
  | { readonly exactly: readonly number[]; readonly droppedOff: boolean };

/** The persons behind a funnel that the request selects. */
interface Selection {
  readonly reached: Reached;
  /** Only persons with this breakdown value; null: all values. */
  readonly value: readonly string[] | null;
  /** Only persons who entered in the interval that contains this moment, and converted or dropped off. */
  readonly entrance: { readonly at: Date; readonly dropOff: boolean } | null;
  /** Only persons who converted in at least `from` and in less than `to` seconds. */
  readonly times: ConversionTimes | null;
}

export interface ConversionTimes {
  readonly from: number;
  readonly to: number | null;
}

interface SelectionContext {
  readonly steps: number;
  readonly breakdown: Breakdown | null;
  readonly now: Date;
  readonly project: ProjectContext;
}

const readSelection = (params: Params, context: SelectionContext): Selection => ({
  reached: readReached(params, context.steps),
  value: readValue(params, context.breakdown),
  entrance: readEntrance(params, context),
  times: readTimes(params),
});

const readReached = (params: Params, steps: number): Reached => {
  const read = params.reader(funnelParameters);
  const custom = read('funnel_custom_steps', steps);
  const step = read('funnel_step');
  if (steps > 0 && (step === 0 || step === -1 || Math.abs(step) > steps)) {
    throw invalidInput(
      `funnel_step must be ${upTo(1, steps)} for persons who reached that step, or ${upTo(-2, -steps)} for persons who dropped off before that step`,
      'funnel_step',
    );
  }
  if (custom !== null) return { exactly: custom, droppedOff: false };
  return step > 0 ? { atLeast: step } : { exactly: [-step - 1], droppedOff: true };
};

const upTo = (first: number, last: number): string =>
  Math.abs(first) < Math.abs(last) ? `${first} to ${last}` : String(first);

const readValue = (params: Params, breakdown: Breakdown | null): readonly string[] | null => {
  const name = params.raw('funnel_step_breakdown') === undefined ? 'breakdown_value' : 'funnel_step_breakdown';
  const value = readBreakdownValue(params, name);
  return value && requireValueOf(breakdown, value, name);
};

const readEntrance = (params: Params, { now, project }: SelectionContext): Selection['entrance'] => {
  const read = params.reader(funnelParameters);
  const dropOff = read('drop_off');
  const entrance = read('entrance_period_start', now, project);
  return entrance && { at: entrance.at.toJSDate(), dropOff };
};

const readTimes = (params: Params): ConversionTimes | null => {
  const read = params.reader(funnelParameters);
  const [from, to] = [read('conversion_time_from'), read('conversion_time_to')];
  if (from === null && to === null) return null;
  if (to !== null && (from ?? 0) >= to)
    throw invalidInput('conversion_time_to must be greater than conversion_time_from', 'conversion_time_to');
  return { from: from ?? 0, to };
};

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
  /** The index of the type of the groups that the question counts; null: it counts persons. */
  readonly groupType: number | null;
  /** The types of groups that the breakdown names. */
  readonly namedTypes: readonly NamedGroupType[];
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
  const groupType = readGroupType(params);
  refuseCohortsOfGroups(breakdown, groupType);
  const last = Math.max(0, definition.steps.length - 1);
  return {
    ...definition,
    groupType,
    namedTypes: groupTypesOfBreakdown(breakdown),
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
