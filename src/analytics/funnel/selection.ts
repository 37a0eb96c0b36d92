import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Params } from '../../filters/asking/questions.js';
import { type Breakdown, requireValueOf } from '../shared/breakdown.js';
import { readBreakdownValue } from '../shared/breakdown.parameters.js';
import { funnelParameters } from './funnel.parameters.js';
import { indexesOf, requiredIndex, type FunnelSteps } from './optional-steps.js';

/** The number of steps that an actor reached: at least a number, or exactly one of several numbers. */
export type Reached =
  | { readonly atLeast: number }
  /** `droppedOff`: the question is about the step that these actors did not take. */
  | { readonly exactly: readonly number[]; readonly droppedOff: boolean };

/** The persons behind a funnel that the request selects. */
export interface Selection {
  readonly reached: Reached;
  /** Only persons who took this optional step, or only persons who did not. */
  readonly optional: { readonly at: number; readonly isTaken: boolean } | null;
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
  readonly definition: FunnelSteps;
  readonly breakdown: Breakdown | null;
  readonly now: Date;
  readonly project: ProjectContext;
}

export const readSelection = (params: Params, context: SelectionContext): Selection => ({
  ...readReached(params, context.definition),
  value: readValue(params, context.breakdown),
  entrance: readEntrance(params, context),
  times: readTimes(params),
});

const readReached = (params: Params, definition: FunnelSteps): Pick<Selection, 'reached' | 'optional'> => {
  const read = params.reader(funnelParameters);
  const indexes = indexesOf(definition);
  const steps = indexes.length;
  const custom = read('funnel_custom_steps', steps);
  const step = read('funnel_step');
  if (steps > 0 && (step === 0 || step === -1 || Math.abs(step) > steps)) {
    throw invalidInput(
      `funnel_step must be ${upTo(1, steps)} for persons who reached that step, or ${upTo(-2, -steps)} for persons who dropped off before that step`,
      'funnel_step',
    );
  }
  if (custom !== null) {
    const exactly = custom.map((number) => requiredIndex(indexes, number - 1, 'funnel_custom_steps') + 1);
    return { reached: { exactly, droppedOff: false }, optional: null };
  }
  const index = indexes[Math.abs(step) - 1] ?? { required: Math.abs(step) - 1 };
  if ('required' in index) {
    const reached = step > 0 ? { atLeast: index.required + 1 } : { exactly: [index.required], droppedOff: true };
    return { reached, optional: null };
  }
  const before = definition.optional[index.optional]?.after ?? 0;
  return { reached: { atLeast: before + 1 }, optional: { at: index.optional, isTaken: step > 0 } };
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
