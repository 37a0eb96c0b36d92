import { describe, expect, it } from '@jest/globals';
import { type InsightType } from '../../analytics/kinds/insight-kinds.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { namesInQuestion } from './names-in-question.js';

const project: ProjectContext = {
  id: 1,
  timezone: 'UTC',
  weekStartDay: 0,
  personDisplayNameProperties: [],
  testAccountFilters: [{ type: 'person', key: 'of the project', value: 'x' }],
  pathCleaningFilters: [],
};

const namesIn = (type: InsightType, params: Readonly<Record<string, unknown>>) =>
  namesInQuestion(type, params, project, new Date('2026-03-01T00:00:00Z'));

describe('the names in a question', () => {
  it('are those of events, filters, breakdowns and numbers', () => {
    const params = {
      events: JSON.stringify([
        { id: 'paid', math: 'sum', math_property: 'amount', properties: [{ key: 'plan', value: 'pro' }] },
        { name: 'either', any_of: [{ id: 'a' }, { id: 'b' }] },
        { id: null },
      ]),
      actions: [{ id: 7 }],
      properties: { type: 'OR', values: [{ type: 'person', key: 'email', operator: 'is_set' }] },
      breakdowns: [{ property: '$browser' }, { property: 'country', type: 'person' }],
      filter_test_accounts: true,
    };
    expect(namesIn('trends', params)).toEqual({
      events: ['a', 'b', 'paid'],
      eventProperties: ['$browser', 'amount', 'plan'],
      personProperties: ['country', 'email'],
    });
  });

  it('are those of the entities of retention, and of the funnel of paths', () => {
    expect(namesIn('retention', { target_entity: { id: 'signed up' }, returning_entity: '{"id":"paid"}' })).toEqual({
      events: ['paid', 'signed up'],
      eventProperties: [],
      personProperties: [],
    });
    const funnel = { events: [{ id: 'a' }, { id: 'b', properties: [{ key: 'step', value: '1' }] }] };
    const paths = { funnel_paths: 'after_step', funnel_filter: funnel, include_custom_events: ['c'] };
    expect(namesIn('paths', paths)).toEqual({
      events: ['a', 'b', 'c'],
      eventProperties: ['step'],
      personProperties: [],
    });
  });

  it('are those of the properties that a correlation compares', () => {
    const params = {
      events: [{ id: 'a' }, { id: 'b' }],
      funnel_correlation_type: 'properties',
      funnel_correlation_names: ['plan', '$all'],
    };
    expect(namesIn('correlation', params)).toEqual({
      events: ['a', 'b'],
      eventProperties: [],
      personProperties: ['plan'],
    });
  });
});
