import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { captured, fillScene, now, type Scene } from '../query/questions/scene.js';
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

const march = { date_from: '2024-03-01', date_to: '2024-03-10' };
const zeros = (...at: readonly (readonly [number, number])[]) =>
  Array.from({ length: 10 }, (_, day) => at.find(([one]) => one === day)?.[1] ?? 0);

describe('TrendsQuery', () => {
  it('has a series for each entity, in the form of the reference product', async () => {
    const { results, ...rest } = await nodes.answer(
      { kind: 'TrendsQuery', series: [event('purchased'), event('signed up', { math: 'dau' })], dateRange: march },
      { client_query_id: 'q-1', refresh: 'blocking', name: 'mine' },
    );
    expect(results).toMatchObject([
      {
        action: { id: 'purchased', type: 'events', order: 0, math: 'total', name: 'purchased', custom_name: null },
        label: 'purchased',
        count: 4,
        data: zeros([0, 1], [2, 1], [7, 2]),
        days: [
          '2024-03-01',
          '2024-03-02',
          ...Array.from({ length: 8 }, (_, n) => `2024-03-${String(n + 3).padStart(2, '0')}`),
        ],
      },
      { action: { id: 'signed up', math: 'dau', order: 1 }, data: zeros([0, 1], [1, 1], [8, 1]) },
    ]);
    expect(results[0]?.labels).toEqual(expect.arrayContaining(['1-Mar-2024', '10-Mar-2024']));
    expect(rest).toMatchObject({
      hasMore: false,
      timezone: 'UTC',
      is_cached: false,
      query_status: { id: 'q-1', complete: true, error: false, query_async: false, team_id: service.project.id },
      resolved_date_range: { date_from: '2024-03-01T00:00:00.000Z', date_to: '2024-03-10T23:59:59.999Z' },
    });
  });

  it('splits by a property, and names the missing value as the reference product does', async () => {
    const node = {
      kind: 'TrendsQuery',
      series: [event('$pageview')],
      dateRange: march,
      breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
      trendsFilter: { display: 'ActionsBarValue' },
    };
    const { results } = await nodes.answer({ kind: 'InsightVizNode', source: node, full: true });
    expect(results.map((line) => [line.breakdown_value, line.aggregated_value, line.data])).toEqual([
      ['$$_posthog_breakdown_null_$$', 3, []],
      ['Chrome', 2, []],
      ['Firefox', 2, []],
    ]);
    const limited = { ...node, breakdownFilter: { breakdown: '$browser', breakdown_limit: 1 } };
    const { results: some, hasMore } = await nodes.answer(limited);
    expect([some.map((line) => line.breakdown_value), hasMore]).toEqual([
      ['$$_posthog_breakdown_null_$$', '$$_posthog_breakdown_other_$$'],
      true,
    ]);
    const hidden = { ...limited.breakdownFilter, breakdown_hide_other_aggregation: true };
    expect((await nodes.answer({ ...limited, breakdownFilter: hidden })).results).toHaveLength(1);
  });

  it('splits by columns of events, which are expressions and groups here', async () => {
    const valuesOf = async (breakdownFilter: object) => {
      const node = { kind: 'TrendsQuery', series: [event('purchased')], dateRange: march, breakdownFilter };
      return (await nodes.answer(node)).results.map((line) => [line.breakdown_value, line.count]);
    };
    const column = { property: 'event', type: 'event_metadata' };
    expect(await valuesOf({ breakdowns: [column] })).toEqual([['purchased', 4]]);
    expect(await valuesOf({ breakdown: 'event', breakdown_type: 'event_metadata' })).toEqual([['purchased', 4]]);
    const refusal = async (property: string) => {
      const breakdownFilter = { breakdowns: [{ property, type: 'event_metadata' }] };
      return nodes.refusal({ kind: 'TrendsQuery', series: [event('a')], breakdownFilter });
    };
    expect((await refusal('$group_19'))[2]).toContain('group');
  });

  it('answers several formulas, compares, and takes groups of events, actions and cohorts', async () => {
    const { results } = await nodes.answer({
      kind: 'TrendsQuery',
      series: [event('purchased'), event('signed up')],
      dateRange: march,
      trendsFilter: {
        formulaNodes: [{ formula: 'A / B', custom_name: 'Ratio' }, { formula: 'A + B' }],
        display: 'BoldNumber',
      },
    });
    expect(results.map(({ label, aggregated_value, action }) => [label, aggregated_value, action])).toEqual([
      ['Ratio', 1.33, null],
      ['Formula (A + B)', 7, null],
    ]);
    const group = { kind: 'GroupNode', operator: 'OR', nodes: [event('purchased'), event('signed up')] };
    const total = async (entity: object, more: object = {}) =>
      (await nodes.answer({ kind: 'TrendsQuery', series: [entity], dateRange: march, ...more })).results;
    expect(await total(group)).toMatchObject([{ label: 'purchased or signed up', count: 7 }]);
    expect(await total({ kind: 'ActionsNode', id: action })).toMatchObject([
      { count: 7, action: { id: action, type: 'actions' } },
    ]);
    const properties = [{ type: 'cohort', key: 'id', value: scene.beta }];
    expect(await total(event('purchased'), { properties })).toMatchObject([{ count: 3 }]);
    expect(await total(event('purchased', { fixedProperties: [{ key: 'quantity', value: 1 }] }))).toMatchObject([
      { count: 2 },
    ]);
    const week = { dateRange: { date_from: '2024-03-08', date_to: '2024-03-10' } };
    const compared = await total(event('purchased'), { ...week, compareFilter: { compare: true, compare_to: '-1w' } });
    expect(compared.map(({ compare, compare_label, data }) => [compare, compare_label, data])).toEqual([
      [true, 'current', [2, 0, 0]],
      [true, 'previous', [1, 0, 1]],
    ]);
    const cohorts = { breakdownFilter: { breakdown: [scene.beta, 'all'], breakdown_type: 'cohort' } };
    expect((await total(event('purchased'), cohorts)).map((line) => [line.breakdown_value, line.count])).toEqual([
      ['all', 4],
      [scene.beta, 3],
    ]);
  });
});

describe('a step for the first time', () => {
  const dateRange = { date_from: '2024-03-08', date_to: '2024-03-15' };
  const first = { math: 'first_time_for_user' };
  const funnel = (entity: object, range: object = dateRange) => ({
    ...{ kind: 'FunnelsQuery', series: [entity, event('$pageview')], dateRange: range },
  });
  const counts = async (node: object) => (await nodes.answer(node)).results.map(({ count }) => count);

  it('is taken by the first event ever of its name alone, and its list has these persons', async () => {
    // Ada buys on 1 and 8 March, and comes back on the 15th; cyd buys on the 8th.
    expect(await counts(funnel(event('purchased')))).toEqual([2, 1]);
    expect(await counts(funnel(event('purchased', first)))).toEqual([1, 0]);
    const source = { kind: 'FunnelsActorsQuery', source: funnel(event('purchased', first)), funnelStep: 1 };
    const { results } = await nodes.answer({ kind: 'ActorsQuery', select: ['person'], source });
    expect(results).toMatchObject([[{ distinct_ids: ['cyd'] }]]);
    const own = { events: [{ id: 'purchased', ...first }, { id: '$pageview' }], ...dateRange };
    expect(await nodes.insight('funnel', own)).toMatchObject({ steps: [{ count: 1 }, { count: 0 }] });
  });

  it('is not taken if the first event fails its filters', async () => {
    const all = { date_from: '2024-03-01', date_to: '2024-03-15' };
    const cheap = { properties: [{ key: 'price', value: 1.25 }] };
    expect(await counts(funnel(event('purchased', cheap), all))).toEqual([1, 1]);
    expect(await counts(funnel(event('purchased', { ...first, ...cheap }), all))).toEqual([0, 0]);
  });
});

describe('a funnel that is compared', () => {
  const series = [event('purchased'), event('$pageview')];
  const funnel = { kind: 'FunnelsQuery', series, dateRange: { date_from: '2024-03-08', date_to: '2024-03-14' } };
  const compareFilter = { compare: true };
  const before = { date_from: '2024-03-01', date_to: '2024-03-07' };
  const numbersOf = async (node: object) => {
    const { results } = (await nodes.answer(node)) as unknown as { results: object[] };
    return results;
  };

  it.each<[string, object]>([
    ['steps', {}],
    ['series', { funnelsFilter: { funnelVizType: 'trends' } }],
    ['values', { breakdownFilter: { breakdown: '$browser' } }],
    ['series of values', { breakdownFilter: { breakdown: '$browser' }, funnelsFilter: { funnelVizType: 'trends' } }],
  ])('has the %s of both ranges', async (_, more) => {
    const label = (list: readonly unknown[], compare_label: string): unknown[] =>
      list.map((one) => (Array.isArray(one) ? label(one, compare_label) : { ...(one as object), compare_label }));
    const current = label(await numbersOf({ ...funnel, ...more }), 'current');
    const previous = label(await numbersOf({ ...funnel, ...more, dateRange: before }), 'previous');
    expect(await numbersOf({ ...funnel, ...more, compareFilter })).toEqual([...current, ...previous]);
    expect(await numbersOf({ ...funnel, ...more, compareFilter: { compare_to: '-7d' } })).toEqual([
      ...current,
      ...previous,
    ]);
  });

  it('has the persons of each range', async () => {
    const persons = async (source: object, compare: string | null) =>
      (
        await nodes.answer({
          kind: 'ActorsQuery',
          select: ['id'],
          source: { kind: 'FunnelsActorsQuery', source, compare },
        })
      ).results;
    const compared = { ...funnel, compareFilter };
    for (const [compare, dateRange] of [
      ['current', funnel.dateRange],
      ['previous', before],
    ] as const) {
      const own = await persons({ ...funnel, dateRange }, null);
      expect(own.length).toBeGreaterThan(0);
      expect(await persons(compared, compare)).toEqual(own);
    }
  });
});

describe('math unique_session', () => {
  const question = {
    kind: 'TrendsQuery',
    series: [event('read', { math: 'unique_session' })],
    dateRange: { date_from: '2024-02-01', date_to: '2024-02-02' },
  };

  it('counts sessions, with the persons behind them', async () => {
    const read = (at: string, distinct_id: string, $session_id?: string) => ({
      event: 'read',
      distinct_id,
      timestamp: `2024-02-${at}:00Z`,
      properties: { $session_id },
    });
    await captured(service, service.project, [
      read('01T10:00', 'ada', 's1'),
      read('01T11:00', 'ada', 's1'),
      read('01T12:00', 'bob', 's2'),
      read('01T13:00', 'dan'),
      read('02T00:10', 'ada', 's1'),
    ]);
    expect((await nodes.answer(question)).results).toMatchObject([
      { action: { id: 'read', math: 'unique_session' }, data: [2, 1], count: 3 },
    ]);
    const behind = { kind: 'InsightActorsQuery', source: question, day: '2024-02-01' };
    const { results } = await nodes.answer({ kind: 'ActorsQuery', source: behind, select: ['name', 'event_count'] });
    expect(results).toEqual([
      ['ada@example.test', 1],
      ['bob@example.test', 1],
    ]);
  });

  it('is for trends', async () => {
    const steps = { kind: 'FunnelsQuery', series: [event('read', { math: 'unique_session' })] };
    expect(await nodes.refusal(steps)).toEqual([400, 'query.series.0.math', expect.stringContaining('must be total')]);
  });
});

describe('FunnelsQuery', () => {
  const funnel = { kind: 'FunnelsQuery', series: [event('signed up'), event('purchased')], dateRange: march };

  it('has the steps, with a breakdown a list for each value', async () => {
    const { results } = await nodes.answer(funnel);
    expect(results).toMatchObject([
      { action_id: 'signed up', name: 'signed up', custom_name: null, order: 0, type: 'events', count: 3 },
      { action_id: 'purchased', order: 1, count: 2, average_conversion_time: (5400 + 72000) / 2 },
    ]);
    const split = await nodes.answer({ ...funnel, breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } });
    expect(
      (split.results as unknown as { breakdown_value: unknown; count: number }[][]).map((steps) =>
        steps.map(({ breakdown_value, count }) => [breakdown_value, count]),
      ),
    ).toEqual([
      [
        [['free'], 2],
        [['free'], 1],
      ],
      [
        [['pro'], 1],
        [['pro'], 1],
      ],
    ]);
  });

  it('has optional steps, with the persons who took them and those who did not', async () => {
    const series = [event('signed up'), event('$pageview', { optionalInFunnel: true }), event('purchased')];
    const source = { ...funnel, series };
    // Ada, bob and dan signed up and saw pages; dan purchased nothing.
    expect((await nodes.answer(source)).results.map(({ order, count }) => [order, count])).toEqual([
      [0, 3],
      [1, 3],
      [2, 2],
    ]);
    const docs = [{ key: '$pathname', value: '/docs', type: 'event' }];
    const narrow = { ...source, series: [series[0], { ...series[1], properties: docs }, series[2]] };
    const names = async (funnelStep: number) => {
      const actors = { kind: 'FunnelsActorsQuery', source: narrow, funnelStep };
      return (await nodes.answer({ kind: 'ActorsQuery', source: actors, select: ['name'] })).results.flat().sort();
    };
    expect([await names(2), await names(-2), await names(3)]).toEqual([
      ['bob@example.test'],
      ['ada@example.test', expect.any(String)],
      ['ada@example.test', 'bob@example.test'],
    ]);
    const strict = { ...source, funnelsFilter: { funnelOrderType: 'strict' } };
    expect(await nodes.refusal(strict)).toEqual([400, 'query.series.1.optionalInFunnel', expect.any(String)]);
  });

  it('has bins of times, and a line of rates', async () => {
    const times = await nodes.answer({ ...funnel, funnelsFilter: { funnelVizType: 'time_to_convert', binCount: 2 } });
    expect(times.results).toEqual({
      bins: [
        [5400, 1],
        [38700, 1],
      ],
      average_conversion_time: 38700,
    });
    const { results } = await nodes.answer({ ...funnel, funnelsFilter: { funnel_viz_type: 'trends' } });
    expect(results).toMatchObject([{ data: zeros([0, 100], [1, 100]), reached_from: zeros([0, 1], [1, 1], [8, 1]) }]);
  });

  it('takes exclusions, an order, a window and the maths that change nothing', async () => {
    const exclusions = [event('$pageview', { funnelFromStep: 0, funnelToStep: 1 })];
    const strict = { ...funnel, series: [event('signed up', { math: 'total' }), event('purchased')] };
    const counts = async (funnelsFilter: object) =>
      (await nodes.answer({ ...strict, funnelsFilter })).results.map(({ count }) => count);
    expect(await counts({ exclusions })).toEqual([0, 0]);
    expect(await counts({ funnelOrderType: 'strict' })).toEqual([3, 0]);
    expect(await counts({ funnelWindowInterval: 2, funnelWindowIntervalUnit: 'hour' })).toEqual([3, 1]);
  });
});

describe('a calendar heatmap', () => {
  const heatmap = {
    data: [
      { row: 5, column: 9, value: 1 },
      { row: 5, column: 10, value: 2 },
      { row: 7, column: 8, value: 1 },
    ],
    rowAggregations: [
      { row: 5, value: 3 },
      { row: 7, value: 1 },
    ],
    columnAggregations: [
      { column: 8, value: 1 },
      { column: 9, value: 1 },
      { column: 10, value: 2 },
    ],
    allAggregations: 4,
  };
  const asked = { kind: 'TrendsQuery', dateRange: march, trendsFilter: { display: 'CalendarHeatmap' } };

  it('has the numbers of each hour of each day of the week, and of each alone', async () => {
    const { results } = await nodes.answer({ ...asked, series: [event('purchased')], calendarHeatmapFilter: {} });
    expect(results).toMatchObject([
      { action: { id: 'purchased' }, data: [], aggregated_value: 4, count: 4, calendar_heatmap_data: heatmap },
    ]);
    const query = { kind: 'CalendarHeatmapQuery', series: [event('purchased')], dateRange: march };
    expect((await nodes.answer(query)).results).toEqual(heatmap);
  });

  it('counts a person once in each cell, each row and each column', async () => {
    // Ada purchased on two Fridays at ten.
    const { results } = await nodes.answer({ ...asked, series: [event('purchased', { math: 'dau' })] });
    expect(results[0]?.calendar_heatmap_data).toEqual({
      data: heatmap.data.map((cell) => ({ ...cell, value: 1 })),
      rowAggregations: [
        { row: 5, value: 2 },
        { row: 7, value: 1 },
      ],
      columnAggregations: heatmap.columnAggregations.map((cell) => ({ ...cell, value: 1 })),
      allAggregations: 3,
    });
  });

  it.each([
    [{ breakdownFilter: { breakdown: '$browser' } }, 'query.breakdownFilter.breakdown'],
    [{ compareFilter: { compare: true } }, 'query.compareFilter.compare'],
    [{ trendsFilter: { display: 'CalendarHeatmap', formula: 'A' } }, 'query.trendsFilter.formula'],
    [{ trendsFilter: { display: 'CalendarHeatmap', formulas: ['A'] } }, 'query.trendsFilter.formulas'],
    [{ calendarHeatmapFilter: { bucketBySessionStart: true } }, 'query.calendarHeatmapFilter.bucketBySessionStart'],
    [{ series: [event('a'), event('b')] }, 'query.series'],
  ])('has no %j', async (more, attr) => {
    expect((await nodes.refusal({ ...asked, series: [event('a')], ...more }))[1]).toBe(attr);
  });
});

describe('the other insights', () => {
  it('RetentionQuery has rows of values, 8 of them by default', async () => {
    const { results, mean } = await nodes.answer({
      kind: 'RetentionQuery',
      dateRange: { date_from: '-7d', date_to: '2024-03-10' },
      retentionFilter: {
        period: 'Day',
        totalIntervals: 3,
        targetEntity: { id: '$pageview', type: 'events' },
        returningEntity: { id: '$pageview', type: 'events' },
      },
    });
    expect(results).toEqual([
      {
        values: [
          { count: 0, label: 'Day 0' },
          { count: 0, label: 'Day 1' },
          { count: 0, label: 'Day 2' },
        ],
        label: 'Day 0',
        date: '2024-03-08T00:00:00Z',
      },
      {
        values: [
          { count: 0, label: 'Day 0' },
          { count: 0, label: 'Day 1' },
        ],
        label: 'Day 1',
        date: '2024-03-09T00:00:00Z',
      },
      { values: [{ count: 2, label: 'Day 0' }], label: 'Day 2', date: '2024-03-10T00:00:00Z' },
    ]);
    expect(mean).toHaveLength(3);
    expect((await nodes.answer({ kind: 'RetentionQuery', retentionFilter: {} })).results).toHaveLength(8);
  });

  it('RetentionQuery has brackets of several intervals, with the persons behind a row', async () => {
    const source = {
      kind: 'RetentionQuery',
      dateRange: { date_to: '2024-03-10' },
      retentionFilter: {
        totalIntervals: 10,
        retentionCustomBrackets: [1, 3, 4],
        targetEntity: { id: 'signed up', type: 'events' },
        returningEntity: { id: 'purchased', type: 'events' },
      },
    };
    const { results } = await nodes.answer(source);
    // Ada signed up on 1 March, and purchased on that day and on the 8th.
    expect(results[0]).toMatchObject({
      label: 'Day 0',
      values: [
        { count: 1, label: 'Day 0' },
        { count: 0, label: 'Day 1' },
        { count: 0, label: 'Day 2-4' },
        { count: 1, label: 'Day 5-8' },
      ],
    });
    expect(results[9]).toMatchObject({ label: 'Day 9', values: [{ count: 0, label: 'Day 0' }] });
    const behind = { kind: 'InsightActorsQuery', source, interval: 0 };
    expect(
      (await nodes.answer({ kind: 'ActorsQuery', source: behind, select: ['name', 'appearances'] })).results,
    ).toEqual([['ada@example.test', [1, 0, 0, 1]]]);
  });

  it('RetentionQuery has the rows of each value of a breakdown, and the persons behind them', async () => {
    const source = {
      kind: 'RetentionQuery',
      dateRange: { date_to: '2024-03-03' },
      retentionFilter: { totalIntervals: 3 },
      breakdownFilter: { breakdowns: [{ property: '$browser', type: 'event' }] },
    };
    const rowsOf = async (more: object = {}) =>
      (await nodes.answer({ ...source, breakdownFilter: { ...source.breakdownFilter, ...more } })).results.map(
        ({ breakdown_value: value, label, values }) => [
          value,
          label,
          (values as { count: number }[]).map(({ count }) => count).join(),
        ],
      );
    const ofMissing = [
      ['', 'Day 0', '0,0,0'],
      ['', 'Day 1', '0,0'],
      ['', 'Day 2', '1'],
    ];
    expect(await rowsOf()).toEqual([
      ...ofMissing,
      ['Chrome', 'Day 0', '1,0,0'],
      ['Chrome', 'Day 1', '0,0'],
      ['Chrome', 'Day 2', '0'],
      ['Firefox', 'Day 0', '0,0,0'],
      ['Firefox', 'Day 1', '1,0'],
      ['Firefox', 'Day 2', '0'],
    ]);
    const other = '$$_posthog_breakdown_other_$$';
    expect(await rowsOf({ breakdown_limit: 1 })).toEqual([
      ...ofMissing,
      [other, 'Day 0', '1,0,0'],
      [other, 'Day 1', '1,0'],
      [other, 'Day 2', '0'],
    ]);
    expect(await rowsOf({ breakdown_limit: 1, breakdown_hide_other_aggregation: true })).toEqual(ofMissing);
    const behind = { kind: 'InsightActorsQuery', source, interval: 1, breakdown: ['Firefox'] };
    const { results } = await nodes.answer({ kind: 'ActorsQuery', source: behind, select: ['name', 'appearances'] });
    expect(results).toEqual([['bob@example.test', [1, 0]]]);
  });

  it('PathsQuery has edges', async () => {
    const { results } = await nodes.answer({
      kind: 'PathsQuery',
      dateRange: march,
      pathsFilter: { includeEventTypes: ['custom_event'], stepLimit: 3 },
    });
    expect(results).toEqual([]);
    const views = { includeEventTypes: ['$pageview'] };
    const pages = await nodes.answer({ kind: 'PathsQuery', dateRange: march, pathsFilter: views });
    expect(pages.results).toMatchObject([
      {
        source: expect.stringMatching(/^1_/),
        target: expect.stringMatching(/^2_/),
        value: 1,
        average_conversion_time: 300000,
      },
    ]);
  });

  it('StickinessQuery has days and persons, cumulative on request', async () => {
    const node = { kind: 'StickinessQuery', series: [event('purchased')], dateRange: march };
    const { results } = await nodes.answer(node);
    expect(results).toMatchObject([{ label: 'purchased', count: 3, data: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0] }]);
    expect(results[0]?.labels).toEqual(expect.arrayContaining(['1 day', '2 days']));
    const cumulative = await nodes.answer({ ...node, stickinessFilter: { computedAs: 'cumulative' } });
    expect(cumulative.results[0]?.data.slice(0, 3)).toEqual([3, 1, 0]);
    const twice = { stickinessCriteria: { operator: 'gte', value: 2 } };
    expect((await nodes.answer({ ...node, stickinessFilter: twice })).results[0]?.count).toBe(0);
  });

  it('LifecycleQuery has a series for each state', async () => {
    const node = { kind: 'LifecycleQuery', series: [event('purchased')], dateRange: march };
    const { results } = await nodes.answer(node);
    expect(results.map(({ status, label, count }) => [status, label, count])).toEqual([
      ['new', 'purchased - new', 1],
      ['returning', 'purchased - returning', 0],
      ['resurrecting', 'purchased - resurrecting', 3],
      ['dormant', 'purchased - dormant', -4],
    ]);
  });

  it('FunnelCorrelationQuery has events with their odds', async () => {
    const source = { kind: 'FunnelsQuery', series: [event('signed up'), event('purchased')], dateRange: march };
    const correlation = {
      kind: 'FunnelCorrelationQuery',
      source: { kind: 'FunnelsActorsQuery', source },
      funnelCorrelationType: 'events',
    };
    const { results } = await nodes.answer(correlation);
    expect(results).toMatchObject({
      skewed: false,
      events: [{ event: { event: '$pageview', properties: {}, elements: [] }, success_count: 2, failure_count: 1 }],
    });
    const properties = { ...correlation, funnelCorrelationType: 'properties', funnelCorrelationNames: ['plan'] };
    const { events } = (await nodes.answer(properties)).results as unknown as {
      events: { event: { event: string } }[];
    };
    expect(events.map(({ event: { event: name } }) => name).sort()).toEqual(['plan::', 'plan::free', 'plan::pro']);
  });
});
