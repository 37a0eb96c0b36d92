import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DashboardDto } from '../../src/saved/dashboards/dashboard.dto.js';
import { type InsightAnswerDto, type SavedInsightDto } from '../../src/saved/insights/insight.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type Answer, type CallOptions, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: PersonsOf;

beforeAll(async () => {
  service = await sharedService();
  of = new PersonsOf(service, service.project.id);
  await send([
    paid('ada', '2024-03-05T10:00:00Z', { plan: 'pro' }),
    paid('ada', '2024-03-06T10:00:00Z', { plan: 'pro' }),
    paid('bob', '2024-03-06T11:00:00Z', { plan: 'free' }),
  ]);
});
afterAll(() => service.stop());

const paid = (distinct_id: string, timestamp: string, properties: object) => ({
  ...{ type: 'event', event: 'paid', distinct_id, timestamp, properties },
});

const send = async (lines: readonly object[]): Promise<void> => {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await of.call('POST', 'import', { body, headers: { 'content-type': 'application/x-ndjson' } });
  expect(answer.body).toMatchObject({ rejected: [] });
};

const at = (time: string) => ({ 'X-Test-Now': `2024-03-10T${time}Z` });
const march = { date_from: '2024-03-04', date_to: '2024-03-07' };
const payments = { type: 'trends', params: { events: [{ id: 'paid' }], ...march } };

const make = async (question: object, more: object = {}): Promise<SavedInsightDto> => {
  const answer = await of.call('POST', 'insights', { body: { name: 'Payments', question, ...more } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as SavedInsightDto;
};

const ask = (id: number, query: CallOptions['query'] = {}, time = '12:00:00', key = service.key): Promise<Answer> =>
  of.call('GET', `insights/${id}/answer`, { query: { ...query }, headers: at(time), key });

interface Trends {
  readonly insight: { readonly series: readonly { readonly data: readonly number[] }[] };
}

const dataOf = (answer: Answer): [data: readonly number[] | undefined, isCached: boolean] => {
  if (answer.status !== 200) throw new Error(answer.text);
  const { answer: body, is_cached: isCached } = answer.body as InsightAnswerDto;
  return [(body as Trends).insight.series[0]?.data, isCached];
};

describe('the node of a saved question', () => {
  it('stands for it, so that clients of the reference product can show and change it', async () => {
    const params = {
      events: [{ id: 'paid', math: 'dau' }],
      actions: [],
      date_from: '-7d',
      formula: 'A * 2',
      compare: true,
    };
    const made = await make({ type: 'trends', params });
    const source = {
      kind: 'TrendsQuery',
      dateRange: { date_from: '-7d' },
      series: [{ kind: 'EventsNode', event: 'paid', math: 'dau' }],
      compareFilter: { compare: true },
      trendsFilter: { formulaNodes: [{ formula: 'A * 2' }] },
    };
    expect(made.query).toEqual({ kind: 'InsightVizNode', source });
    const back = await of.call('PATCH', `insights/${made.id}`, { body: made });
    expect(back.body).toMatchObject({ question: { type: 'trends', params } });
    const query = { kind: 'InsightVizNode', source: { ...source, interval: 'week' } };
    const changed = await of.call('PATCH', `insights/${made.id}`, { body: { ...made, query } });
    expect(changed.body).toMatchObject({ query, question: { params: { interval: 'week', formula: 'A * 2' } } });
  });

  it('is that of SQL for a question in SQL, and is missing where none can say the same', async () => {
    const inSql = { query: 'select {n}', values: { n: 1 } };
    const { query } = await make({ type: 'sql', params: inSql });
    expect(query).toEqual({ kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', ...inSql } });
    const limited = await make({ type: 'sql', params: { ...inSql, limit: 5 } });
    expect(limited.query).toBeNull();
  });
});

describe('a saved question', () => {
  it('is made, read, listed, changed and deleted, and each change is logged', async () => {
    const made = await make(payments, { name: 'Made', description: 'why' });
    expect(made).toMatchObject({ name: 'Made', description: 'why', question: payments, favourite: false });
    expect([made.created_by?.email, made.dashboards]).toEqual([service.email, []]);
    const path = `insights/${made.id}`;
    expect((await of.call('GET', path)).body).toEqual(made);
    const list = await of.call('GET', 'insights', { query: { search: 'mAD', type: 'trends' } });
    expect(list.body).toEqual({ count: 1, next: null, previous: null, results: [made] });
    expect((await of.call('GET', 'insights', { query: { search: 'mad', type: 'sql' } })).body).toMatchObject({
      count: 0,
      results: [],
    });

    const question = { type: 'lifecycle', params: march };
    const changed = await of.call('PATCH', path, { body: { ...made, name: 'Changed', question } });
    expect(changed.body).toMatchObject({ id: made.id, name: 'Changed', question, created_at: made.created_at });
    expect((await of.call('PATCH', path, { body: { favourite: true } })).body).toMatchObject({
      favourite: true,
      updated_at: (changed.body as SavedInsightDto).updated_at,
    });
    expect((await of.call('DELETE', path)).status).toBe(204);
    for (const gone of [path, `${path}/answer`]) {
      const { status, body } = await of.call('GET', gone);
      expect([status, body]).toEqual([404, expect.objectContaining({ detail: `there is no insight ${made.id}` })]);
    }
    const entries = await of.activity('activity', { scope: 'Insight', limit: 100 });
    const own = entries.filter(({ item_id: id }) => id === String(made.id));
    expect(own.map(({ activity, detail }) => [activity, detail.changes.map(({ field }) => field)])).toEqual([
      ['deleted', [null]],
      ['updated', ['name', 'question']],
      ['created', [null]],
    ]);
  });

  it('logs what has changed in the question, without values that may name persons', async () => {
    const { id } = await make({ type: 'trends', params: { events: [{ id: 'paid' }], date_from: '-30d' } });
    const filter = { key: 'email', type: 'person', operator: 'exact', value: 'ada@secret.example' };
    const ask = (params: object) =>
      of.call('PATCH', `insights/${id}`, { body: { question: { type: 'trends', params } } });
    await ask({ events: [{ id: 'paid' }], date_from: '-7d', properties: [filter] });
    await ask({ events: [{ id: 'paid', math: 'dau' }], date_from: '-7d', properties: [filter] });
    const entries = await of.activity('activity', { scope: 'Insight', item_id: String(id), limit: 2 });
    const changes = entries.map(({ detail }) =>
      detail.changes.map(({ field, before, after }) => [field, before, after]),
    );
    expect(changes).toEqual([
      [['question', 'paid', 'paid by persons']],
      [
        ['question.date_from', '-30d', '-7d'],
        ['question.properties', null, null],
      ],
    ]);
  });

  it.each([
    [{}, 'question.type'],
    [{ type: 'trend' }, 'question.type'],
    [{ type: 'trends', more: 1 }, 'question.more'],
    [{ type: 'trends', params: [] }, 'question.params'],
    [{ type: 'trends', params: { intervall: 'day' } }, 'question.params.intervall'],
    [{ type: 'trends', params: { interval: 'fortnight' } }, 'question.params.interval'],
    [{ type: 'trends', params: { events: [{ id: 'a', math: 'sum' }] } }, 'question.params.events.0.math_property'],
    [{ type: 'trends', params: { actions: [{ id: 2_000_000_000 }] } }, 'question.params.actions.0.id'],
    [{ type: 'trends', params: { limit: 5 } }, 'question.params.limit'],
    [{ type: 'trends', params: { include: 'persons' } }, 'question.params.include'],
    [
      { type: 'funnel', params: { properties: [{ type: 'cohort', key: 'id', value: 2_000_000_000 }] } },
      'question.params.properties.0.value',
    ],
    [{ type: 'retention', params: { date_from: '-7d' } }, 'question.params.date_from'],
    [
      { type: 'paths', params: { local_path_cleaning_filters: [{ regex: '(' }] } },
      'question.params.local_path_cleaning_filters.0.regex',
    ],
    [{ type: 'sql', params: { query: 'delete from events' } }, 'question.params.query'],
    [{ type: 'sql', params: { query: "select 1 + 'a'" } }, 'question.params.query'],
    [{ type: 'sql', params: { query: 'select 1', format: 'csv' } }, 'question.params.format'],
    [{ type: 'sql' }, 'question.params.query'],
  ])('%j is refused as its route refuses it', async (question, attr) => {
    const { status, body } = await of.call('POST', 'insights', { body: { name: 'No', question } });
    expect([status, (body as { attr: string }).attr]).toEqual([400, attr]);
    const { detail } = body as { detail: string };
    expect(detail.length).toBeGreaterThan(10);
  });

  it('is the favourite of each user who marks it', async () => {
    const { id } = await make(payments, { name: 'Marked', favourite: true });
    const other = (await service.newKey({ email: `eve-${id}@example.test` })).text;
    const found = async (favourite: string, key?: string) => {
      const query = { search: 'Marked', favourite };
      return ((await of.call('GET', 'insights', { query, ...(key && { key }) })).body as { count: number }).count;
    };
    expect([await found('true'), await found('false')]).toEqual([1, 0]);
    expect([await found('true', other), await found('false', other)]).toEqual([0, 1]);
    await of.call('PATCH', `insights/${id}`, { body: { favourite: false } });
    expect([await found('true'), await found('false')]).toEqual([0, 1]);
  });

  it('says which dashboards show it', async () => {
    const { id } = await make(payments);
    const body = { name: 'Shown', tiles: [{ insight_id: id }, { insight_id: id }] };
    const board = (await of.call('POST', 'dashboards', { body })).body as DashboardDto;
    expect((await of.call('GET', `insights/${id}`)).body).toMatchObject({
      dashboards: [{ id: board.id, name: 'Shown' }],
    });
  });
});

describe('the answer to a saved question', () => {
  it.each([
    ['trends', 'trends', payments.params],
    ['funnel', 'funnel', { events: [{ id: 'paid' }, { id: 'paid' }], ...march }],
    ['correlation', 'funnel/correlation', { events: [{ id: 'paid' }, { id: 'paid' }], ...march }],
    ['retention', 'retention', { target_entity: { id: 'paid' }, total_intervals: 3, date_to: '2024-03-07' }],
    ['paths', 'path', march],
    ['lifecycle', 'lifecycle', march],
    ['stickiness', 'stickiness', march],
  ])('is what the route answers: %s', async (type, route, params) => {
    const { id } = await make({ type, params });
    const query = Object.fromEntries(
      Object.entries({ ...params, include: 'insight' }).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const direct = await of.call('GET', `persons/${route}`, { query, headers: at('12:00:00') });
    expect(direct.status).toBe(200);
    const answer = await ask(id);
    expect(answer.body).toEqual({
      as_of: (direct.body as { insight: { as_of: string } }).insight.as_of,
      is_cached: false,
      answer: direct.body,
    });
  });

  it('is kept, says of when it is, and is computed anew on request or when it is old', async () => {
    const project = await service.newProject();
    const other = new PersonsOf(service, project.id);
    of = other;
    try {
      await send([paid('ada', '2024-03-05T10:00:00Z', {})]);
      const { id } = await make(payments);
      expect(dataOf(await ask(id))).toEqual([[0, 1, 0, 0], false]);
      await send([paid('bob', '2024-03-06T11:00:00Z', {})]);
      const kept = await ask(id, {}, '12:10:00');
      expect(dataOf(kept)).toEqual([[0, 1, 0, 0], true]);
      expect((kept.body as InsightAnswerDto).as_of).toBe('2024-03-10T12:00:00.000Z');
      expect(dataOf(await ask(id, { refresh: 'true' }, '12:11:00'))).toEqual([[0, 1, 1, 0], false]);
      expect(dataOf(await ask(id, {}, '12:12:00'))).toEqual([[0, 1, 1, 0], true]);
      expect(dataOf(await ask(id, {}, '12:26:00'))).toEqual([[0, 1, 1, 0], false]);
    } finally {
      of = new PersonsOf(service, service.project.id);
    }
  });

  it('is void after a deletion of a person, and after a change of an action or of settings', async () => {
    const project = await service.newProject();
    of = new PersonsOf(service, project.id);
    try {
      await of.make(['cyd'], { email: 'cyd@example.test' });
      await send([paid('cyd', '2024-03-05T10:00:00Z', {}), paid('dan', '2024-03-06T10:00:00Z', { plan: 'x' })]);
      const action = (await of.call('POST', 'actions', { body: { name: 'Pays', steps: [{ event: 'paid' }] } })).body;
      const { id: actionId } = action as { id: number };
      const { id } = await make({ type: 'trends', params: { actions: [{ id: actionId }], ...march } });
      const isKept = async () => dataOf(await ask(id));
      expect([await isKept(), await isKept()]).toEqual([
        [[0, 1, 1, 0], false],
        [[0, 1, 1, 0], true],
      ]);
      const steps = [{ event: 'paid', properties: [{ key: 'plan', value: 'x' }] }];
      await of.call('PATCH', `actions/${actionId}`, { body: { steps } });
      expect([await isKept(), await isKept()]).toEqual([
        [[0, 0, 1, 0], false],
        [[0, 0, 1, 0], true],
      ]);
      await service.call('PATCH', `/api/projects/${project.id}`, { body: { timezone: 'Asia/Tokyo' } });
      expect((await isKept())[1]).toBe(false);
      const { id: personId } = await of.ofDistinctId('cyd');
      await of.call('DELETE', `persons/${personId}`);
      expect((await isKept())[1]).toBe(false);
    } finally {
      of = new PersonsOf(service, service.project.id);
    }
  });

  it('may be asked for another time range', async () => {
    const { id } = await make(payments);
    const query = { date_from: '2024-03-06', date_to: '2024-03-06' };
    expect(dataOf(await ask(id, query))[0]).toEqual([2]);
    expect((await ask(id, { date_from: 'tomorrow' })).body).toMatchObject({ status: 400, attr: 'date_from' });
    const retention = await make({ type: 'retention', params: {} });
    expect((await ask(retention.id, { date_from: '-3d' })).body).toMatchObject({ status: 400, attr: 'date_from' });
    expect((await ask(retention.id, { date_to: '2024-03-07' })).status).toBe(200);
  });

  it('to a question in SQL has its rows, and needs the scope of such questions', async () => {
    const query = 'select event, count() as n from events group by event';
    const { id } = await make({ type: 'sql', params: { query } });
    expect((await ask(id)).body).toMatchObject({
      is_cached: false,
      answer: { columns: ['event', 'n'], results: [['paid', 3]], hasMore: false },
    });
    expect((await ask(id)).body).toMatchObject({ is_cached: true, answer: { results: [['paid', 3]] } });
    const { text: key } = await service.newKey({ scopes: ['insight:read', 'person:read'] });
    const refused = await ask(id, {}, '12:00:00', key);
    expect([refused.status, refused.headers['x-required-scopes']]).toEqual([403, 'query:read']);
    expect((await ask((await make(payments)).id, {}, '12:00:00', key)).status).toBe(200);
    const { text: only } = await service.newKey({ scopes: ['insight:read'] });
    expect((await ask((await make(payments)).id, {}, '12:00:00', only)).status).toBe(403);
    expect((await ask(id, { date_from: '-7d' })).body).toMatchObject({ status: 400, attr: 'date_from' });
  });

  it('says what is wrong with a question that was valid once', async () => {
    const action = (await of.call('POST', 'actions', { body: { name: 'Gone', steps: [{}] } })).body as { id: number };
    const { id } = await make({ type: 'trends', params: { actions: [{ id: action.id }] } });
    await of.call('DELETE', `actions/${action.id}`);
    expect((await ask(id)).body).toMatchObject({ status: 400, attr: 'question.params.actions.0.id' });
  });
});
