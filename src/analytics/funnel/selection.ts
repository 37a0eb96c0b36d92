import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { requireValueOf, type Breakdown } from '../shared/breakdown.js';
import { readBreakdownValue } from '../shared/breakdown.parameters.js';
import { type Params } from '../../filters/asking/questions.js';
import { funnelParameters } from './funnel.parameters.js';

/** The number of steps that an actor reached: at least a number, or exactly one of several numbers. */
export type Reached =
  | { readonly atLeast: number }
  /** `droppedOff`: the question is about the step that these actors did not take. */
  | { readonly exactly: readonly number[]; readonly droppedOff: boolean };

/** The persons behind a funnel that the request selects. */
export interface Selection {
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

export const readSelection = (params: Params, context: SelectionContext): Selection => ({
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
