import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DashboardDto } from '../../src/saved/dashboards/dashboard.dto.js';
import { type SavedInsightDto } from '../../src/saved/insights/insight.dto.js';
import { captured } from '../query/questions/scene.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: PersonsOf;
beforeAll(async () => {
  service = await sharedService();
  of = new PersonsOf(service, service.project.id);
  const at = (event: string, distinct_id: string, timestamp: string) => ({ event, distinct_id, timestamp });
  await captured(service, service.project, [
    at('paid', 'ada', '2024-03-05T10:00:00Z'),
    at('seen', 'eve', '2024-04-01T10:00:00Z'),
  ]);
});
afterAll(() => service.stop());

const question = { type: 'trends', params: {} };

describe('the fields by which clients of the reference product know saved records', () => {
  it('are tags, in order and once each, and logged', async () => {
    const body = { name: 'Payers', question, tags: ['shop', 'money', 'shop'] };
    const made = (await of.call('POST', 'insights', { body })).body as SavedInsightDto;
    expect(made.tags).toEqual(['money', 'shop']);
    const board = (await of.call('POST', 'dashboards', { body: { name: 'Growth', tags: ['a'] } })).body as DashboardDto;
    const changed = await of.call('PATCH', `dashboards/${board.id}`, { body: { tags: null } });
    expect([board.tags, (changed.body as DashboardDto).tags]).toEqual([['a'], []]);
    const same = await of.call('PATCH', `insights/${made.id}`, { body: { tags: ['shop', 'money'] } });
    expect(same.body).toEqual(made);
    const [entry] = await of.activity('activity', { scope: 'Dashboard' });
    expect(entry?.detail.changes).toEqual([
      { type: 'Dashboard', action: 'changed', field: 'tags', before: ['a'], after: [] },
    ]);
    const action = { name: 'Checkout', steps: [{ event: 'paid' }], tags: ['shop', 'a', 'shop'] };
    const acted = (await of.call('POST', 'actions', { body: action })).body as { id: number; tags: string[] };
    expect(acted.tags).toEqual(['a', 'shop']);
    const sentBack = await of.call('PATCH', `actions/${acted.id}`, { body: { ...acted, tags: ['b'] } });
    expect(sentBack.body).toEqual({ ...acted, tags: ['b'] });
    const tooLong = await of.call('POST', 'dashboards', { body: { name: 'x', tags: ['y'.repeat(256)] } });
    expect([tooLong.status, tooLong.body]).toMatchObject([400, { attr: 'tags' }]);
  });

  it('are marks under other names, after favourite', async () => {
    const body = { name: 'Marked', question, favorited: true };
    const made = (await of.call('POST', 'insights', { body })).body as SavedInsightDto;
    expect(made).toMatchObject({ favourite: true, favorited: true });
    const both = { favourite: false, favorited: true };
    expect((await of.call('PATCH', `insights/${made.id}`, { body: both })).body).toMatchObject({ favorited: false });
    const board = await of.call('POST', 'dashboards', { body: { name: 'Pinned', pinned: true } });
    expect(board.body).toMatchObject({ favourite: true, pinned: true });
  });

  it('are short ids of insights, which find them, and only in their project', async () => {
    const made = (await of.call('POST', 'insights', { body: { name: 'Short', question } })).body as SavedInsightDto;
    expect((await of.call('GET', `insights/${made.short_id}`)).body).toEqual(made);
    expect((await of.call('GET', 'insights', { query: { short_id: made.short_id } })).body).toMatchObject({
      count: 1,
      results: [{ id: made.id }],
    });
    expect((await of.call('GET', 'insights', { query: { short_id: 'trend' } })).body).toMatchObject({ count: 0 });
    const foreign = new PersonsOf(service, (await service.newProject()).id);
    expect((await foreign.call('GET', `insights/${made.short_id}`)).status).toBe(404);
  });

  it('are names made from the question, for those without one', async () => {
    const named = async (saved: object) => {
      const made = await of.call('POST', 'insights', { body: { question: saved, derived_name: 'of the client' } });
      const { name, derived_name } = made.body as SavedInsightDto;
      return [made.status, name, derived_name];
    };
    const series = [
      { id: 'paid', math: 'sum', math_property: 'price', order: 1 },
      { id: 'signed up', math: 'dau', order: 0 },
    ];
    const params = { events: series, breakdowns: [{ property: 'plan' }] };
    expect(await named({ type: 'trends', params })).toEqual([
      201,
      '',
      'signed up by persons, paid by sum of price, split by plan',
    ]);
    const steps = { events: '[{"id":"signed up"},{"id":null},{"id":"paid","name":"Paid"}]' };
    expect(await named({ type: 'funnel', params: steps })).toEqual([201, '', 'signed up → any event → Paid']);
    expect(await named({ type: 'retention', params: { returning_entity: { id: 'paid' } } })).toEqual([
      201,
      '',
      'Persons who came back with paid after $pageview',
    ]);
    expect(await named({ type: 'sql', params: { query: 'select 1' } })).toEqual([201, '', 'Question in SQL']);
    const made = (await of.call('POST', 'insights', { body: { question, name: 'Named' } })).body as SavedInsightDto;
    expect((await of.call('PATCH', `insights/${made.id}`, { body: { name: null } })).body).toMatchObject({ name: '' });
  });

  it('are results, where they are wanted', async () => {
    const params = { events: JSON.stringify([{ id: 'paid' }]), date_from: '2024-03-04', date_to: '2024-03-06' };
    const node = {
      kind: 'InsightVizNode',
      source: {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'paid' }],
        dateRange: { date_from: '2024-03-04', date_to: '2024-03-06' },
      },
    };
    const counted = {
      kind: 'HogQLQuery',
      query: "select event, count() from events where event = 'paid' group by event",
    };
    const save = async (body: object) => ((await of.call('POST', 'insights', { body })).body as SavedInsightDto).id;
    const read = async (id: number, query: Record<string, string>, key?: string) => {
      const answer = await of.call('GET', `insights/${id}`, { query, ...(key && { key }) });
      return [answer.status, answer.body] as const;
    };
    const line = { label: 'paid', data: [0, 1, 0], days: ['2024-03-04', '2024-03-05', '2024-03-06'], count: 1 };
    for (const [body, result] of [
      [{ question: { type: 'trends', params } }, [line]],
      [{ query: node }, [line]],
      [{ query: counted }, [['paid', 1]]],
      [{ question: { type: 'sql', params: { query: counted.query } } }, [['paid', 1]]],
    ] as const) {
      const id = await save(body);
      expect(await read(id, {})).toMatchObject([200, { result: null, last_refresh: null }]);
      for (const refresh of ['true', 'force_blocking'])
        expect(await read(id, { refresh })).toMatchObject([200, { result, last_refresh: expect.any(String) }]);
    }
    const { text: key } = await service.newKey({ scopes: ['insight:read'] });
    const id = await save({ query: node });
    expect(await read(id, {}, key)).toMatchObject([200, { result: null }]);
    expect(await read(id, { refresh: 'true' }, key)).toMatchObject([403, {}]);
  });

  describe('are nodes', () => {
    const trends = {
      kind: 'InsightVizNode',
      source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'paid', math: 'dau' }], interval: 'week' },
      full: true,
    };
    const meant = { type: 'trends', params: { events: [{ id: 'paid', math: 'dau', order: 0 }], interval: 'week' } };
    const save = (query: object, more: object = {}) =>
      of.call('POST', 'insights', { body: { name: 'Payers', query, ...more } });

    it('which are kept as they were sent, and answered as the question that they stand for', async () => {
      const made = (await save(trends)).body as SavedInsightDto;
      expect(made).toMatchObject({ query: trends, question: meant });
      expect((await of.call('GET', `insights/${made.id}/answer`)).status).toBe(200);
      expect((await of.call('PATCH', `insights/${made.id}`, { body: made })).body).toEqual(made);
      const sql = {
        kind: 'DataVisualizationNode',
        source: { kind: 'HogQLQuery', query: 'select count() from events' },
      };
      const changed = (await of.call('PATCH', `insights/${made.id}`, { body: { query: sql } })).body as SavedInsightDto;
      expect(changed).toMatchObject({ query: sql, question: { type: 'sql', params: { query: sql } } });
      const asQuestion = await of.call('PATCH', `insights/${made.id}`, { body: { question } });
      expect(asQuestion.body).toMatchObject({ query: { kind: 'InsightVizNode' }, question });
    });

    it.each([
      [{ ...trends, source: { ...trends.source, interval: 'fortnight' } }, 'query.source.interval'],
      [{ kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: 2_000_000_000 }] }, 'query.series.0.id'],
      [{ kind: 'HogQLQuery', query: 'select nothing from nowhere' }, 'query.query'],
      [{ kind: 'DataTableNode', source: { kind: 'EventsQuery', select: ['nothing()'] } }, 'query.source.select.0'],
      [{ kind: 'ActorsQuery', select: ['count()'] }, 'query.select.0'],
      [
        { kind: 'ActorsQuery', source: { kind: 'InsightActorsQuery', source: trends.source, series: 7 } },
        'query.source.series',
      ],
      [{ kind: 'ActorsQuery', source: { kind: 'HogQLQuery', query: 'select' } }, 'query.source.query'],
      [
        { ...trends, source: { ...trends.source, trendsFilter: { formulas: ['A', 'A +'] } } },
        'query.source.trendsFilter.formulas.1',
      ],
      [{ kind: 'SurveyQuery' }, 'query.kind'],
    ])('and refused as POST query refuses them: %j', async (query, attr) => {
      const { status, body } = await save(query);
      expect([status, body]).toMatchObject([400, { attr }]);
    });

    it.each([
      [
        {
          kind: 'DataTableNode',
          source: { kind: 'EventsQuery', select: ['event', 'distinct_id'], after: 'all', event: 'seen' },
          full: true,
        },
        [['seen', 'eve']],
        [['seen', 'eve']],
      ],
      [
        { kind: 'DataTableNode', source: { kind: 'ActorsQuery', select: ['name'], search: 'eve' } },
        [['eve']],
        [['eve']],
      ],
      [
        {
          ...trends,
          source: {
            kind: 'TrendsQuery',
            series: [{ kind: 'EventsNode', event: 'seen' }],
            dateRange: { date_from: '2024-04-01', date_to: '2024-04-02' },
            trendsFilter: { formulaNodes: [{ formula: 'A', custom_name: 'Seen' }, { formula: 'A * 2' }] },
          },
        },
        [
          { label: 'Seen', data: [1, 0] },
          { label: 'Formula (A * 2)', data: [2, 0] },
        ],
        [
          ['Seen', null, null, '2024-04-01', 1],
          ['Seen', null, null, '2024-04-02', 0],
          ['Formula (A * 2)', null, null, '2024-04-01', 2],
          ['Formula (A * 2)', null, null, '2024-04-02', 0],
        ],
      ],
      [
        { kind: 'PersonsNode', distinctId: 'eve' },
        [{ name: 'eve', distinct_ids: ['eve'] }],
        [[{ name: 'eve', distinct_ids: ['eve'] }]],
      ],
    ])(
      'or of lists and of several formulas, which are kept and answered as nodes: %j',
      async (query, results, rows) => {
        const made = (await save(query)).body as SavedInsightDto;
        expect(made).toMatchObject({ query, question: { type: 'node', params: { query } } });
        expect((await of.call('PATCH', `insights/${made.id}`, { body: made })).body).toEqual(made);
        expect((await of.call('GET', `insights/${made.id}/answer`)).body).toMatchObject({
          answer: { results: rows },
        });
        expect((await of.call('GET', `insights/${made.id}`, { query: { refresh: 'true' } })).body).toMatchObject({
          result: results,
        });
        const { text: key } = await service.newKey({ scopes: ['insight:read', 'person:read'] });
        expect((await of.call('GET', `insights/${made.id}/answer`, { key })).status).toBe(403);
      },
    );

    it('or a question, and not both or neither', async () => {
      const { body: both } = await save(trends, { question });
      expect(both).toMatchObject({ status: 400, attr: 'query' });
      const { body: none } = await of.call('POST', 'insights', { body: { name: 'Payers' } });
      expect(none).toMatchObject({ status: 400, attr: 'question' });
    });
  });
});
