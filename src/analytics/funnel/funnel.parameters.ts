import { breakdownParameters, commonParameters, type Parameters } from '../asking/parameter-docs.js';
import { maxExclusions } from './exclusions.js';
import { attributionTypes, maxBins, maxSteps, maxWindowInterval, vizTypes, windowUnits } from './funnel.query.js';
import { orderTypes } from './order-type.js';

/** What makes a funnel: the questions about one share them. */
export const funnelDefinitionParameters: Parameters = {
  ...commonParameters,
  events: {
    description: `The steps, ${maxSteps} at most, sorted by \`order\`: a list of \`{"id":"signed up"}\`; \`"id":null\` is any event, \`any_of\` in place of \`id\` matches if one of its parts does. Each may have \`name\`, \`order\`, \`properties\`.`,
    schema: { type: 'array', items: {}, maxItems: maxSteps },
    json: true,
    example: [{ id: '$pageview' }, { id: 'signed up' }, { id: 'paid' }],
  },
  funnel_order_type: {
    description:
      'ordered: each step any time after the one before; strict: as the very next event; unordered: all of them in any order.',
    schema: { type: 'string', enum: [...orderTypes], default: 'ordered' },
    example: 'ordered',
  },
  funnel_window_interval: {
    description: 'How long after the first step the last one may come, the end included.',
    schema: { type: 'integer', minimum: 1, maximum: maxWindowInterval, default: 14 },
    example: 14,
  },
  funnel_window_interval_unit: {
    description: 'Unit of the window; a month is 30 days.',
    schema: { type: 'string', enum: [...windowUnits], default: 'day' },
    example: 'day',
  },
  funnel_window_days: {
    description: 'The window in days, where `funnel_window_interval` does not say it.',
    schema: { type: 'integer', minimum: 1, maximum: maxWindowInterval },
    example: 14,
  },
  exclusions: {
    description: `Events that spoil an attempt when they come between two steps (places from 0): a list of \`{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}\`, ${maxExclusions} at most.`,
    schema: { type: 'array', items: {}, maxItems: maxExclusions },
    json: true,
    example: [{ id: 'invited teammate', funnel_from_step: 0, funnel_to_step: 1 }],
  },
};

export const funnelParameters: Parameters = {
  ...funnelDefinitionParameters,
  ...breakdownParameters,
  breakdown_attribution_type: {
    description:
      'Which of a person’s events gives the value: the first or last that has one, each of them, or that of a step.',
    schema: { type: 'string', enum: [...attributionTypes], default: 'first_touch' },
    example: 'first_touch',
  },
  breakdown_attribution_value: {
    description: 'With attribution by step: its place, from 0.',
    schema: { type: 'integer', minimum: 0, default: 0 },
    example: 0,
  },
  funnel_viz_type: {
    description:
      'steps: persons by step; time_to_convert: persons by time taken; trends: conversion by interval of entry.',
    schema: { type: 'string', enum: [...vizTypes], default: 'steps' },
    example: 'steps',
  },
  funnel_from_step: {
    description: 'time_to_convert and trends: place of the first step looked at, from 0.',
    schema: { type: 'integer', minimum: 0, default: 0 },
    example: 0,
  },
  funnel_to_step: {
    description: 'time_to_convert and trends: place of the last step looked at, from 0; the funnel’s last unless said.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  bin_count: {
    description: 'time_to_convert: how many bins; the cube root of the number of persons unless said.',
    schema: { type: 'integer', minimum: 1, maximum: maxBins },
    example: 10,
  },
  funnel_step: {
    description: 'Persons who reached step n, from 1; −n: who took all steps before it and not this one.',
    schema: { type: 'integer', default: 1 },
    example: 1,
  },
  funnel_custom_steps: {
    description: 'Persons whose last step is one of these numbers, in place of `funnel_step`.',
    schema: { type: 'array', items: { type: 'integer', minimum: 1 } },
    json: true,
    example: [1, 2],
  },
  funnel_step_breakdown: {
    description: 'Another name of `breakdown_value`.',
    schema: {},
    json: true,
    example: 'Chrome',
  },
  entrance_period_start: {
    description: 'trends: persons who entered in the interval around this moment.',
    schema: { type: 'string' },
    example: '-1d',
  },
  drop_off: {
    description: 'With `entrance_period_start`: those who did not convert, in place of those who did.',
    schema: { type: 'boolean', default: false },
    example: false,
  },
};
