import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { captured, now } from './questions/scene.js';

let service: ServiceHandle;
const questions = {
  get: (path: string, query: Record<string, string>) =>
    service.call('GET', `/api/projects/${service.project.id}/${path}`, { query, headers: { 'X-Test-Now': now } }),
};

/** Who did it, of which company and project, on which day of March. */
const uses: readonly (readonly [string, string, string | null, string | null, number])[] = [
  ['ada', 'opened', 'acme', 'p1', 1],
  ['bob', 'opened', 'acme', 'p2', 1],
  ['ada', 'paid', 'acme', 'p1', 2],
  ['cy', 'opened', 'bolt', null, 1],
  ['cy', 'opened', 'bolt', null, 3],
  ['dee', 'opened', 'core', 'p3', 2],
  ['dee', 'paid', 'core', 'p3', 3],
  ['eve', 'opened', null, null, 1],
  ['eve', 'paid', null, null, 2],
];

beforeAll(async () => {
  service = await sharedService();
  const describes = (type: string, key: string, properties: object) => ({
    distinct_id: `${type} ${key}`,
    event: '$groupidentify',
    timestamp: '2024-02-01T00:00:00Z',
    properties: { $group_type: type, $group_key: key, $group_set: properties },
  });
  await captured(service, service.project, [
    describes('company', 'acme', { name: 'Acme', plan: 'pro', seats: 10 }),
    describes('company', 'bolt', { name: 'Bolt', plan: 'free', seats: 2 }),
    describes('project', 'p1', { plan: 'pro' }),
    describes('project', 'p2', { name: 2 }),
    describes('project', 'p3', { name: ' ' }),
    ...(['viewed', 'clicked'] as const).map((event, minute) => ({
      distinct_id: event,
      event,
      timestamp: `2024-03-02T15:0${minute}:00Z`,
      properties: { $groups: { company: 'acme' } },
    })),
    ...uses.map(([distinct_id, event, company, project, day]) => ({
      distinct_id,
      event,
      timestamp: `2024-03-0${day}T1${day}:00:00Z`,
      properties: { $groups: { ...(company && { company }), ...(project && { project }) } },
    })),
  ]);
});

afterAll(() => service.stop());

const march = { date_from: '2024-03-01', date_to: '2024-03-03' };
const byCompany = { ...march, aggregation_group_type_index: '0' };
const opened = JSON.stringify([{ id: 'opened', math: 'dau' }]);
const funnel = JSON.stringify([{ id: 'opened' }, { id: 'paid' }]);

interface Answer {
  readonly insight: {
    readonly series: readonly { data: number[]; breakdown_value: unknown; count: number }[];
    readonly steps: readonly { count: number }[];
    readonly matrix: readonly number[][];
    readonly correlations: readonly { property: string; value: string; success_count: number; failure_count: number }[];
    readonly edges: readonly { source: string; target: string; persons: number }[];
    readonly new: number[];
    readonly returning: number[];
    readonly dormant: number[];
  };
  readonly count: number;
  readonly results: readonly { group_key: string; name: string; group_properties: object; id: number | null }[];
}

const answer = async (path: string, query: Record<string, string>): Promise<Answer> => {
  const reply = await questions.get(`persons/${path}`, query);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as Answer;
};

const keysOf = ({ count, results }: Answer): string[] => {
  expect(results).toHaveLength(count);
  return results.map(({ group_key }) => group_key).sort();
};

describe('a question about groups', () => {
  it('counts the groups of a trend, and lists them', async () => {
    const trend = await answer('trends', { ...byCompany, events: opened });
    // acme and bolt, core, bolt; eve has no company.
    expect(trend.insight.series[0]).toMatchObject({ data: [2, 1, 1] });
    const point = await answer('trends', { ...byCompany, events: opened, day: '2024-03-01' });
    expect(keysOf(point)).toEqual(['acme', 'bolt']);
    expect(point.results.find(({ group_key }) => group_key === 'acme')).toMatchObject({
      group_type_index: 0,
      group_properties: { name: 'Acme', plan: 'pro', seats: 10 },
      created_at: '2024-02-01T00:00:00.000Z',
      value_at_data_point: 2,
    });
    expect(keysOf(await answer('trends', { ...byCompany, events: opened, search: 'BOL' }))).toEqual(['bolt']);
  });

  it('counts groups beside persons and events by the math of a series', async () => {
    const events = JSON.stringify([
      { id: 'opened', math: 'unique_group', math_group_type_index: 1 },
      { id: 'opened', math: 'dau' },
      { id: 'opened' },
    ]);
    const { insight } = await answer('trends', { ...march, events });
    expect(insight.series.map(({ data }) => data)).toEqual([
      [2, 1, 0],
      [4, 1, 1],
      [4, 1, 1],
    ]);
    const listed = await answer('trends', { ...march, events, series: '0' });
    expect(keysOf(listed)).toEqual(['p1', 'p2', 'p3']);
    // As the list of groups has them.
    expect(listed.results.map(({ name }) => name).sort()).toEqual(['2', 'p1', 'p3']);
  });

  it('knows the first time, the recent days and the averages of groups', async () => {
    const maths = ['first_time_for_user', 'weekly_active', 'avg_count_per_actor'];
    const events = JSON.stringify(maths.map((math) => ({ id: 'opened', math })));
    const { insight } = await answer('trends', { ...byCompany, events });
    expect(insight.series.map(({ data }) => data)).toEqual([
      [2, 1, 0],
      [2, 3, 3],
      [1.5, 1, 1],
    ]);
  });

  it('lets groups pass a funnel whose steps different persons took', async () => {
    const steps = { ...byCompany, events: funnel };
    const { insight } = await answer('funnel', steps);
    expect(insight.steps.map(({ count }) => count)).toEqual([3, 2]);
    expect(keysOf(await answer('funnel', { ...steps, funnel_step: '2' }))).toEqual(['acme', 'core']);
    expect(keysOf(await answer('funnel', { ...steps, funnel_step: '-2' }))).toEqual(['bolt']);
    const unordered = await answer('funnel', { ...steps, funnel_order_type: 'unordered' });
    expect(unordered.insight.steps.map(({ count }) => count)).toEqual([3, 2]);
  });

  it('answers retention, stickiness, lifecycle, paths and correlation of groups', async () => {
    const entity = JSON.stringify({ id: 'opened' });
    const retention = await answer('retention', {
      aggregation_group_type_index: '0',
      target_entity: entity,
      returning_entity: entity,
      total_intervals: '3',
      date_to: '2024-03-03',
    });
    expect(retention.insight.matrix).toEqual([[2, 0, 1], [1, 0], [1]]);
    expect(keysOf(retention)).toEqual(['acme', 'bolt']);

    const stickiness = await answer('stickiness', { ...byCompany, events: JSON.stringify([{ id: 'opened' }]) });
    expect(stickiness.insight.series[0]).toMatchObject({ data: [2, 1, 0] });
    expect(keysOf(stickiness)).toEqual(['acme', 'bolt', 'core']);
    const ofMath = { id: 'opened', math: 'unique_group', math_group_type_index: 0 };
    const same = await answer('stickiness', { ...march, events: JSON.stringify([ofMath, { ...ofMath, id: 'paid' }]) });
    expect(same.insight.series).toMatchObject([{ data: [2, 1, 0] }, { data: [2, 0, 0] }]);
    expect(keysOf(same)).toEqual(['acme', 'bolt', 'core']);
    const both = await questions.get('persons/stickiness', {
      ...march,
      events: JSON.stringify([ofMath, { id: 'paid' }]),
    });
    expect(both.body).toMatchObject({ status: 400, attr: 'events.1.math' });

    const lifecycle = await answer('lifecycle', { ...byCompany, events: JSON.stringify([{ id: 'opened' }]) });
    // core was first named on 2 March; the others were described before.
    expect(lifecycle.insight).toMatchObject({ new: [0, 1, 0], returning: [0, 0, 0], dormant: [0, -2, -1] });

    const ways = JSON.stringify([{ id: 'viewed' }, { id: 'clicked' }]);
    const path = await answer('path', { ...byCompany, events: ways });
    expect(path.insight.edges).toMatchObject([{ source: '1_viewed', target: '2_clicked', persons: 1 }]);

    const correlation = await answer('funnel/correlation', {
      ...byCompany,
      events: funnel,
      funnel_correlation_type: 'properties',
      funnel_correlation_names: JSON.stringify(['$all']),
    });
    const plans = correlation.insight.correlations.filter(({ property }) => property === 'plan');
    expect(plans).toEqual([
      expect.objectContaining({ value: 'pro', success_count: 1, failure_count: 0 }),
      expect.objectContaining({ value: 'free', success_count: 0, failure_count: 1 }),
    ]);
  });

  it('lists the groups behind a correlation by a property of groups', async () => {
    const query = {
      ...byCompany,
      events: funnel,
      funnel_correlation_type: 'properties',
      funnel_correlation_names: '["plan"]',
    };
    const having = (filter: object) => ({ ...query, funnel_correlation_property_values: JSON.stringify([filter]) });
    const pro = { key: 'plan', value: 'pro', operator: 'exact' };
    for (const type of [{}, { type: 'person' }, { type: 'group', group_type_index: 0 }]) {
      expect(keysOf(await answer('funnel/correlation', having({ ...pro, ...type })))).toEqual(['acme']);
    }
    expect(keysOf(await answer('funnel/correlation', having({ ...pro, value: '' })))).toEqual(['core']);
    const refused = async (filter: object) => {
      const { status, body } = await questions.get('persons/funnel/correlation', having(filter));
      return [status, (body as { detail: string }).detail];
    };
    const at = 'funnel_correlation_property_values.0.type must';
    expect(await refused({ ...pro, type: 'group', group_type_index: 1 })).toEqual([
      400,
      `${at} be group with the group_type_index 0`,
    ]);
    expect(await refused({ key: 'id', value: 1, type: 'cohort' })).toEqual([
      400,
      `${at} be group in a question about groups`,
    ]);
    const values = JSON.stringify([{ ...pro, type: 'group', group_type_index: 0 }]);
    const ofPersons = { ...march, events: funnel, funnel_correlation_property_values: values };
    const { status, body } = await questions.get('persons/funnel/correlation', ofPersons);
    expect([status, (body as { detail: string }).detail]).toEqual([400, `${at} be person in a question about persons`]);
  });

  it('lists groups as CSV, and groups whose row was deleted', async () => {
    await service.pool.query(`DELETE FROM groups WHERE project_id = $1 AND key = 'core'`, [service.project.id]);
    const list = await answer('trends', { ...byCompany, events: opened });
    expect(keysOf(list)).toEqual(['acme', 'bolt', 'core']);
    expect(list.results.find(({ group_key }) => group_key === 'core')).toMatchObject({
      id: expect.any(Number),
      group_properties: {},
    });
    const csv = await questions.get('persons/trends', { ...byCompany, events: opened, search: 'acme', format: 'csv' });
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'id,uuid,name,created_at,distinct_ids,group_type_index,group_key,value_at_data_point,properties.name,properties.plan,properties.seats',
      expect.stringMatching(/^\d+,[\da-f-]{36},Acme,2024-02-01T00:00:00.000Z,,0,acme,2,Acme,pro,10$/),
    ]);
  });
});

describe('a node about groups', () => {
  const send = async (query: object) => {
    const path = `/api/projects/${service.project.id}/query`;
    const reply = await service.call('POST', path, { body: { query }, headers: { 'X-Test-Now': now } });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body as { results: unknown };
  };
  const trends = {
    kind: 'TrendsQuery',
    dateRange: { date_from: '2024-03-01', date_to: '2024-03-03' },
    series: [{ kind: 'EventsNode', event: 'opened', math: 'unique_group', math_group_type_index: 0 }],
  };

  it('counts them as the route does, and lists them by their keys', async () => {
    expect((await send(trends)).results).toMatchObject([{ data: [2, 1, 1] }]);
    const source = { kind: 'InsightActorsQuery', source: trends, day: '2024-03-01' };
    const actors = { kind: 'ActorsQuery', source, select: ['actor', 'id', 'name', 'properties.plan'] };
    const { results } = await send(actors);
    expect(results).toEqual(
      expect.arrayContaining([
        [expect.objectContaining({ type: 'group', id: 'acme', group_key: 'acme' }), 'acme', 'Acme', 'pro'],
      ]),
    );
  });

  it('divides and filters by their properties', async () => {
    const filter = { type: 'group', group_type_index: 0, key: 'plan', operator: 'exact', value: ['pro'] };
    expect((await send({ ...trends, properties: [filter] })).results).toMatchObject([{ data: [1, 0, 0] }]);
    const breakdownFilter = { breakdowns: [{ type: 'group', group_type_index: 0, property: '$group_key' }] };
    expect((await send({ ...trends, breakdownFilter })).results).toMatchObject([
      { breakdown_value: 'bolt', data: [1, 0, 1] },
      { breakdown_value: 'acme', data: [1, 0, 0] },
      { breakdown_value: 'core', data: [0, 1, 0] },
    ]);
  });
});

describe('properties of groups', () => {
  it('filter events, alone and with others', async () => {
    const total = async (properties: object[]) => {
      const { insight } = await answer('trends', {
        ...march,
        events: '[{"id":"opened"}]',
        properties: JSON.stringify(properties),
      });
      return insight.series[0]?.count;
    };
    const group = (more: object, index = 0) => ({ type: 'group', group_type_index: index, ...more });
    expect(await total([group({ key: 'plan', value: 'pro' })])).toBe(2);
    expect(await total([group({ key: 'plan', operator: 'is_not', value: 'pro' })])).toBe(4);
    expect(await total([group({ key: 'seats', operator: 'gt', value: 5 })])).toBe(2);
    // The reference product has the key as a property of the event.
    expect(await total([{ key: '$group_0', value: 'bolt' }])).toBe(2);
    expect(await total([{ key: '$group_1', value: 'p1', type: 'event' }])).toBe(1);
    expect(await total([{ key: '$group_0', operator: 'is_set', value: '' }])).toBe(5);
    expect(await total([group({ key: 'plan', operator: 'is_set' })])).toBe(4);
    expect(await total([group({ key: '$group_key', value: ['acme', 'core'] })])).toBe(3);
    expect(await total([group({ key: 'plan', value: 'pro' }), group({ key: 'plan', value: 'pro' }, 1)])).toBe(1);
    expect(await total([group({ key: 'plan', value: 'pro' }), { key: '$group_key', value: 'x' }])).toBe(0);
  });

  it('split numbers of events, persons and groups', async () => {
    const split = {
      ...march,
      events: opened,
      breakdown: 'plan',
      breakdown_type: 'group',
      breakdown_group_type_index: '0',
    };
    const values = ({ insight }: Answer) => insight.series.map(({ breakdown_value, data }) => [breakdown_value, data]);
    expect(values(await answer('trends', split))).toEqual([
      ['', [1, 1, 0]],
      ['free', [1, 0, 1]],
      ['pro', [2, 0, 0]],
    ]);
    expect(values(await answer('trends', { ...split, aggregation_group_type_index: '0' }))).toEqual([
      ['free', [1, 0, 1]],
      ['', [0, 1, 0]],
      ['pro', [1, 0, 0]],
    ]);
    const paid = { ...split, events: funnel, aggregation_group_type_index: '0', breakdown_value: 'pro' };
    expect(keysOf(await answer('funnel', paid))).toEqual(['acme']);
  });

  it('are read in SQL, of the group of an event and of all groups', async () => {
    const rows = async (query: string) => {
      const path = `/api/projects/${service.project.id}/query`;
      const reply = await service.call('POST', path, { body: { query }, headers: { 'X-Test-Now': now } });
      if (reply.status !== 200) throw new Error(reply.text);
      return (reply.body as { results: unknown[][] }).results;
    };
    expect(
      await rows(`SELECT group_0.properties.plan AS plan, count(), uniq($group_0) FROM events
        WHERE event = 'opened' AND isNotNull($group_0) GROUP BY plan ORDER BY plan`),
    ).toEqual([
      ['free', 2, 1],
      ['pro', 2, 1],
      [null, 1, 1],
    ]);
    expect(await rows(`SELECT key, name, properties.seats FROM groups WHERE index = 0 ORDER BY key`)).toEqual([
      ['acme', 'Acme', 10],
      ['bolt', 'Bolt', 2],
      ['core', 'core', null],
    ]);
    expect(
      await rows(`SELECT g.name, count() FROM events AS e JOIN groups AS g ON g.key = e.$group_0 AND g.index = 0
        WHERE e.event = 'paid' GROUP BY g.name ORDER BY g.name`),
    ).toEqual([
      ['Acme', 1],
      ['core', 1],
    ]);
    expect(await rows(`SELECT count() FROM events WHERE $group_0 = 'acme' AND group_1.key = 'p1'`)).toEqual([[2]]);
  });

  it('are refused for types that the project does not have', async () => {
    const refusal = async (query: Record<string, string>) => {
      const { status, body } = await questions.get('persons/trends', { ...march, events: opened, ...query });
      return [status, (body as { attr: string }).attr, (body as { detail: string }).detail];
    };
    const known = 'the project has 0 (company), 1 (project)';
    expect(await refusal({ aggregation_group_type_index: '2' })).toEqual([
      400,
      'aggregation_group_type_index',
      `aggregation_group_type_index must be the index of a type of groups: ${known}`,
    ]);
    expect(await refusal({ properties: '[{"type":"group","group_type_index":7,"key":"a","value":"b"}]' })).toEqual([
      400,
      'properties.0.group_type_index',
      `properties.0.group_type_index must be the index of a type of groups: ${known}`,
    ]);
    expect(await refusal({ properties: '[{"type":"group","key":"a","value":"b"}]' })).toEqual([
      400,
      'properties.0.group_type_index',
      'properties.0.group_type_index is required',
    ]);
    expect(await refusal({ events: '[{"id":"opened","math":"unique_group"}]' })).toEqual([
      400,
      'events.0.math_group_type_index',
      'events.0.math_group_type_index is required',
    ]);
  });
});
