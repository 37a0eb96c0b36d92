import { invalidInput } from '../../common/errors/problem.js';
import {
  booleanParam,
  dateParam,
  integerParam,
  jsonParam,
  choiceParam,
  placeParam,
  type Parameter,
} from '../../common/params/parameter.js';
import { integerOf, readTexts } from '../../common/params/values.js';
import { breakdownParameters, breakdownValueOfStep } from '../asking/breakdown.js';
import { commonParameters } from '../asking/common.parameters.js';
import { readEntities, type Entity } from '../asking/entity.js';
import { maxExclusions, readExclusions } from './exclusions.js';
import { orderTypes } from './order-type.js';

export const vizTypes = ['steps', 'time_to_convert', 'trends'] as const;
export const attributionTypes = ['first_touch', 'last_touch', 'all_events', 'step'] as const;
export const windowUnits = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;
const maxSteps = 20;
/** A number of a step may be given before the steps are. */
const mostSteps = 999;
export const maxBins = 1000;
export const maxWindowDays = 36_500;

const readSteps = (value: unknown, attr: string): Entity[] => {
  const steps = readEntities(value, attr);
  if (steps.length <= maxSteps) return steps;
  throw invalidInput(`${attr} must have at most ${maxSteps} steps: ask about a part of the way`, attr);
};

/** What makes a funnel beside its steps. */
export const funnelShapeParameters = {
  funnel_order_type: choiceParam(orderTypes, {
    description:
      'ordered: each step any time after the one before; strict: as the very next event; unordered: all of them in any order.',
    fallback: 'ordered',
    example: 'ordered',
  }),
  funnel_window_interval: integerParam({
    min: 1,
    max: 1_000_000,
    description: 'How long after the first step the last one may come, the end included; 14 days unless said.',
    example: 14,
  }),
  funnel_window_interval_unit: choiceParam(windowUnits, {
    description: 'Unit of the window; a month is 30 days.',
    fallback: 'day',
    example: 'day',
  }),
  funnel_window_days: integerParam({
    min: 1,
    max: maxWindowDays,
    description: 'The window in days, where `funnel_window_interval` does not say it.',
    fallback: 14,
    example: 14,
  }),
  exclusions: jsonParam(
    {
      description: `Events that spoil an attempt when they come between two steps (places from 0): a list of \`{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}\`, ${maxExclusions} at most.`,
      schema: { type: 'array', items: {}, maxItems: maxExclusions },
      example: [{ id: 'invited teammate', funnel_from_step: 0, funnel_to_step: 1 }],
    },
    readExclusions,
  ),
};

/** What makes a funnel: the questions about one share them. */
export const funnelDefinitionParameters = {
  ...commonParameters,
  events: jsonParam(
    {
      description: `The steps, ${maxSteps} at most, sorted by \`order\`: a list of \`{"id":"signed up"}\`; \`"id":null\` is any event, \`any_of\` in place of \`id\` matches if one of its parts does. Each may have \`name\`, \`order\`, \`properties\`.`,
      schema: { type: 'array', items: {}, maxItems: maxSteps },
      example: [{ id: '$pageview' }, { id: 'signed up' }, { id: 'paid' }],
    },
    readSteps,
  ),
  ...funnelShapeParameters,
};

/** The steps of the question are its bounds; those of the reader hold where there are none. */
export const funnelStep = (description: string): Parameter<number> => ({
  ...integerParam({ description, min: -99, max: 99, fallback: 1, example: 1 }),
  schema: { type: 'integer', default: 1 },
});

/** Numbers of steps, each once; null where none is named. */
const readCustomSteps = (value: unknown, attr: string, steps: number): readonly number[] | null => {
  if (value === undefined) return null;
  const numbers = readTexts(value, attr).map((text, at) => {
    const number = integerOf(text) ?? 0;
    if (number >= 1 && number <= (steps || mostSteps)) return number;
    throw invalidInput(`${attr} must hold numbers of steps, 1 to ${steps}`, `${attr}.${at}`);
  });
  return numbers.length === 0 ? null : [...new Set(numbers)];
};

export const funnelParameters = {
  ...funnelDefinitionParameters,
  ...breakdownParameters,
  breakdown_attribution_type: choiceParam(attributionTypes, {
    description:
      'Which of a person’s events gives the value: the first or last that has one, each of them, or that of a step.',
    fallback: 'first_touch',
    example: 'first_touch',
  }),
  breakdown_attribution_value: placeParam({
    description: 'With attribution by step: its place, from 0.',
    fallback: 0,
    example: 0,
  }),
  funnel_viz_type: choiceParam(vizTypes, {
    description:
      'steps: persons by step; time_to_convert: persons by time taken; trends: conversion by interval of entry.',
    fallback: 'steps',
    example: 'steps',
  }),
  funnel_from_step: placeParam({
    description: 'time_to_convert and trends: place of the first step looked at, from 0.',
    fallback: 0,
    example: 0,
  }),
  funnel_to_step: placeParam({
    description: 'time_to_convert and trends: place of the last step looked at, from 0; the funnel’s last unless said.',
    example: 1,
  }),
  bin_count: integerParam({
    description: 'time_to_convert: how many bins; the cube root of the number of persons unless said.',
    min: 1,
    max: maxBins,
    example: 10,
  }),
  funnel_step: funnelStep('Persons who reached step n, from 1; −n: who took all steps before it and not this one.'),
  funnel_custom_steps: jsonParam(
    {
      description: 'Persons whose last step is one of these numbers, in place of `funnel_step`.',
      schema: { type: 'array', items: { type: 'integer', minimum: 1 } },
      example: [1, 2],
    },
    readCustomSteps,
  ),
  ...breakdownValueOfStep,
  entrance_period_start: dateParam({
    description: 'trends: persons who entered in the interval around this moment.',
    example: '-1d',
  }),
  drop_off: booleanParam({
    description: 'With `entrance_period_start`: those who did not convert, in place of those who did.',
    fallback: false,
    example: false,
  }),
};
