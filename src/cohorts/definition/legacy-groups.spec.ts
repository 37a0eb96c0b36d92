import { describe, expect, it } from '@jest/globals';
import { Problem } from '../../platform/errors/problem.js';
import { filtersFromGroups } from './legacy-groups.js';

const translated = (...groups: readonly unknown[]) => filtersFromGroups(groups).properties;
const or = (...values: readonly object[]) => ({ type: 'OR', values });
const and = (...values: readonly object[]) => ({ type: 'AND', values });
const behaviour = (more: object = {}) => ({
  ...{ type: 'behavioral', key: 'paid', event_type: 'events', value: 'performed_event' },
  ...{ time_value: 365, time_interval: 'day' },
  ...more,
});

describe('the oldest form of a definition', () => {
  it('says that any group is enough, of which all parts are needed', () => {
    const plan = { key: 'plan', value: 'pro' };
    expect(translated({ properties: [plan], event_id: 'paid' }, { event_id: 'paid', label: 'Paid', id: 1 })).toEqual(
      or(and({ ...plan, type: 'person' }, behaviour()), and(behaviour())),
    );
    expect(filtersFromGroups([])).toEqual({ properties: {} });
  });

  it.each([
    [[{ key: 'plan', value: 'pro' }], [{ key: 'plan', value: 'pro', type: 'person' }]],
    [[{ key: 'plan', value: 'pro', type: 'event' }], [{ key: 'plan', value: 'pro', type: 'person' }]],
    [[{ key: 'id', value: 3, type: 'cohort' }], [{ key: 'id', value: 3, type: 'cohort' }]],
    [{ type: 'AND', values: [{ key: 'a', value: 1 }] }, [{ key: 'a', value: 1, type: 'person' }]],
    [
      { plan: 'pro', age__gte: 30 },
      [
        { type: 'person', key: 'plan', value: 'pro' },
        { type: 'person', key: 'age', operator: 'gte', value: 30 },
      ],
    ],
  ])('has properties %j', (properties, values) => {
    expect(translated({ properties })).toEqual(or(and(...values)));
  });

  it.each([
    [{ event_id: 5 }, { key: '5' }],
    [{ action_id: 7 }, { key: 7, event_type: 'actions' }],
    [
      { action_id: '7', event_id: null },
      { key: 7, event_type: 'actions' },
    ],
    [{ event_id: 'paid', action_id: null, days: 7 }, { time_value: 7 }],
    [{ event_id: 'paid', days: '30' }, { time_value: '30' }],
    [{ event_id: 'paid', count: null }, {}],
    [
      { event_id: 'paid', count: 3 },
      { value: 'performed_event_multiple', operator: 'eq', operator_value: 3 },
    ],
    [
      { event_id: 'paid', count: 0, count_operator: 'gte' },
      { value: 'performed_event_multiple', operator: 'gte', operator_value: 0 },
    ],
  ])('has events %j', (group, expected) => {
    expect(translated(group)).toEqual(or(and(behaviour(expected))));
  });

  it('has events between dates', () => {
    const dated = {
      ...{ type: 'behavioral', key: 'paid', event_type: 'events', value: 'performed_event' },
      explicit_datetime: '2024-01-01',
    };
    expect(translated({ event_id: 'paid', start_date: '2024-01-01', days: 7 })).toEqual(or(and(dated)));
    expect(translated({ event_id: 'paid', start_date: '2024-01-01', end_date: '2024-02-01' })).toEqual(
      or(and({ ...dated, explicit_datetime_to: '2024-02-01' })),
    );
  });

  it.each([
    ['x', 'groups', 'must be a list'],
    [['x'], 'groups.0', 'must be'],
    [[{ event_id: 'paid', evnt: 1 }], 'groups.0.evnt', 'a group has properties'],
    [[{ event_id: 'paid' }, {}], 'groups.1', 'must have properties, event_id or action_id'],
    [[{ properties: [] }], 'groups.0', 'must have properties, event_id or action_id'],
    [[{ properties: ['x'] }], 'groups.0.properties.0', 'must be a filter'],
    [[{ properties: 'x' }], 'groups.0.properties', 'must be a list of filters'],
    [[{ properties: { values: ['x'] } }], 'groups.0.properties.values.0', 'must be a filter'],
    [[{ event_id: 'paid', action_id: 7 }], 'groups.0.action_id', 'either event_id or action_id'],
    [[{ action_id: 'x' }], 'groups.0.action_id', 'must be the id of an action'],
    [[{ event_id: true }], 'groups.0.event_id', 'must be the name of an event'],
    [[{ event_id: 'paid', count: 1, count_operator: 'ne' }], 'groups.0.count_operator', 'eq, exact'],
  ])('is refused as %j', (groups, attr, words) => {
    const read = () => filtersFromGroups(groups);
    expect(read).toThrow(Problem);
    expect(read).toThrow(expect.objectContaining({ attr, message: expect.stringContaining(words) }));
  });
});
