import { NamedActions } from '../../../src/filters/actions/action-lookup.js';
import { stepsOf } from '../../../src/filters/actions/steps.js';
import { Problem } from '../../../src/platform/errors/problem.js';
import { criteriaOf, type Definition } from '../../../src/cohorts/definition/definition.js';
import { readDefinition } from '../../../src/cohorts/definition/read-definition.js';

export const repeated = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
export const plan = { type: 'person', key: 'plan', value: 'pro' };
export const did = (more: object = {}) => ({
  ...{ type: 'behavioral', key: 'paid', value: 'performed_event', time_value: 30, time_interval: 'day' },
  ...more,
});
export const multiple = (more: object = {}) =>
  did({ value: 'performed_event_multiple', operator: 'gte', operator_value: 2, ...more });
export const regularly = (more: object = {}) =>
  did({ value: 'performed_event_regularly', operator_value: 1, min_periods: 1, total_periods: 2, ...more });
export const sequence = (more: object = {}) =>
  did({
    ...{ value: 'performed_event_sequence', seq_event: 'left', seq_time_value: 1, seq_time_interval: 'hour' },
    ...more,
  });
export const stopped = (more: object = {}) =>
  did({ value: 'stopped_performing_event', seq_time_value: 7, seq_time_interval: 'day', ...more });

const actions = new NamedActions();
actions.learn(
  [7, 8, 9],
  [
    {
      id: 7,
      name: 'Paid',
      steps: stepsOf([{ event: 'paid' }, { event: 'gave', properties: [{ key: 'size', value: 'big' }] }]),
    },
    {
      id: 8,
      name: 'Insider',
      steps: stepsOf([{ event: 'paid', properties: [{ type: 'cohort', key: 'id', value: 3 }] }]),
    },
  ],
);

export const read = (filters: unknown): Definition => readDefinition(filters, 'filters', actions);
export const readAll = (...values: readonly unknown[]) => read({ properties: { type: 'AND', values } });
export const readOne = (criterion: object) => criteriaOf(readAll(criterion))[0];

export const refusal = (filters: unknown): readonly unknown[] => {
  try {
    read(filters);
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.attr, error.detail];
    throw error;
  }
  return ['nothing was refused'];
};
export const refusalOf = (...values: readonly unknown[]) => refusal({ properties: { type: 'AND', values } });
