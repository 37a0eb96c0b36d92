import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { captured, fillScene, now, type Scene } from '../query/questions/scene.js';
import { event, Nodes } from './node-asking.js';

let service: ServiceHandle;
let nodes: Nodes;
let scene: Scene;
beforeAll(async () => {
  service = await sharedService();
  nodes = new Nodes(service, service.project.id, now);
  scene = await fillScene(service, service.project);
});
afterAll(() => service.stop());

const march = { date_from: '2024-03-01', date_to: '2024-03-10' };
const zeros = (...at: readonly (readonly [number, number])[]) =>
  Array.from({ length: 10 }, (_, day) => at.find(([one]) => one === day)?.[1] ?? 0);
const days = Array.from({ length: 10 }, (_, n) => `2024-03-${String(n + 1).padStart(2, '0')}`);

const trends = (entity: object, more: object = {}) => ({
  ...{ kind: 'TrendsQuery', series: [entity], dateRange: march },
  ...more,
});
const counted = (math_hogql: string, more: object = {}) => event('purchased', { math: 'hogql', math_hogql, ...more });
const numbers = async (node: object) => (await nodes.answer(node)).results.map(({ data }) => data);

/** The persons that a node's answer links to: their names and values. */
const persons = async (source: object, selected: object) => {
  const node = { kind: 'ActorsQuery', select: ['actor', 'event_count'], source: { source, ...selected } };
  const { results } = await nodes.answer({ ...node, source: { kind: 'InsightActorsQuery', ...node.source } });
  const rows = results as unknown as [{ distinct_ids: string[] }, number][];
  return rows.map(([{ distinct_ids }, value]) => [distinct_ids[0], value]).sort();
};

describe('the math hogql', () => {
  it.each<[string, number[]]>([
    ['sum(properties.price)', zeros([0, 10.5], [2, 5], [7, 21.25])],
    ['sum(toFloat(properties.price)) / count()', zeros([0, 10.5], [2, 5], [7, 10.625])],
    ['avg(toFloat(properties.quantity))', zeros([0, 2], [2, 1], [7, 2.5])],
    ['count(distinct person_id)', zeros([0, 1], [2, 1], [7, 2])],
    ["countIf(person.properties.plan = 'pro') -- a comment", zeros([0, 1], [7, 2])],
    ['count(distinct properties.coupon)', zeros([7, 1])],
    ['max(properties.quantity) - min(properties.quantity)', zeros([7, 3])],
    ["uniqIf(distinct_id, event = 'purchased' and toHour(timestamp) < 10)", zeros([2, 1], [7, 1])],
    ['length(groupUniqArray(properties.price))', zeros([0, 1], [2, 1], [7, 2])],
    ['arraySum(arrayMap(x -> x + 1, groupArray(toInt(properties.quantity))))', zeros([0, 3], [2, 2], [7, 7])],
    // What is no number is none: 1 / 0 is infinite.
    ['count() / countIf(false)', zeros()],
  ])('computes %s', async (expression, data) => {
    expect(await numbers(trends(counted(expression)))).toEqual([data]);
    const events = [{ id: 'purchased', math: 'hogql', math_hogql: expression }];
    expect(await nodes.insight('trends', { events, ...march })).toMatchObject({ series: [{ data }] });
  });

  it('takes a cohort and an action', async () => {
    expect(await numbers(trends(counted(`countIf(person_id in cohort ${scene.beta})`)))).toEqual([
      zeros([0, 1], [2, 1], [7, 1]),
    ]);
    expect(await numbers(trends(counted(`countIf(inCohort(person_id, ${scene.beta}))`)))).toEqual([
      zeros([0, 1], [2, 1], [7, 1]),
    ]);
  });

  it('stands beside other series, in formulas, breakdowns and totals', async () => {
    const series = [counted('sum(properties.price)'), event('purchased'), event('signed up', { math: 'dau' })];
    expect(await numbers({ ...trends({}), series })).toEqual([
      zeros([0, 10.5], [2, 5], [7, 21.25]),
      zeros([0, 1], [2, 1], [7, 2]),
      zeros([0, 1], [1, 1], [8, 1]),
    ]);
    const formula = { trendsFilter: { formula: 'A / B', display: 'BoldNumber' } };
    const { results } = await nodes.answer({ ...trends({}), series, ...formula });
    expect(results).toMatchObject([{ aggregated_value: 9.19 }]);
    const split = { breakdownFilter: { breakdown: 'plan', breakdown_type: 'person' } };
    const { results: byPlan } = await nodes.answer(trends(counted('sum(properties.price)'), split));
    expect(byPlan.map(({ breakdown_value: value, data }) => [value, data])).toEqual([
      ['pro', zeros([0, 10.5], [7, 21.25])],
      ['free', zeros([2, 5])],
    ]);
  });

  it('lists the persons whose own events change the number', async () => {
    const source = trends(counted('sum(properties.price)'));
    expect(await persons(source, { day: '2024-03-08', series: 0 })).toEqual([
      ['ada', 1.25],
      ['cyd', 20],
    ]);
    for (const expression of [
      'count(distinct person_id)',
      "countIf(person.properties.plan = 'pro')",
      'count(distinct properties.coupon)',
      'uniqIf(person_id, properties.quantity > 1)',
    ]) {
      const asked = trends(counted(expression));
      const [data = []] = await numbers(asked);
      for (const [at, day] of days.entries())
        expect([expression, day, (await persons(asked, { day, series: 0 })).length]).toEqual([
          expression,
          day,
          data[at],
        ]);
    }
  });
});

describe('a breakdown by an expression', () => {
  const bySize = { breakdown: "if(properties.price > 8, 'high', 'low')", breakdown_type: 'hogql' };

  it('splits numbers, and lists the persons of a value', async () => {
    const node = trends(event('purchased'), { breakdownFilter: bySize });
    const { results } = await nodes.answer(node);
    expect(results.map(({ breakdown_value: value, data }) => [value, data])).toEqual([
      ['high', zeros([0, 1], [7, 1])],
      ['low', zeros([2, 1], [7, 1])],
    ]);
    expect(await persons(node, { breakdown: 'high', series: 0 })).toEqual([
      ['ada', 1],
      ['cyd', 1],
    ]);
    expect(await persons(node, { breakdown: 'low', day: '2024-03-08', series: 0 })).toEqual([['ada', 1]]);
  });

  it.each([
    [{ breakdown: 'person.properties.plan' }, { breakdown: 'plan', breakdown_type: 'person' }],
    [{ breakdown: 'properties.$browser' }, { breakdown: '$browser', breakdown_type: 'event' }],
    [
      { breakdown: 'properties.$browser', breakdown_limit: 1 },
      { breakdown: '$browser', breakdown_limit: 1 },
    ],
    [
      { breakdown: 'properties.price', breakdown_histogram_bin_count: 3 },
      { breakdown: 'price', breakdown_histogram_bin_count: 3 },
    ],
    [
      { breakdown: 'properties.$current_url', breakdown_normalize_url: true },
      { breakdown: '$current_url', breakdown_normalize_url: true },
    ],
  ])('is that by the property which it reads: %j', async (written, named) => {
    for (const entity of [
      event(null),
      event(null, { math: 'dau' }),
      event(null, { math: 'weekly_active' }),
      event('purchased', { math: 'first_time_for_user' }),
    ]) {
      const split = (breakdownFilter: object) => nodes.answer(trends(entity, { breakdownFilter }));
      expect((await split({ ...written, breakdown_type: 'hogql' })).results).toEqual((await split(named)).results);
    }
    const funnel = (breakdownFilter: object, type: string) =>
      nodes.answer({
        ...{
          kind: 'FunnelsQuery',
          series: [event('$pageview'), event('purchased')],
          dateRange: march,
          breakdownFilter,
        },
        funnelsFilter: { breakdownAttributionType: type },
      });
    for (const type of ['first_touch', 'last_touch', 'all_events']) {
      const own = (await funnel({ ...written, breakdown_type: 'hogql' }, type)).results;
      if (written.breakdown !== 'person.properties.plan') expect(own).toEqual((await funnel(named, type)).results);
      else expect(own.length).toBeGreaterThan(0);
    }
  });

  it('is one of several', async () => {
    const breakdowns = [
      { property: bySize.breakdown, type: 'hogql' },
      { property: 'plan', type: 'person' },
    ];
    const { results } = await nodes.answer(trends(event('purchased'), { breakdownFilter: { breakdowns } }));
    expect(results.map(({ breakdown_value: value, count }) => [value, count])).toEqual([
      [['high', 'pro'], 2],
      [['low', 'free'], 1],
      [['low', 'pro'], 1],
    ]);
  });
});

describe('a filter by an expression', () => {
  const written = { type: 'hogql', key: "properties.price > 4 and person.properties.plan = 'pro'", value: null };
  const named = [
    { key: 'price', value: 4, operator: 'gt', type: 'event' },
    { key: 'plan', value: ['pro'], type: 'person' },
  ];
  const [first, last] = [event('$pageview'), event('purchased')];

  it.each<[string, object]>([
    ['TrendsQuery', { series: [last] }],
    ['TrendsQuery', { series: [event('purchased', { math: 'first_matching_event_for_user' })] }],
    ['FunnelsQuery', { series: [first, last] }],
    ['StickinessQuery', { series: [last] }],
    ['LifecycleQuery', { series: [last] }],
    [
      'RetentionQuery',
      { retentionFilter: { targetEntity: { id: 'purchased' }, returningEntity: { id: 'purchased' } } },
    ],
  ])('of a %s passes the same events as filters by properties', async (kind, more) => {
    const ask = async (properties: unknown) =>
      (await nodes.answer({ kind, dateRange: march, ...more, properties })).results;
    const filtered = await ask([written]);
    expect(filtered).toEqual(await ask(named));
    expect(filtered).not.toEqual(await ask([]));
  });

  it('of a PathsQuery does, too', async () => {
    const edges = async (...properties: object[]) =>
      (await nodes.answer({ kind: 'PathsQuery', dateRange: march, properties })).results;
    const filtered = await edges({ type: 'hogql', key: "person.properties.plan = 'pro'" });
    expect(filtered).toEqual(await edges(...named.slice(1)));
    expect(filtered).not.toEqual(await edges());
  });

  it('may belong to an entity, to a group, and be inverted', async () => {
    const of = async (properties: unknown) => await numbers(trends(event('purchased', { properties })));
    expect(await of([written])).toEqual([zeros([0, 1], [7, 1])]);
    expect(await of([{ ...written, negation: true }])).toEqual([zeros([2, 1], [7, 1])]);
    expect(await of({ type: 'OR', values: [written, { key: 'price', value: 5 }] })).toEqual([
      zeros([0, 1], [2, 1], [7, 1]),
    ]);
    // A missing value is no number, so the condition does not hold.
    expect(await of([{ type: 'hogql', key: 'toFloat(properties.nothing) > 1' }])).toEqual([zeros()]);
  });

  it('belongs to insights and lists of events', async () => {
    const list = { kind: 'EventsQuery', select: ['distinct_id'], orderBy: ['timestamp'], after: 'all' };
    const { results } = await nodes.answer({ ...list, properties: [{ key: 'quantity', value: [1, 2] }, written] });
    expect(results).toEqual([['ada']]);
    const group = { type: 'AND', values: [written] };
    expect(await nodes.refusal({ ...list, properties: group })).toEqual([
      ...[400, 'query.properties.values.0.type', expect.stringContaining('in insights only')],
    ]);
    const settings = await service.call('PATCH', `/api/projects/${service.project.id}`, {
      body: { test_account_filters: [written] },
    });
    expect(settings).toMatchObject({ status: 400, body: { attr: 'test_account_filters.0.type' } });
  });
});

describe('paths by an expression', () => {
  const ask = (more: object) =>
    nodes.answer({ kind: 'PathsQuery', dateRange: march, pathsFilter: { includeEventTypes: ['hogql'], ...more } });
  const items = 'concat(properties.$os, properties.$pathname)';

  it('have the values of events that have one, and the persons of an edge', async () => {
    const { results } = await ask({ pathsHogQLExpression: items });
    expect(results).toMatchObject([
      { source: '1_Linux/home', target: '2_Linux/docs', value: 1 },
      { source: '1_Mac/home', target: '2_Mac/pricing', value: 1 },
    ]);
    const source = {
      ...{ kind: 'PathsQuery', dateRange: march },
      pathsFilter: {
        ...{ includeEventTypes: ['hogql'], pathsHogQLExpression: items },
        ...{ pathStartKey: '1_Mac/home', pathEndKey: '2_Mac/pricing' },
      },
    };
    const actors = { kind: 'ActorsQuery', select: ['person'], source: { kind: 'InsightActorsQuery', source } };
    const listed = (await nodes.answer(actors)).results as unknown as [{ distinct_ids: string[] }][];
    expect(listed.map(([{ distinct_ids: ids }]) => ids)).toEqual([['ada']]);
  });

  it('are refused by name', async () => {
    const refusal = async (more: object) =>
      (await nodes.refusal({ kind: 'PathsQuery', pathsFilter: { includeEventTypes: ['hogql'], ...more } })).slice(0, 2);
    expect(await refusal({})).toEqual([400, 'query']);
    expect(await refusal({ pathsHogQLExpression: '(select 1)' })).toEqual([
      ...[400, 'query.pathsFilter.pathsHogQLExpression'],
    ]);
  });
});

describe('an expression', () => {
  it.each<[string, string]>([
    ['(select count() from persons)', 'has no SELECT'],
    ['sum((select max(id) from persons))', 'has no SELECT'],
    ["countIf(person_id in (select id from persons where properties.plan = 'pro'))", 'has no SELECT'],
    ['countIf(exists(select 1 from events))', 'has no SELECT'],
    ['count() from persons', 'was not expected'],
    ['count()) from persons -- ', 'has a ) without its opening'],
    ['count(), 1', 'must be one expression'],
    ['count(); drop table events', 'must be one expression'],
    ['1 union all select 2', ''],
    ['count() /*', ''],
    ['sum(properties.price', 'lacks a )'],
    ['', 'is required'],
    ['1 + 1', 'must make one number'],
    ['properties.price', 'must make one number'],
    ['sum(properties.price) / properties.quantity', 'properties.quantity must be inside'],
    ['sum(count())', 'aggregate inside of another'],
    ['count() over ()', 'has no OVER'],
    ['sum(arrayJoin([1, 2]))', 'is not possible in an insight'],
    ['sum(rand())', 'is not possible in an insight'],
    ["any(dictGet('x', 'y', 1))", 'is not allowed here'],
    ['count(sleep(3))', 'is not allowed here'],
    ["any(file('/etc/passwd'))", 'is not allowed here'],
    ['any(url)', 'There is no column'],
    ['max(e.properties)', 'There is no column'],
    ['max(q.id)', 'There is no column'],
    ['any(project_id)', 'There is no column'],
    ['any(system.tables.name)', 'There is no column'],
    ['sum({price})', 'has no value'],
    ['max(event)', 'is not a number'],
    ['groupArray(event)', 'a type that it does not accept'],
    ['sum(length(range(1000000000)))', 'range'],
    [`countIf(person_id in cohort 999999)`, 'There is no cohort'],
    [`count() + ${'('.repeat(120)}1${')'.repeat(120)}`, 'levels of brackets'],
    [`sum(1${' + 1'.repeat(1500)})`, 'at most'],
  ])('that is hostile or mistaken is refused by name: %s', async (expression, says) => {
    const [status, attr, detail] = await nodes.refusal(trends(counted(expression)));
    expect([status, attr, detail]).toEqual([400, 'query.series.0.math_hogql', expect.stringContaining(says)]);
  });

  it('of one event has no aggregate, and is refused where it stands', async () => {
    const split = (breakdownFilter: object) => nodes.refusal(trends(event('a'), { breakdownFilter }));
    expect(await split({ breakdown: 'count()', breakdown_type: 'hogql' })).toEqual([
      ...[400, 'query.breakdownFilter.breakdown.0', expect.stringContaining('An aggregate is not possible here')],
    ]);
    expect((await split({ breakdowns: [{ property: 'a b', type: 'hogql' }] }))[1]).toBe(
      'query.breakdownFilter.breakdowns.0.property',
    );
    const filter = { type: 'hogql', key: 'event in (select event from events)' };
    expect(await nodes.refusal(trends(event('a', { properties: [filter] })))).toEqual([
      ...[400, 'query.series.0.properties.0.key', expect.stringContaining('has no SELECT')],
    ]);
    expect(await nodes.refusal(trends(event('a'), { properties: [{ ...filter, key: 'event' }] }))).toEqual([
      ...[400, 'query.properties.0.key', expect.anything()],
    ]);
    const many = Array.from({ length: 3 }, () => ({ type: 'hogql', key: `1 = 1${' '.repeat(3_900)}` }));
    expect((await nodes.refusal(trends(event('a'), { properties: many })))[2]).toContain('10,000 characters together');
  });

  it('is refused before an insight is saved', async () => {
    const save = (math_hogql: string) =>
      service.call('POST', `/api/projects/${service.project.id}/insights`, {
        body: { name: 'x', query: { kind: 'InsightVizNode', source: trends(counted(math_hogql)) } },
      });
    expect(await save('sum(price)')).toMatchObject({ status: 400 });
    const saved = await save('sum(properties.price)');
    expect(saved).toMatchObject({
      status: 201,
      body: { query: { source: { series: [counted('sum(properties.price)')] } } },
    });
  });

  it('reads the persons of its own project only, as they are now', async () => {
    const other = await service.newProject('other');
    const at = (distinct_id: string, name: string, more: object = {}) => ({
      ...{ distinct_id, event: name, timestamp: '2024-03-08T10:00:00Z', properties: { price: 100, ...more } },
    });
    await captured(service, other, [
      at('ada', 'purchased', { $set: { plan: 'gold' } }),
      at('bob', 'purchased', { $set: { plan: 'silver' } }),
    ]);
    const theirs = new Nodes(service, other.id, now);
    const byPlan = trends(counted('sum(properties.price)'), {
      breakdownFilter: { breakdown: 'person.properties.plan', breakdown_type: 'hogql' },
    });
    const values = async (of: Nodes) =>
      (await of.answer(byPlan)).results.map(({ breakdown_value: value, count }) => [value, count]).sort();
    expect(await values(theirs)).toEqual([
      ['gold', 100],
      ['silver', 100],
    ]);
    expect(await values(nodes)).toEqual([
      ['free', 5],
      ['pro', 31.75],
    ]);
    await captured(service, other, [at('ada', '$merge_dangerously', { alias: 'bob' })]);
    expect(await values(theirs)).toEqual([['gold', 200]]);
    const distinct = await theirs.answer(trends(counted('count(distinct person_id)')));
    expect(distinct.results[0]?.count).toBe(1);
  });
});
