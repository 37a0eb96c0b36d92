import { describe, expect, it } from '@jest/globals';
import { Problem } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Params } from '../../filters/asking/questions.js';
import { connected } from './edges.js';
import { readPaths } from './paths.query.js';

const project: ProjectContext = {
  id: 1,
  timezone: 'UTC',
  weekStartDay: 0,
  personDisplayNameProperties: [],
  testAccountFilters: [],
  pathCleaningFilters: [{ regex: '\\d+', alias: ':id' }],
};
const now = new Date('2024-03-08T12:00:00Z');
const read = (values: Record<string, unknown>) => readPaths(Params.of(values), project, now);

const faultOf = (values: Record<string, unknown>): string | null => {
  try {
    read(values);
  } catch (error) {
    if (error instanceof Problem) return `${error.code} ${error.attr}`;
    throw error;
  }
  return null;
};

describe('a question about paths', () => {
  it('is by default about every event of the last week, five steps and fifty edges', () => {
    expect(read({})).toMatchObject({
      included: null,
      events: [],
      cleaning: [],
      groupings: [],
      excluded: [],
      startPoint: null,
      endPoint: null,
      stepLimit: 5,
      edgeLimit: 50,
      minEdgeWeight: null,
      maxEdgeWeight: null,
      selected: { start: null, end: null, dropoff: null },
      funnel: null,
      range: { from: new Date('2024-03-01T00:00:00Z'), to: new Date('2024-03-08T23:59:59.999Z') },
    });
  });

  it.each([
    [{ include_event_types: ['$pageview'] }, { custom: false, names: ['$pageview'], expression: null }],
    [{ include_event_types: '["$screen","custom_event"]' }, { custom: true, names: ['$screen'], expression: null }],
    [{ path_type: '$screen' }, { custom: false, names: ['$screen'], expression: null }],
    [
      { path_type: '$screen', include_event_types: '$screen' },
      { custom: false, names: ['$screen'], expression: null },
    ],
    [
      { include_custom_events: ['a'], custom_events: 'b' },
      { custom: false, names: ['a', 'b'], expression: null },
    ],
    [{ include_event_types: [], include_custom_events: '[]' }, null],
  ])('takes %j as types of events', (values, included) => {
    expect(read(values).included).toEqual(included);
  });

  it('cleans by the rules of the project first, on request, then by its own', () => {
    const local_path_cleaning_filters = [{ regex: 'b+' }];
    const own = { regex: 'b+', alias: '', attr: 'local_path_cleaning_filters.0' };
    expect(read({ local_path_cleaning_filters }).cleaning).toEqual([own]);
    expect(read({ local_path_cleaning_filters, path_replacements: 'true' }).cleaning).toEqual([
      { regex: '\\d+', alias: ':id', attr: 'path_cleaning_filters.0' },
      own,
    ]);
  });

  it('reads a key as a step and any item', () => {
    const { start, end } = read({ path_start_key: '9_1_/a_b', path_end_key: '10_' }).selected;
    expect([start, end]).toEqual([
      { step: 9, item: '1_/a_b' },
      { step: 10, item: '' },
    ]);
    expect(read({ path_dropoff_key: '2_line\nbreak' }).selected.dropoff).toEqual({ step: 2, item: 'line\nbreak' });
  });

  it('uses its events as the steps of the funnel, if it has one', () => {
    const question = read({ funnel_paths: 'funnel_path_after_step', events: ['a', 'b'], funnel_step: 2 });
    expect(question.events).toEqual([]);
    expect(question.funnel?.funnel.steps.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(read({ funnel_paths: 'after_step', funnel_filter: { events: ['c'] }, events: ['a'] }).funnel).toMatchObject({
      part: 'after',
      funnel: { steps: [{ name: 'c' }] },
    });
    expect(read({ events: ['a'] }).events).toMatchObject([{ name: 'a' }]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ include_event_types: ['$pageview', 'page'] }, 'invalid_input include_event_types.1'],
    [{ include_event_types: [{}] }, 'invalid_input include_event_types.0'],
    [{ path_type: '$autocapture' }, 'invalid_input path_type'],
    [{ include_custom_events: Array(101).fill('a') }, 'invalid_input include_custom_events'],
    [{ custom_events: [['a']] }, 'invalid_input custom_events.0'],
    [{ exclude_events: ['a', 'b'.repeat(4001)] }, 'invalid_input exclude_events.1'],
    [{ exclude_events: '["a' }, 'invalid_input exclude_events'],
    [{ path_groupings: Array(101).fill('a') }, 'invalid_input path_groupings'],
    [{ path_replacements: 'perhaps' }, 'invalid_input path_replacements'],
    [{ local_path_cleaning_filters: {} }, 'invalid_input local_path_cleaning_filters'],
    [{ local_path_cleaning_filters: ['a'] }, 'invalid_input local_path_cleaning_filters.0'],
    [{ local_path_cleaning_filters: [{ alias: 'a' }] }, 'invalid_input local_path_cleaning_filters.0.regex'],
    [{ local_path_cleaning_filters: [{ regex: 1 }] }, 'invalid_input local_path_cleaning_filters.0.regex'],
    [{ local_path_cleaning_filters: [{ regex: 'a', alias: 1 }] }, 'invalid_input local_path_cleaning_filters.0.alias'],
    [{ local_path_cleaning_filters: [{ regexp: 'a' }] }, 'invalid_input local_path_cleaning_filters.0.regexp'],
    [{ local_path_cleaning_filters: Array(101).fill({}) }, 'invalid_input local_path_cleaning_filters'],
    [{ start_point: ['a', 'b'] }, 'invalid_input start_point'],
    [{ start_point: 'a'.repeat(4001) }, 'invalid_input start_point'],
    [{ end_point: {} }, 'invalid_input end_point'],
    [{ step_limit: 1 }, 'invalid_input step_limit'],
    [{ step_limit: 21 }, 'invalid_input step_limit'],
    [{ step_limit: 'five' }, 'invalid_input step_limit'],
    [{ edge_limit: 0 }, 'invalid_input edge_limit'],
    [{ edge_limit: 1001 }, 'invalid_input edge_limit'],
    [{ min_edge_weight: -1 }, 'invalid_input min_edge_weight'],
    [{ max_edge_weight: '1.5' }, 'invalid_input max_edge_weight'],
    [{ min_edge_weight: 3, max_edge_weight: 2 }, 'invalid_input max_edge_weight'],
    [{ path_start_key: '/about' }, 'invalid_input path_start_key'],
    [{ path_end_key: '0_/about' }, 'invalid_input path_end_key'],
    [{ path_dropoff_key: '100_/about' }, 'invalid_input path_dropoff_key'],
    [{ path_start_key: '1_a', path_end_key: '3_b' }, 'invalid_input path_end_key'],
    [{ funnel_paths: 'around_step' }, 'invalid_input funnel_paths'],
    [{ funnel_paths: 'after_step' }, 'required events'],
    [{ funnel_paths: 'after_step', events: ['a'], funnel_step: 2 }, 'invalid_input funnel_step'],
    [{ funnel_paths: 'between_steps', events: ['a', 'b'] }, 'invalid_input funnel_step'],
    [{ funnel_paths: 'between_steps', events: ['a', 'b'], funnel_step: -2 }, 'invalid_input funnel_step'],
    [{ funnel_paths: 'after_step', funnel_filter: 'a' }, 'invalid_input funnel_filter'],
    [{ funnel_paths: 'after_step', funnel_filter: { events: [{}] } }, 'required funnel_filter.events.0.id'],
    [{ funnel_paths: 'after_step', funnel_filter: { events: [] }, events: ['a'] }, 'required funnel_filter.events'],
    [{ events: [{ id: 'a', idd: 'b' }] }, 'invalid_input events.0.idd'],
    [{ properties: [{ key: 'a', operator: 'like' }] }, 'invalid_input properties.0.operator'],
    [{ date_from: 'sometime' }, 'invalid_input date_from'],
  ])('refuses %j: %s', (values, fault) => {
    expect(faultOf(values)).toBe(fault);
  });
});

describe('edges', () => {
  const edge = (source: string, target: string) => ({
    source,
    target,
    value: 1,
    persons: 1,
    average_conversion_time: 1,
  });

  it('that are not connected with a start are dropped, independent of their order', () => {
    const far = edge('2_b', '3_c');
    const all = [edge('3_c', '4_d'), far, edge('1_a', '2_b'), edge('2_x', '3_c'), edge('3_y', '4_d')];
    expect(connected(all)).toEqual([edge('3_c', '4_d'), far, edge('1_a', '2_b')]);
  });
});
