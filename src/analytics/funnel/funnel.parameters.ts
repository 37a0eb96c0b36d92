import { isPartOf } from '../../filters/reading/filter.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type NamedActions } from '../../filters/actions/action-lookup.js';
import { type Entity, type ReadEntity, maxEntities, readEntities } from '../shared/entity.js';
import { maxExpressionLength } from '../../filters/reading/leaf.js';
import { field } from '../../platform/fields/field.js';
import { type Field, fieldReader } from '../../platform/fields/declaration.js';
import { integerSchema, listSchema, schemaNamed } from '../../platform/fields/schema.js';
import { type OrderType, orderTypes } from './order-type.js';
import { integerOf, readTexts } from '../../platform/fields/values.js';
import { breakdownParameters, breakdownValueOfStep } from '../shared/breakdown.parameters.js';
import { commonParameters, eventsParameter } from '../shared/common.parameters.js';
import { comparedPeriodParameters, comparisonParameters } from '../shared/comparison.js';

const maxExclusions = 10;
export const maxFunnelSteps = 20;

const step = (description: string, example: number) => ({
  ...field.position({ description, example }),
  schema: integerSchema(0, maxFunnelSteps - 1),
});

/** The fields that a funnel adds to the entities that spoil an attempt. */
export const exclusionFields = {
  funnel_from_step: step('The index of the step after which it spoils the attempt, from 0.', 0),
  funnel_to_step: step('The index of the step before which it does; the last one by default.', 1),
};

/** An event that spoils an attempt if it happens between two steps of the attempt. */
export interface Exclusion {
  readonly entity: Entity;
  /** The indexes of the two steps, from 0. */
  readonly from: number;
  readonly to: number;
}

const readExclusions = (
  value: unknown,
  attr: string,
  steps: readonly Entity[],
  orderType: OrderType,
  actions: NamedActions,
): Exclusion[] => {
  const entities = readEntities(value, attr, { actions, extra: exclusionFields });
  if (entities.length > maxExclusions) {
    throw invalidInput(`${attr} must have at most ${maxExclusions} entries`, attr);
  }
  // Without steps there is nothing between steps to exclude.
  return steps.length === 0 ? [] : entities.map((entity) => exclusionOf(entity, steps, orderType));
};

const exclusionOf = (entity: ReadEntity, steps: readonly Entity[], orderType: OrderType): Exclusion => {
  const last = steps.length - 1;
  const { attr, fields } = entity;
  const read = fieldReader(exclusionFields, fields, attr);
  const from = read('funnel_from_step', last) ?? 0;
  const to = read('funnel_to_step', last) ?? last;
  if (from >= to) {
    throw invalidInput(`${attr} must have 0 ≤ funnel_from_step < funnel_to_step ≤ ${last}`, `${attr}.funnel_from_step`);
  }
  if (orderType === 'unordered' && (from !== 0 || to !== last)) {
    throw invalidInput(
      `${attr} must span the whole of an unordered funnel: funnel_from_step 0, funnel_to_step ${last}`,
      `${attr}.${from !== 0 ? 'funnel_from_step' : 'funnel_to_step'}`,
    );
  }
  const step = steps.slice(from, to + 1).find((one) => excludes(entity, one));
  if (step) {
    throw invalidInput(
      `${attr} must not be a step of the funnel between funnel_from_step and funnel_to_step, as ${JSON.stringify(step.name)} is: exclude another event, or some of its events by properties`,
      fields.any_of === undefined ? `${attr}.id` : `${attr}.any_of`,
    );
  }
  return { entity, from, to };
};

/** True if the exclusion takes all events of a step: it names the same events and has no condition of its own. */
export const excludes = ({ parts }: Entity, step: Entity): boolean =>
  step.parts.every((one) => parts.some(({ event, filter }) => event === one.event && isPartOf(filter, one.filter)));

export const vizTypes = ['steps', 'time_to_convert', 'trends'] as const;
const attributionTypes = ['first_touch', 'last_touch', 'all_events', 'step'] as const;
const windowUnits = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;
/** The bound for numbers of steps in a question without steps. */
const mostSteps = 999;
export const maxBins = 1000;
export const maxWindowDays = 36_500;

/** The definition of a funnel without the steps. */
export const funnelShapeParameters = {
  funnel_order_type: field.choice(orderTypes, {
    description:
      'ordered: each step at any time after the previous step; strict: each step as the very next event; unordered: all steps in any order.',
    fallback: 'ordered',
    example: 'ordered',
  }),
  funnel_window_interval: field.integer({
    min: 1,
    max: 1_000_000,
    description: 'The longest time from the first step to the last step, inclusive; 14 days by default.',
    example: 14,
  }),
  funnel_window_interval_unit: field.choice(windowUnits, {
    description: 'Unit of the window; a month is 30 days.',
    fallback: 'day',
    example: 'day',
  }),
  funnel_window_days: field.integer({
    min: 1,
    max: maxWindowDays,
    description: 'The window in days, without `funnel_window_interval`.',
    fallback: 14,
    example: 14,
  }),
  exclusions: field.json(
    {
      description: `Events that spoil an attempt if they happen between two steps (indexes from 0), and are no step themselves from the one to the other: a list of \`{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}\`, ${maxExclusions} at most.`,
      schema: listSchema(schemaNamed('ExclusionEntity'), maxExclusions),
      example: [{ id: 'invited teammate', funnel_from_step: 0, funnel_to_step: 1 }],
    },
    readExclusions,
  ),
};

/** The definition of a funnel, shared by all questions about funnels. */
export const funnelDefinitionParameters = {
  ...commonParameters,
  events: eventsParameter({
    description: `The steps, at most ${maxFunnelSteps} with those of \`actions\`, sorted by \`order\`: a list of \`{"id":"signed up"}\`. \`"id":null\` is any event; \`any_of\` in place of \`id\` matches if one of its parts does. Each step may have \`name\`, \`order\`, \`properties\`, and \`optional_in_funnel\`: persons may skip such a step, so that later steps and times are about the steps around it; its own count is of persons who took it between them. For steps in order, seen as steps.`,
    example: [{ id: '$pageview' }, { id: 'signed up' }, { id: 'paid' }],
    schema: listSchema(schemaNamed('StepEntity'), maxFunnelSteps),
  }),
  actions: { ...commonParameters.actions, schema: listSchema(schemaNamed('StepNamedAction'), maxEntities) },
  ...funnelShapeParameters,
};

/**
 * A parameter with the number of a step. The steps of the question limit the number; the bounds here apply to a question
 * without steps.
 */
export const funnelStep = (description: string): Field<number> => ({
  ...field.integer({ description, min: -99, max: 99, fallback: 1, example: 1 }),
  schema: { type: 'integer', default: 1 },
});

/** Distinct numbers of steps; null if the list is empty or missing. */
const readCustomSteps = (value: unknown, attr: string, steps: number): readonly number[] | null => {
  if (value === undefined) return null;
  const numbers = readTexts(value, attr).map((text, at) => {
    const number = integerOf(text) ?? 0;
    if (number >= 1 && number <= (steps || mostSteps)) return number;
    throw invalidInput(`${attr} must hold numbers of steps, 1 to ${steps}`, `${attr}.${at}`);
  });
  return numbers.length === 0 ? null : [...new Set(numbers)];
};

const secondsParam = (min: number, description: string, example: number): Field<number | null> =>
  field.integer({ min, max: maxWindowDays * 24 * 3600, description, example });

export const funnelParameters = {
  ...funnelDefinitionParameters,
  ...breakdownParameters,
  funnel_aggregate_by_hogql: field.text({
    max: maxExpressionLength,
    description:
      'Counts the different values of this expression of the SQL dialect, such as sessions, instead of persons; events without a value do not count. `person_id` counts persons. Such a funnel has no list of persons: with `include=insight`.',
    example: 'properties.$session_id',
  }),
  breakdown_attribution_type: field.choice(attributionTypes, {
    description:
      'Which event of a person gives the value: the first or the last event with a value, every event, or the event of a step.',
    fallback: 'first_touch',
    example: 'first_touch',
  }),
  breakdown_attribution_value: field.position({
    description: 'With attribution by step: the index of the step, from 0.',
    fallback: 0,
    example: 0,
  }),
  funnel_viz_type: field.choice(vizTypes, {
    description:
      'steps: persons by step; time_to_convert: persons by time taken; trends: conversion by interval of entry.',
    fallback: 'steps',
    example: 'steps',
  }),
  funnel_from_step: field.position({
    description: 'time_to_convert and trends: index of the first step, from 0.',
    fallback: 0,
    example: 0,
  }),
  funnel_to_step: field.position({
    description: 'time_to_convert and trends: index of the last step, from 0; the last step of the funnel by default.',
    example: 1,
  }),
  bin_count: field.integer({
    description: 'time_to_convert: number of bins; the cube root of the number of persons by default.',
    min: 1,
    max: maxBins,
    example: 10,
  }),
  hide_incomplete_conversion_window_periods: field.boolean({
    description: 'trends: leaves out intervals of entry whose window has not passed for all who entered.',
    fallback: false,
    example: false,
  }),
  ...comparisonParameters,
  compare: {
    ...comparisonParameters.compare,
    description:
      'Adds the same steps or series for the previous range, or for the one that `compare_to` names; not with time_to_convert.',
  },
  ...comparedPeriodParameters,
  funnel_step: funnelStep(
    'n: persons who reached step n, from 1; -n: persons who took all steps before step n, but not step n.',
  ),
  funnel_custom_steps: field.json(
    {
      description: 'Persons whose last step has one of these numbers; replaces `funnel_step`.',
      schema: listSchema(integerSchema(1, mostSteps)),
      example: [1, 2],
    },
    readCustomSteps,
  ),
  ...breakdownValueOfStep,
  entrance_period_start: field.date({
    description: 'trends: persons who entered in the interval that contains this moment.',
    example: '-1d',
  }),
  conversion_time_from: secondsParam(
    0,
    'time_to_convert: persons who took at least so many seconds: `from` of a bin.',
    3600,
  ),
  conversion_time_to: secondsParam(
    1,
    'time_to_convert: persons who took less than so many seconds: `to` of a bin; without it also those of the last bin’s end.',
    7200,
  ),
  drop_off: field.boolean({
    description: 'With `entrance_period_start`: the persons who did not convert instead of those who did.',
    fallback: false,
    example: false,
  }),
};
