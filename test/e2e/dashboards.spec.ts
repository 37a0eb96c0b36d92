import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DashboardAnswersDto, type DashboardDto } from '../../src/saved/dashboards/dashboard.dto.js';
import { type SavedInsightDto } from '../../src/saved/insights/insight.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type CallOptions, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: PersonsOf;
let trends: number;
let sql: number;

const headers = { 'X-Test-Now': '2024-03-10T12:00:00Z' };
const march = { date_from: '2024-03-04', date_to: '2024-03-07' };

beforeAll(async () => {
  service = await sharedService();
  of = new PersonsOf(service, service.project.id);
  const lines = ['2024-03-05T10:00:00Z', '2024-03-06T10:00:00Z', '2024-03-06T11:00:00Z'].map((timestamp) =>
    JSON.stringify({ type: 'event', event: 'paid', distinct_id: 'ada', timestamp }),
  );
  const sent = { body: lines.join('\n'), headers: { 'content-type': 'application/x-ndjson' } };
  expect((await of.call('POST', 'import', sent)).body).toMatchObject({ events: 3 });
  trends = await save({ type: 'trends', params: { events: [{ id: 'paid' }], ...march } });
  sql = await save({ type: 'sql', params: { query: 'select count() from events' } });
});
afterAll(() => service.stop());

const save = async (question: object): Promise<number> => {
  const answer = await of.call('POST', 'insights', { body: { name: 'A question', question } });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.body as { id: number }).id;
};

const make = async (body: object): Promise<DashboardDto> => {
  const answer = await of.call('POST', 'dashboards', { body: { name: 'Board', ...body } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as DashboardDto;
};

const answersOf = async (id: number, options: CallOptions = {}): Promise<DashboardAnswersDto['results']> => {
  const answer = await of.call('GET', `dashboards/${id}/answers`, { headers, ...options });
  if (answer.status !== 200) throw new Error(answer.text);
  return (answer.body as DashboardAnswersDto).results;
};

const valuesOf = (answer: object | undefined): unknown =>
  (answer as { insight: { series: { data: number[] }[] } }).insight.series[0]?.data;

describe('a dashboard', () => {
  it('is made, read, listed, changed and deleted, and each change is logged', async () => {
    const made = await make({
      date_from: '-30d',
      tiles: [
        { insight_id: trends, position: 5 },
        { insight_id: sql, width: 12 },
      ],
    });
    const [first, second] = made.tiles;
    expect(made).toMatchObject({
      ...{ name: 'Board', description: '', date_from: '-30d', date_to: null, favourite: false },
      tiles: [
        { insight_id: sql, position: 0, width: 12 },
        { insight_id: trends, position: 1, width: 6 },
      ],
    });
    const path = `dashboards/${made.id}`;
    expect((await of.call('GET', path)).body).toEqual(made);
    expect((await of.call('GET', 'dashboards', { query: { search: 'boa' } })).body).toMatchObject({
      count: 1,
      results: [{ ...made, tiles: [{ insight_id: sql }, { insight_id: trends }] }],
    });

    const tiles = [{ id: second?.id, insight_id: trends, width: 4 }, { insight_id: trends }];
    const changed = (await of.call('PATCH', path, { body: { ...made, tiles } })).body as DashboardDto;
    expect(changed.tiles).toMatchObject([
      { id: second?.id, insight_id: trends, position: 0, width: 4 },
      { insight_id: trends, position: 1, width: 6 },
    ]);
    expect(changed.tiles[1]?.id).not.toBe(first?.id);
    const renamed = (await of.call('PATCH', path, { body: { name: 'Renamed', date_from: null } })).body;
    expect(renamed).toMatchObject({ name: 'Renamed', date_from: null, tiles: changed.tiles });
    expect((await of.call('DELETE', path)).status).toBe(204);
    expect((await of.call('GET', path)).status).toBe(404);
    expect((await of.call('GET', `insights/${trends}`)).status).toBe(200);
    const entries = await of.activity('activity', { scope: 'Dashboard', limit: 100 });
    const own = entries.filter(({ item_id: id }) => id === String(made.id));
    expect(own.map(({ activity, detail }) => [activity, detail.changes.map(({ field }) => field)])).toEqual([
      ['deleted', [null]],
      ['updated', ['name', 'date_from']],
      ['updated', ['tiles']],
      ['created', [null]],
    ]);
  });

  it('refuses tiles and dates that it cannot have', async () => {
    const { id, tiles } = await make({ tiles: [{ insight_id: trends }] });
    const [tile] = tiles;
    const twice = [tile, { ...tile, position: 1 }];
    const cases: [object, string][] = [
      [{ tiles: [{ insight_id: 999_999_999 }] }, 'tiles.0.insight_id'],
      [{ tiles: [{ insight_id: trends }, { id: 999_999_999, insight_id: trends }] }, 'tiles.1.id'],
      [{ tiles: twice }, 'tiles.1.id'],
      [{ tiles: [{ insight_id: trends, width: 13 }] }, 'tiles.0.width'],
      [{ tiles: [{}] }, 'tiles.0.insight_id'],
      [{ tiles: [{ insight_id: trends, text: { body: 'Both' } }] }, 'tiles.0'],
      [{ tiles: [{ text: { body: ' ' } }] }, 'tiles.0.text.body'],
      [{ tiles: [{ text: { body: 'x'.repeat(4001) } }] }, 'tiles.0.text.body'],
      [{ tiles: [{ ...tile, text: { body: 'A text now' }, insight_id: null }] }, 'tiles.0.id'],
      [{ tiles: [{ insight_id: trends, layouts: { sm: { x: 0, y: 0, w: 6 } } }] }, 'tiles.0.layouts.sm.h'],
      [{ tiles: [{ insight_id: trends, layouts: { sm: { x: 12, y: 0, w: 1, h: 1 } } }] }, 'tiles.0.layouts.sm.x'],
      [{ tiles: [{ insight_id: trends, height: 51 }] }, 'tiles.0.height'],
      [{ tiles: Array.from({ length: 51 }, () => ({ insight_id: trends })) }, 'tiles'],
      [{ date_from: 'soon' }, 'date_from'],
      [{ date_from: '2024-03-05', date_to: '2024-03-04' }, 'date_from'],
      [{ name: null }, 'name'],
    ];
    for (const [body, attr] of cases) {
      const answer = await of.call('PATCH', `dashboards/${id}`, { body });
      expect([attr, answer.status, answer.body]).toEqual([attr, 400, expect.objectContaining({ attr })]);
    }
    expect((await of.call('GET', `dashboards/${id}`)).body).toMatchObject({ tiles });
  });

  it('has the insight of each tile, except in the list', async () => {
    const { id } = await make({ tiles: [{ insight_id: trends }] });
    const { tiles } = (await of.call('GET', `dashboards/${id}`)).body as DashboardDto;
    const { short_id, derived_name } = (await of.call('GET', `insights/${trends}`)).body as SavedInsightDto;
    const insight = {
      id: trends,
      short_id,
      name: 'A question',
      derived_name,
      question: { type: 'trends' },
      query: { kind: 'InsightVizNode' },
    };
    expect(tiles).toMatchObject([{ insight_id: trends, position: 0, order: 0, insight }]);
    const { results } = (await of.call('GET', 'dashboards')).body as { results: DashboardDto[] };
    expect(results.find((one) => one.id === id)?.tiles[0]).not.toHaveProperty('insight');
  });

  it('has tiles in a grid, and texts among them, as clients of the reference product send them', async () => {
    const at = (x: number, y: number, w: number, h: number) => ({ layouts: { sm: { x, y, w, h, minW: 1 }, xs: {} } });
    const made = await make({
      tiles: [
        { insight_id: trends, ...at(0, 2, 8, 6) },
        { insight_id: sql, ...at(8, 2, 4, 3) },
        { text: { body: '# Weekly' }, insight: null, ...at(0, 0, 12, 2) },
      ],
    });
    const place = (x: number, y: number, w: number, h: number) => ({
      ...{ width: w, height: h, layouts: { sm: { x, y, w, h } } },
    });
    expect(made.tiles).toMatchObject([
      { insight_id: 0, text: { body: '# Weekly' }, position: 0, ...place(0, 0, 12, 2) },
      { insight_id: trends, text: null, position: 1, ...place(0, 2, 8, 6) },
      { insight_id: sql, position: 2, ...place(8, 2, 4, 3) },
    ]);
    expect(new Set(made.tiles.map(({ id }) => id)).size).toBe(3);
    const path = `dashboards/${made.id}`;
    const [text, chart, table] = made.tiles;
    const tiles = [
      { ...text, text: { body: 'Below', last_modified_at: 'now' }, ...at(0, 9, 12, 1) },
      { ...chart, ...at(0, 0, 8, 6) },
      table,
    ];
    const changed = (await of.call('PATCH', path, { body: { ...made, tiles } })).body as DashboardDto;
    expect(changed.tiles).toMatchObject([
      { id: chart?.id, ...place(0, 0, 8, 6) },
      { id: table?.id, ...place(8, 0, 4, 3) },
      { id: text?.id, text: { body: 'Below' }, ...place(0, 6, 12, 1) },
    ]);
    expect((await of.call('GET', path)).body).toEqual(changed);
    const answers = await answersOf(made.id);
    expect(answers.map(({ tile_id: id }) => id)).toEqual([chart?.id, table?.id]);
    const without = (await of.call('PATCH', path, { body: { tiles: changed.tiles.slice(1) } })).body as DashboardDto;
    expect(without.tiles.map(({ id }) => id)).toEqual([table?.id, text?.id]);
    const [entry] = await of.activity('activity', { scope: 'Dashboard', limit: 1 });
    expect(entry?.detail.changes[0]).toMatchObject({
      field: 'tiles',
      after: [{ insight_id: sql }, { text: 'Below' }],
    });
  });

  it('takes its range as filters, too', async () => {
    const made = await make({ filters: { date_from: '-7d', properties: [] } });
    expect(made).toMatchObject({ date_from: '-7d', date_to: null, filters: { date_from: '-7d', date_to: null } });
    const change = async (body: object) => (await of.call('PATCH', `dashboards/${made.id}`, { body })).body;
    // The form that was read loses against the one that was changed.
    expect(await change({ ...made, date_from: '-30d' })).toMatchObject({ filters: { date_from: '-30d' } });
    expect(await change({ date_from: '-30d', filters: { date_to: 'now' } })).toMatchObject({
      date_from: null,
      date_to: 'now',
    });
    expect(await change({})).toMatchObject({ date_to: 'now' });
    for (const [body, attr] of [
      [{ date_from: '-1d', filters: { date_from: '-2d' } }, 'filters'],
      [{ filters: { properties: 5 } }, 'filters.properties'],
      [{ filters: { properties: [{ key: 'plan', operator: 'is', value: 1 }] } }, 'filters.properties.0.operator'],
      [{ filters: { properties: [{ type: 'cohort', value: 9999 }] } }, 'filters.properties.0.value'],
      [{ filters: { breakdown_filter: { breakdown_kind: 'x' } } }, 'filters.breakdown_filter.breakdown_kind'],
      [
        { filters: { breakdown_filter: { breakdown: ['a', 'b', 'c', 'd', 'e', 'f'] } } },
        'filters.breakdown_filter.breakdown',
      ],
      [{ filters: { date_from: 5 } }, 'filters.date_from'],
      [{ filters: { data_from: '-2d' } }, 'filters.data_from'],
      [{ filters: { date_from: 'soon' } }, 'date_from'],
    ] as const)
      expect(await change(body)).toMatchObject({ status: 400, attr });
  });

  it('loses the tiles of an insight that is deleted', async () => {
    const gone = await save({ type: 'trends', params: {} });
    const { id } = await make({ tiles: [{ insight_id: gone }, { insight_id: trends }, { insight_id: gone }] });
    expect((await of.call('DELETE', `insights/${gone}`)).status).toBe(204);
    expect((await of.call('GET', `dashboards/${id}`)).body).toMatchObject({
      tiles: [{ insight_id: trends, position: 0 }],
    });
    const [entry] = await of.activity('activity', { scope: 'Dashboard', limit: 1 });
    expect(entry).toMatchObject({ item_id: String(id), detail: { changes: [{ field: 'tiles' }] } });
  });
});

describe('the answers of a dashboard', () => {
  it('come tile by tile in their order, and a tile that fails does not stop the others', async () => {
    const { id: action } = (await of.call('POST', 'actions', { body: { name: 'Gone', steps: [{}] } })).body as {
      id: number;
    };
    const broken = await save({ type: 'trends', params: { actions: [{ id: action }] } });
    await of.call('DELETE', `actions/${action}`);
    const order = [broken, trends, sql, broken, trends];
    const { id, tiles } = await make({ tiles: order.map((insight_id) => ({ insight_id })) });
    const answers = await answersOf(id);
    expect(answers.map(({ tile_id, insight_id }) => [tile_id, insight_id])).toEqual(
      tiles.map((tile) => [tile.id, tile.insight_id]),
    );
    expect(answers.map(({ problem }) => problem?.attr)).toEqual([
      'question.params.actions.0.id',
      undefined,
      undefined,
      'question.params.actions.0.id',
      undefined,
    ]);
    expect(valuesOf(answers[1]?.answer)).toEqual([0, 1, 2, 0]);
    expect(answers[2]?.answer).toMatchObject({ results: [[3]] });
    expect((await answersOf(id)).map(({ is_cached: isCached }) => isCached)).toEqual([
      undefined,
      true,
      true,
      undefined,
      true,
    ]);
    const refreshed = await answersOf(id, { query: { refresh: 'true' } });
    expect(refreshed[1]).toMatchObject({ is_cached: false });
  });

  it('are those of the time range of the dashboard, where a question has one', async () => {
    const tiles = [{ insight_id: trends }, { insight_id: sql }];
    const { id } = await make({ tiles, date_from: '2024-03-06', date_to: '2024-03-06' });
    const answers = await answersOf(id);
    expect(valuesOf(answers[0]?.answer)).toEqual([2]);
    expect(answers[1]?.answer).toMatchObject({ results: [[3]] });
    const other = await answersOf(id, { query: { date_from: '2024-03-05', date_to: '2024-03-06' } });
    expect(valuesOf(other[0]?.answer)).toEqual([1, 2]);
  });

  it('are those of the questions with the filters and the breakdown of all tiles', async () => {
    const lines = [
      ['bob', 'pro', 1],
      ['cy', 'pro', 2],
      ['dan', 'free', 4],
    ].flatMap(([id, plan, times]) => [
      JSON.stringify({ type: 'person', distinct_ids: [id], properties: { plan } }),
      ...Array.from({ length: Number(times) }, (_, at) =>
        JSON.stringify({
          ...{ type: 'event', event: 'seen', distinct_id: id, timestamp: `2024-03-05T1${at}:00:00Z` },
          properties: { page: at === 0 ? 'home' : 'shop' },
        }),
      ),
    ]);
    const headersOfLines = { 'content-type': 'application/x-ndjson' };
    expect((await of.call('POST', 'import', { body: lines.join('\n'), headers: headersOfLines })).status).toBe(200);
    const cohort = (
      await of.call('POST', 'cohorts', { body: { name: 'Pros', is_static: true, distinct_ids: ['bob', 'cy'] } })
    ).body as { id: number };
    const own = [{ key: 'page', value: 'shop' }];
    const either = {
      type: 'OR',
      values: [
        { key: 'page', value: 'home' },
        { key: 'page', value: 'shop' },
      ],
    };
    const day = { date_from: '2024-03-05', date_to: '2024-03-05' };
    const questions = [
      { type: 'trends', params: { events: [{ id: 'seen' }], properties: own, ...day } },
      { type: 'trends', params: { events: [{ id: 'seen' }], properties: either, breakdown: 'page', ...day } },
      { type: 'funnel', params: { events: [{ id: 'seen' }, { id: 'seen' }], ...march } },
      { type: 'sql', params: { query: "select count() from events where event = 'seen'" } },
    ];
    const ids: number[] = [];
    for (const question of questions) ids.push(await save(question));
    const pros = [{ key: 'plan', type: 'person', value: 'pro' }];
    const filters = { ...day, properties: pros, breakdown_filter: null };
    const board = await make({ filters, tiles: ids.map((insight_id) => ({ insight_id })) });
    expect(board.filters).toEqual(filters);
    const linesOf = (answer: object | undefined): unknown =>
      (answer as { insight: { series: { data: number[]; breakdown_value?: unknown }[] } }).insight.series.map(
        ({ data, breakdown_value: value }) => [value ?? null, data[0]],
      );
    const [first, second, third, fourth] = await answersOf(board.id);
    // Bob was on the home page, Cy there and in the shop.
    expect([linesOf(first?.answer), linesOf(second?.answer)]).toEqual([
      [[null, 1]],
      [
        ['home', 2],
        ['shop', 1],
      ],
    ]);
    expect(third?.answer).toMatchObject({ insight: { steps: [{ count: 2 }, { count: 1 }] } });
    expect(fourth?.answer).toMatchObject({ results: [[7]] });

    // Each number is that of the question as it was asked.
    for (const tile of [first, second, third]) {
      const { type = '', params } = tile?.question ?? {};
      const query = Object.fromEntries(
        Object.entries({ ...params, include: 'insight' }).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      );
      const alone = await of.call('GET', `persons/${type}`, { headers, query });
      expect((alone.body as { insight: object }).insight).toMatchObject({
        ...(tile?.answer as { insight: object }).insight,
        as_of: expect.any(String),
      });
    }

    const override = (changed: object) => ({ query: { filters_override: JSON.stringify(changed) } });
    const byCohort = { breakdown_filter: { breakdown: [cohort.id, 'all'], breakdown_type: 'cohort' } };
    const [split, splitToo] = await answersOf(board.id, override({ ...day, ...byCohort }));
    expect(linesOf(split?.answer)).toEqual([
      ['all', 4],
      [String(cohort.id), 1],
    ]);
    expect(linesOf(splitToo?.answer)).toEqual([
      ['all', 7],
      [String(cohort.id), 3],
    ]);
    const [unfiltered] = await answersOf(board.id, override({}));
    expect(linesOf(unfiltered?.answer)).toEqual([[null, 4]]);
    // What is asked in its place is not saved.
    expect((await of.call('GET', `dashboards/${board.id}`)).body).toMatchObject({ filters });
    for (const [text, attr] of [
      ['{', 'filters_override'],
      ['{"properties":[{"key":"plan","operator":"is"}]}', 'filters_override.properties.0.operator'],
      ['{"days":3}', 'filters_override.days'],
    ] as const)
      expect(
        (await of.call('GET', `dashboards/${board.id}/answers`, { query: { filters_override: text } })).body,
      ).toMatchObject({ status: 400, attr });
    const cleared = await of.call('PATCH', `dashboards/${board.id}`, { body: { filters: { date_from: '-7d' } } });
    expect(cleared.body).toMatchObject({ filters: { date_from: '-7d', properties: [], breakdown_filter: null } });
    const [entry] = await of.activity('activity', { scope: 'Dashboard', limit: 1 });
    expect(entry?.detail.changes).toContainEqual({
      ...{ type: 'Dashboard', action: 'changed', field: 'properties', before: true, after: false },
    });
  });

  it('leave out what the key may not ask', async () => {
    const { id } = await make({ tiles: [{ insight_id: sql }, { insight_id: trends }] });
    const { text: key } = await service.newKey({ scopes: ['insight:read', 'person:read'] });
    const answers = await answersOf(id, { key });
    expect(answers.map(({ problem }) => problem?.status)).toEqual([403, undefined]);
  });

  it('of a dashboard without tiles are none', async () => {
    expect(await answersOf((await make({})).id)).toEqual([]);
  });
});

describe('an insight that names dashboards', () => {
  it('gets a tile on each of them, and loses those on others', async () => {
    const [first, second] = [await make({}), await make({ tiles: [{ insight_id: sql }] })];
    const insight = (await of.call('POST', 'insights', {
      body: { name: 'Shown', question: { type: 'sql', params: { query: 'select 1' } }, dashboards: [first.id] },
    })) as { status: number; body: { id: number; dashboards: object[] } };
    expect(insight.body.dashboards).toEqual([{ id: first.id, name: 'Board' }]);
    const path = `insights/${insight.body.id}`;
    const tilesOf = async ({ id }: DashboardDto) =>
      ((await of.call('GET', `dashboards/${id}`)).body as DashboardDto).tiles.map(({ insight_id }) => insight_id);

    const moved = await of.call('PATCH', path, { body: { dashboards: [second.id] } });
    expect(moved.body).toMatchObject({ dashboards: [{ id: second.id }] });
    expect(await tilesOf(first)).toEqual([]);
    expect(await tilesOf(second)).toEqual([sql, insight.body.id]);
    // Sent back as it was read, or twice, it changes nothing.
    await of.call('PATCH', path, { body: moved.body as object });
    await of.call('PATCH', path, { body: { dashboards: [second.id, second.id] } });
    expect(await tilesOf(second)).toEqual([sql, insight.body.id]);
    const [entry] = await of.activity('activity', { scope: 'Dashboard', limit: 1 });
    expect(entry?.detail.changes).toEqual([
      { type: 'Dashboard', action: 'changed', field: 'tiles', before: [], after: [{ insight_id: insight.body.id }] },
    ]);

    for (const [dashboards, detail] of [
      [[first.id, 999], 'dashboards.1 must be the id of a dashboard of this project: there is no dashboard 999'],
      [['1'], 'dashboards must be a list of ids of dashboards'],
      [
        [(await make({ tiles: Array.from({ length: 50 }, () => ({ insight_id: sql })) })).id],
        expect.stringMatching(/^dashboards\.0: dashboard \d+ has 50 tiles, which is the most; remove one first$/),
      ],
    ] as const) {
      const refused = await of.call('PATCH', path, { body: { dashboards } });
      expect(refused).toMatchObject({ status: 400, body: { detail } });
    }
    expect(await tilesOf(second)).toEqual([sql, insight.body.id]);
  });
});
