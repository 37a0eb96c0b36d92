import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { GroupsOf } from '../support/groups.js';
import { sharedService } from '../support/shared-service.js';
import { eventUuid, fillScene, now, type Scene } from '../query/questions/scene.js';
import { event, Nodes } from './node-asking.js';

let service: ServiceHandle;
let nodes: Nodes;
let scene: Scene;
let action: number;
beforeAll(async () => {
  service = await sharedService();
  nodes = new Nodes(service, service.project.id, now);
  scene = await fillScene(service, service.project);
  const actions = await service.call('GET', `/api/projects/${service.project.id}/actions`);
  action = (actions.body as { results: { id: number }[] }).results[0]?.id ?? 0;
});
afterAll(() => service.stop());

const rowsOf = async (node: object): Promise<unknown> => (await nodes.answer(node)).results;
const march = { after: '2024-03-01', before: '2024-03-11' };
const purchases = { kind: 'EventsQuery', event: 'purchased', ...march };

describe('HogQLQuery', () => {
  const linux = { key: '$os', value: 'Linux' };
  const counted = (filters: object | undefined, query = 'select count() from events where {filters}') =>
    rowsOf({ kind: 'HogQLQuery', query, ...(filters && { filters }) });

  it('has its filters where {filters} stands', async () => {
    const dateRange = { date_from: '2024-03-01', date_to: '2024-03-01' };
    const all = (await counted(undefined)) as number[][];
    expect(all[0]?.[0]).toBeGreaterThan(10);
    expect(await counted({ dateRange: {}, properties: [] })).toEqual(all);
    expect(await counted({ dateRange })).toEqual([[5]]);
    expect(await counted({ properties: [linux] })).toEqual([[2]]);
    expect(await counted({ dateRange: { date_to: '2024-03-01' }, properties: [linux] })).toEqual(
      await rowsOf({
        kind: 'EventsQuery',
        select: ['count()'],
        after: 'all',
        before: '2024-03-02',
        properties: [linux],
      }),
    );
    const joined = `select count() from events e join persons p on p.id = e.person_id where {filters} and p.properties.plan = 'pro'`;
    expect(await counted({ dateRange }, joined)).toEqual(
      await counted(
        undefined,
        joined.replace('{filters}', `e.timestamp between '2024-03-01' and '2024-03-01 23:59:59.999'`),
      ),
    );
    const ends = 'select {filters.dateRange.from}, {filters.dateRange.to}';
    expect(await counted({ dateRange }, ends)).toEqual([['2024-03-01T00:00:00.000Z', '2024-03-01T23:59:59.999Z']]);
  });

  it.each([
    ['select count() from events', { properties: [linux] }, 'filters', 'write {filters} where they belong'],
    ['select {filters}', { dateRange: { date_from: 'soon' } }, 'filters.dateRange.date_from', 'must be an ISO date'],
    [
      'select {filters}',
      { properties: [{ key: 'a', operator: 'near', value: 1 }] },
      'filters.properties.0.operator',
      '',
    ],
    ['select {filters}', { event: 'a' }, 'filters.event', 'has no "event"'],
    ['select count() from persons where {filters}', { properties: [linux] }, 'query', 'needs the table events'],
    ['select {filters.dateRange.from}', {}, 'query', 'has no value'],
    ['select 1 as {filters}', {}, 'query', ''],
  ])('names what is wrong: %s with %j', async (query, filters, attr, detail) => {
    expect(await nodes.refusal({ kind: 'HogQLQuery', query, filters })).toEqual([
      400,
      `query.${attr}`,
      expect.stringContaining(detail),
    ]);
  });
});

describe('EventsQuery', () => {
  it('lists columns of the dialect, the latest event first', async () => {
    const select = [
      'event',
      'timestamp',
      'properties.quantity -- Quantity',
      'person.properties.plan',
      'upper(event) as name',
    ];
    const { results, ...rest } = await nodes.answer({ ...purchases, select, limit: 2 });
    expect(results).toEqual([
      ['purchased', '2024-03-08T10:00:00.000Z', 1, 'pro', 'PURCHASED'],
      ['purchased', '2024-03-08T09:00:00.000Z', 4, 'pro', 'PURCHASED'],
    ]);
    expect(rest).toMatchObject({ columns: select, hasMore: true, limit: 2, offset: 0, is_cached: false });
    expect(rest.types).toHaveLength(5);
    expect(await rowsOf({ ...purchases, select: ['properties.quantity'], offset: 2 })).toEqual([[1], [2]]);
  });

  it('shows events and persons as objects', async () => {
    const [[whole, person] = []] = (await rowsOf({ ...purchases, select: ['*', 'person'], limit: 1 })) as unknown[][];
    expect(whole).toMatchObject({
      uuid: eventUuid(12),
      event: 'purchased',
      properties: { price: 1.25, items: ['pen', 'pen', 'cup'] },
      distinct_id: 'ada',
      timestamp: '2024-03-08T10:00:00.000Z',
    });
    expect(person).toMatchObject({ distinct_id: 'ada', properties: { email: 'ada@example.test' } });
    const old = await nodes.answer({ kind: 'EventsNode', event: 'signed up', limit: 1 });
    expect(old.results).toMatchObject([{ event: 'signed up', distinct_id: 'dan' }]);
  });

  it('filters by all that the schema has', async () => {
    const counted = async (more: object) => rowsOf({ kind: 'EventsQuery', select: ['count()'], ...march, ...more });
    expect(await counted({})).toEqual([[15]]);
    expect(await counted({ event: '$pageview' })).toEqual([[7]]);
    expect(await counted({ events: ['purchased', 'signed up'] })).toEqual([[7]]);
    expect(await counted({ actionId: action })).toEqual([[7]]);
    expect(await counted({ where: ["event = 'purchased'", 'properties.quantity > 1'] })).toEqual([[2]]);
    expect(await counted({ properties: [{ key: 'plan', value: 'pro', type: 'person' }], event: 'purchased' })).toEqual([
      [3],
    ]);
    const group = {
      type: 'OR',
      values: [
        { key: 'price', operator: 'gt', value: 10 },
        { key: 'quantity', value: 1 },
      ],
    };
    expect(await counted({ properties: group })).toEqual([[5]]);
    expect(await counted({ properties: [{ type: 'cohort', key: 'id', value: scene.beta }] })).toEqual([[10]]);
    const linux = { key: '$os', value: 'Linux' };
    expect(await counted({ fixedProperties: [linux] })).toEqual([[2]]);
    const nothing = { type: 'AND', values: [] };
    expect(await counted({ fixedProperties: [nothing, linux] })).toEqual([[2]]);
    expect(await counted({ properties: [linux], fixedProperties: [nothing] })).toEqual([[2]]);
    expect(await counted({ properties: group, fixedProperties: [linux] })).toEqual([[0]]);
    const [[ada] = []] = (await rowsOf({ kind: 'ActorsQuery', select: ['id'], search: 'ada' })) as string[][];
    expect(await counted({ personId: ada })).toEqual([[6]]);
    expect(await rowsOf({ kind: 'EventsQuery', select: ['event'] })).toEqual([['$pageview']]);
    expect(await counted({ after: 'all', before: '2024-03-02' })).toEqual([[5]]);
  });

  it('groups by the other columns, and orders', async () => {
    const node = { kind: 'EventsQuery', select: ['event', 'count()'], ...march };
    expect(await rowsOf(node)).toEqual([
      ['$pageview', 7],
      ['purchased', 4],
      ['signed up', 3],
      ['$identify', 1],
    ]);
    expect(await rowsOf({ ...node, orderBy: ['count() ASC', 'event DESC'], limit: 2 })).toEqual([
      ['$identify', 1],
      ['signed up', 3],
    ]);
    const named = { ...node, select: ['event', 'count() as total -- Events'], orderBy: ['total ASC', 'event DESC'] };
    expect(await rowsOf({ ...named, limit: 2 })).toEqual([
      ['$identify', 1],
      ['signed up', 3],
    ]);
  });

  it('names the expression that is wrong, and lets none out of its brackets', async () => {
    const wrong = (node: object) => nodes.refusal({ kind: 'EventsQuery', ...march, ...node });
    expect(await wrong({ select: ['event', 'colour'] })).toEqual([
      400,
      'query.select.1',
      expect.stringContaining('colour'),
    ]);
    expect(await wrong({ select: ['event) from persons where (1 = 1'] })).toEqual([
      400,
      'query.select.0',
      expect.stringContaining(')'),
    ]);
    expect(await wrong({ select: ['event, uuid'] })).toEqual([
      400,
      'query.select.0',
      'query.select.0 must be one expression',
    ]);
    expect(await wrong({ select: ['event'], where: ['no_function(1)'] })).toEqual([
      400,
      'query.where.0',
      expect.stringContaining('no_function'),
    ]);
    expect(await wrong({ select: ['event'], orderBy: ['nothing DESC'] })).toEqual([
      400,
      'query.orderBy.0',
      expect.stringContaining('nothing'),
    ]);
    expect(await wrong({ select: ['event'], before: 'soon' })).toEqual([
      400,
      'query.before',
      expect.stringContaining('ISO date'),
    ]);
    expect(await wrong({ select: [] })).toEqual([
      400,
      'query.select',
      expect.stringContaining('query.select is required'),
    ]);
    expect(await wrong({ select: ['event'], properties: [{ key: 'a', operator: 'near', value: 1 }] })).toEqual([
      400,
      'query.properties.0.operator',
      expect.stringContaining('must be one of'),
    ]);
    expect(await wrong({ select: ['event'], limit: 5000 })).toEqual([
      400,
      'query.limit',
      expect.stringContaining('1 to 1000'),
    ]);
    expect(await wrong({ select: ['event'], actionId: 99 })).toEqual([
      400,
      'query.actionId',
      expect.stringContaining('no action'),
    ]);
  });
});

describe('ActorsQuery and PersonsNode', () => {
  const select = ['name', 'properties.plan'];
  const trends = {
    kind: 'TrendsQuery',
    series: [event('purchased'), event('signed up')],
    dateRange: { date_from: '2024-03-01', date_to: '2024-03-10' },
  };

  it('lists all persons, newest first', async () => {
    const { results, ...rest } = await nodes.answer({
      kind: 'ActorsQuery',
      select,
      orderBy: ['created_at DESC'],
      limit: 2,
    });
    expect(results).toEqual([
      ['dan', null],
      ['cyd@example.test', 'pro'],
    ]);
    expect(rest).toMatchObject({ columns: select, hasMore: true, limit: 2, offset: 0 });
    const properties = [{ key: 'plan', value: 'pro', type: 'person' }];
    expect(await rowsOf({ kind: 'ActorsQuery', select, properties })).toHaveLength(2);
    const [[person, id] = []] = (await rowsOf({ kind: 'ActorsQuery', search: 'bob' })) as [
      Record<string, unknown>,
      string,
    ][];
    expect(person).toMatchObject({ id, type: 'person', distinct_ids: ['bob'], properties: { plan: 'free' } });
    const old = await nodes.answer({ kind: 'DataTableNode', source: { kind: 'PersonsNode', cohort: scene.pro } });
    expect(old.results).toMatchObject([{ name: 'cyd@example.test' }, { name: 'ada@example.test' }]);
    expect((await nodes.answer({ kind: 'PersonsNode', distinctId: 'bob' })).results).toHaveLength(1);
  });

  const behind = async (source: object, more: object = {}): Promise<unknown[]> =>
    ((await rowsOf({ kind: 'ActorsQuery', select: ['name'], source, ...more })) as unknown[][]).map(([name]) => name);

  it('lists the persons behind each number', async () => {
    const source = {
      kind: 'InsightActorsQuery',
      source: trends,
      day: '2024-03-08',
      series: 0,
      includeRecordings: true,
    };
    expect((await behind(source)).sort()).toEqual(['ada@example.test', 'cyd@example.test']);
    const counts = { select: ['event_count', 'name'], orderBy: ['event_count DESC, actor_id DESC'] };
    expect(await behind({ ...source, day: null }, counts)).toEqual([2, 1, 1]);
    expect(
      await behind(
        {
          kind: 'InsightActorsQuery',
          source: { ...trends, breakdownFilter: { breakdown: 'coupon' } },
          breakdown: '$$_posthog_breakdown_null_$$',
        },
        counts,
      ),
    ).toEqual([2, 1]);
    const funnel = {
      kind: 'FunnelsQuery',
      series: [event('signed up'), event('purchased')],
      dateRange: trends.dateRange,
    };
    expect(await behind({ kind: 'FunnelsActorsQuery', source: funnel, funnelStep: -2 })).toEqual(['dan']);
    const stickiness = { kind: 'StickinessQuery', series: [event('purchased')], dateRange: trends.dateRange };
    expect(await behind({ kind: 'InsightActorsQuery', source: stickiness, day: 2 })).toEqual(['ada@example.test']);
    expect(await behind({ kind: 'StickinessActorsQuery', source: stickiness, day: 1, operator: 'exact' })).toHaveLength(
      2,
    );
    expect(await behind({ kind: 'StickinessActorsQuery', source: stickiness, day: 1, operator: 'gte' })).toHaveLength(
      3,
    );
    const lifecycle = { kind: 'LifecycleQuery', series: [event('purchased')], dateRange: trends.dateRange };
    expect(await behind({ kind: 'InsightActorsQuery', source: lifecycle, day: '2024-03-01', status: 'new' })).toEqual([
      'ada@example.test',
    ]);
    const retention = {
      kind: 'RetentionQuery',
      retentionFilter: { totalIntervals: 10 },
      dateRange: { date_to: '2024-03-10' },
    };
    const appearances = { select: ['name', 'appearances'], orderBy: ['length(appearances) DESC', 'actor_id'] };
    expect(await behind({ kind: 'InsightActorsQuery', source: retention, interval: 0 }, appearances)).toEqual([
      'ada@example.test',
    ]);
    const paths = { kind: 'PathsQuery', dateRange: trends.dateRange, pathsFilter: { pathStartKey: '1_signed up' } };
    expect((await behind({ kind: 'InsightActorsQuery', source: paths })).length).toBeGreaterThan(0);
    const correlation = {
      kind: 'FunnelCorrelationQuery',
      source: { kind: 'FunnelsActorsQuery', source: funnel },
      funnelCorrelationType: 'events',
    };
    const converted = { funnelCorrelationPersonConverted: false, funnelCorrelationPersonEntity: event('$pageview') };
    expect(await behind({ kind: 'FunnelCorrelationActorsQuery', source: correlation, ...converted })).toEqual(['dan']);
    expect(await behind(source, { search: 'cyd' })).toEqual(['cyd@example.test']);
  });

  it.each([
    ["select id, properties.plan from persons where properties.plan = 'pro'", ['cyd@example.test', 'ada@example.test']],
    [
      "select person_id from events where event = 'purchased' group by person_id",
      ['cyd@example.test', 'bob@example.test', 'ada@example.test'],
    ],
    [
      "select person_id as actor_id from events where event = 'signed up' and properties.plan = {plan}",
      ['ada@example.test'],
    ],
    ["select distinct_id from events where event = 'signed up' and timestamp > '2024-03-09'", ['dan']],
    ["select id from persons where properties.plan = 'none'", []],
  ])('lists the persons that a question in SQL selects: %s', async (query, names) => {
    const source = { kind: 'HogQLQuery', query, values: { plan: 'pro' } };
    const { results, hasMore } = await nodes.answer({ kind: 'ActorsQuery', source, select: ['name'] });
    expect([results, hasMore]).toEqual([names.map((name) => [name]), false]);
    const searched = { kind: 'ActorsQuery', source, select: ['name'], search: 'ada', limit: 1 };
    expect(await rowsOf(searched)).toEqual(names.includes('ada@example.test') ? [['ada@example.test']] : []);
  });

  it('names what is wrong with a question in SQL', async () => {
    const wrong = (query: string, more: object = {}) =>
      nodes.refusal({ kind: 'ActorsQuery', source: { kind: 'HogQLQuery', query, ...more } });
    expect(await wrong('select event from events')).toEqual([
      400,
      'query.source',
      expect.stringContaining('Persons come from a column person_id, actor_id or distinct_id'),
    ]);
    expect(await wrong('select id from')).toEqual([400, 'query.source', expect.any(String)]);
    expect(await wrong('select toInt(name) as person_id from persons limit')).toEqual([
      400,
      'query.source',
      expect.any(String),
    ]);
    expect(await wrong('select id from persons', { filters: { dateRange: { date_from: '-7d' } } })).toEqual([
      400,
      'query.source.filters',
      expect.stringContaining('write {filters} where they belong'),
    ]);
  });

  it('refuses what a list of persons cannot do', async () => {
    const wrong = (node: object) => nodes.refusal({ kind: 'ActorsQuery', ...node });
    expect(await wrong({ select: ['name', 'count()'] })).toEqual([
      400,
      'query.select.1',
      expect.stringContaining('ask for anything else in SQL'),
    ]);
    expect(await wrong({ orderBy: ['name ASC'] })).toEqual([
      400,
      'query.orderBy',
      expect.stringContaining('created_at DESC'),
    ]);
    const source = { kind: 'InsightActorsQuery', source: trends };
    expect(await wrong({ source, properties: [{ key: 'plan', value: 'pro', type: 'person' }] })).toEqual([
      400,
      'query.properties',
      expect.stringContaining('put them into the source'),
    ]);
    expect(await wrong({ source: { ...source, status: 'new' } })).toEqual([
      400,
      'query.source.status',
      expect.stringContaining('selects nothing'),
    ]);
    expect(await wrong({ source: { ...source, day: '2025-01-01' } })).toEqual([
      400,
      'query.source.day',
      expect.stringContaining('query.source.day must lie'),
    ]);
    const bad = { ...trends, series: [event('a', { math: 'mode' })] };
    expect(await wrong({ source: { ...source, source: bad } })).toEqual([
      400,
      'query.source.source.series.0.math',
      expect.stringContaining('query.source.source.series.0.math must be one of'),
    ]);
  });
});

describe('GroupsQuery', () => {
  it('lists groups of a type, newest first', async () => {
    const groups = new GroupsOf(service, service.project.id);
    const describes = (key: string, properties: object, timestamp: string) => ({
      ...{ event: '$groupidentify', timestamp },
      properties: { $group_type: 'company', $group_key: key, $group_set: properties },
    });
    await groups.send(
      describes('acme', { name: 'Acme', plan: 'pro', seats: 5 }, '2024-03-01T10:00:00Z'),
      describes('b-corp', { plan: 'free' }, '2024-03-02T10:00:00Z'),
      describes('c-corp', { plan: 'pro' }, '2024-03-03T10:00:00Z'),
    );
    const node = { kind: 'GroupsQuery', group_type_index: 0 };
    expect(await nodes.answer({ ...node, limit: 2 })).toMatchObject({
      ...{ columns: ['group_name'], hasMore: true, limit: 2, offset: 0 },
      results: [[{ display_name: 'c-corp', key: 'c-corp' }], [{ display_name: 'b-corp', key: 'b-corp' }]],
    });
    const pro = { key: 'plan', value: ['pro'], operator: 'exact', type: 'group', group_type_index: 0 };
    const select = ['key', 'properties.seats', 'created_at'];
    expect(await rowsOf({ ...node, select, properties: [pro], orderBy: ['created_at DESC'] })).toEqual([
      ['c-corp', null, '2024-03-03T10:00:00.000Z'],
      ['acme', 5, '2024-03-01T10:00:00.000Z'],
    ]);
    expect(await rowsOf({ ...node, select: ['key'], search: 'ACM' })).toEqual([['acme']]);
  });

  it.each([
    [{}, 'query'],
    [{ group_type_index: 20 }, 'query.group_type_index'],
    [{ group_type_index: 0, select: ['upper(key)'] }, 'query.select.0'],
    [{ group_type_index: 0, orderBy: ['key ASC'] }, 'query.orderBy'],
    [{ group_type_index: 0, properties: [{ key: 'plan', value: 'pro', type: 'person' }] }, 'query.properties.0.type'],
  ])('refuses %j', async (more, attr) => {
    expect((await nodes.refusal({ kind: 'GroupsQuery', ...more })).slice(0, 2)).toEqual([400, attr]);
  });
});

describe('InsightActorsQueryOptions', () => {
  const ask = async (source: object) => {
    const { results, timezone, is_cached, last_refresh, timings, query_status, ...options } = await nodes.answer({
      ...{ kind: 'InsightActorsQueryOptions', source: { kind: 'InsightActorsQuery', source } },
    });
    expect([results, timezone, is_cached, timings, query_status, last_refresh]).toHaveLength(6);
    return options;
  };
  const dateRange = { date_from: '2024-03-01', date_to: '2024-03-02' };

  it('names what the persons behind an insight can be selected by', async () => {
    const series = [event('purchased'), event('signed up', { custom_name: 'Joined' })];
    const day = [
      { label: '1-Mar-2024', value: '2024-03-01' },
      { label: '2-Mar-2024', value: '2024-03-02' },
    ];
    const named = [
      { label: 'purchased', value: 0 },
      { label: 'Joined', value: 1 },
    ];
    expect(await ask({ kind: 'TrendsQuery', series, dateRange })).toEqual({ day, series: named });
    const split = {
      breakdownFilter: { breakdown: 'plan', breakdown_type: 'person' },
      compareFilter: { compare: true },
    };
    expect(await ask({ kind: 'TrendsQuery', series: [event('$pageview')], dateRange, ...split })).toMatchObject({
      breakdown: [
        { label: 'free', value: 'free' },
        { label: 'pro', value: 'pro' },
      ],
      compare: [{ label: 'Current', value: 'current' }],
    });
    const breakdowns = [{ property: '$browser' }, { property: 'plan', type: 'person' }];
    const several = await ask({
      ...{ kind: 'TrendsQuery', series: [event('$pageview')], dateRange, breakdownFilter: { breakdowns } },
    });
    expect(several.breakdowns).toEqual([
      {
        values: [
          { label: 'Chrome', value: 'Chrome' },
          { label: 'Firefox', value: 'Firefox' },
        ],
      },
      {
        values: [
          { label: 'pro', value: 'pro' },
          { label: 'free', value: 'free' },
        ],
      },
    ]);
    const one = { series: [event('purchased')], dateRange };
    expect(await ask({ kind: 'LifecycleQuery', ...one })).toMatchObject({
      day,
      status: [{ label: 'New', value: 'new' }, {}, {}, {}],
    });
    expect(await ask({ kind: 'StickinessQuery', ...one })).toMatchObject({ day: [{ label: '1 day', value: 1 }, {}] });
    const retention = { kind: 'RetentionQuery', retentionFilter: { totalIntervals: 2 }, dateRange };
    expect(await ask(retention)).toEqual({
      interval: [
        { label: 'Day 0', value: 0 },
        { label: 'Day 1', value: 1 },
      ],
    });
    expect(await ask({ ...retention, breakdownFilter: { breakdown: 'plan', breakdown_type: 'person' } })).toMatchObject(
      {
        interval: [{ value: 0 }, { value: 1 }],
        breakdown: [{ value: 'free' }, { value: 'pro' }],
      },
    );
    expect(await ask({ kind: 'PathsQuery', dateRange })).toEqual({});
  });
});
