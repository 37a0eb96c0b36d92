import { invalidInput } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { demandDate } from '../../common/time/dates.js';
import { demandBreakdown, readBreakdownValue, type Breakdown } from '../asking/breakdown.js';
import { type Params } from '../asking/question-params.js';

/** How far an actor got: at least so many steps, or exactly one of these numbers. */
export type Reached = { readonly atLeast: number } | { readonly exactly: readonly number[] };

/** Which of the persons behind a funnel. */
export interface Selection {
  readonly reached: Reached;
  /** Of this value of the breakdown. */
  readonly value: readonly string[] | null;
  /** Who entered in the interval around this moment, and converted or dropped off. */
  readonly entrance: { readonly at: Date; readonly dropOff: boolean } | null;
}

interface Asked {
  readonly steps: number;
  readonly breakdown: Breakdown | null;
  readonly now: Date;
  readonly project: ProjectContext;
}

export const readSelection = (params: Params, asked: Asked): Selection => ({
  reached: readReached(params, asked.steps),
  value: readValue(params, asked.breakdown),
  entrance: readEntrance(params, asked),
});

const readReached = (params: Params, steps: number): Reached => {
  const custom = readCustomSteps(params, steps);
  const step = params.integer('funnel_step', { min: -99, max: 99, fallback: 1 });
  if (steps > 0 && (step === 0 || step === -1 || Math.abs(step) > steps)) {
    throw invalidInput(
      `funnel_step must be 1 to ${steps} for those who reached that step, or -2 to -${steps} for those who dropped off before it`,
      'funnel_step',
    );
  }
  if (custom !== null) return { exactly: custom };
  return step > 0 ? { atLeast: step } : { exactly: [-step - 1] };
};

const readCustomSteps = (params: Params, steps: number): readonly number[] | null => {
  const given = params.texts('funnel_custom_steps');
  if (given === undefined) return null;
  const numbers = given.map((text, at) => {
    const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (number >= 1 && (number <= steps || steps === 0)) return number;
    throw invalidInput(`funnel_custom_steps must hold numbers of steps, 1 to ${steps}`, `funnel_custom_steps.${at}`);
  });
  return numbers.length === 0 ? null : [...new Set(numbers)];
};

const readValue = (params: Params, breakdown: Breakdown | null): readonly string[] | null => {
  const name = params.raw('funnel_step_breakdown') === undefined ? 'breakdown_value' : 'funnel_step_breakdown';
  const value = readBreakdownValue(params, name);
  if (value === null) return null;
  const asked = demandBreakdown(breakdown);
  const length = asked.kind === 'property' ? asked.keys.length : 1;
  if (value.length === length || isOther(value)) return value;
  throw invalidInput(`${name} must be one value for each property of the breakdown, ${length} in all`, name);
};

/** What stands for all values beyond the limit. */
export const otherValue: readonly string[] = ['Other'];

export const isOther = (value: readonly string[]): boolean => value.length === 1 && value[0] === otherValue[0];

const readEntrance = (params: Params, { now, project }: Asked): Selection['entrance'] => {
  const dropOff = params.boolean('drop_off');
  const text = params.text('entrance_period_start');
  if (text === undefined) return null;
  return { at: demandDate(text, 'entrance_period_start', now, project).at.toJSDate(), dropOff };
};
