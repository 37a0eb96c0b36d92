import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let path: string;

const event = (distinct_id: string, at: string, properties: object = {}, event = 'buy') =>
  JSON.stringify({ type: 'event', event, distinct_id, timestamp: `2024-${at}:00Z`, properties });

const load = async (lines: readonly string[], query = '') => {
  const answer = await fetch(`${service.url}${path}/import${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  expect(answer.status).toBe(200);
};

beforeAll(async () => {
  service = await startTestService();
  path = `/api/projects/${service.project.id}`;
  await load([
    JSON.stringify({
      type: 'person',
      distinct_ids: ['ada', 'ada-2'],
      properties: { plan: 'pro', email: 'ada@x.test' },
    }),
    JSON.stringify({ type: 'person', distinct_ids: ['bob'], properties: { plan: 'free' } }),
    event('eve', '02-26T10:00', { browser: 'Lynx', amount: 1 }),
    event('ada', '03-01T10:00', { browser: 'Chrome', amount: 10, size: 'L', $session_id: 's1' }),
    event('ada-2', '03-01T11:00', { browser: 'Chrome', amount: 20, size: 'M', $session_id: 's2' }),
    event('bob', '03-01T12:00', { browser: 'Safari', amount: '30', size: 'L', $session_id: 's3' }),
    event('ada', '03-02T10:00', { browser: 'Chrome', amount: 'none', $session_id: 's2' }),
    event('cyd', '03-03T10:00', { amount: 5, $session_id: '' }),
    event('bob', '03-02T09:00', {}, 'see'),
    event('bob', '03-02T09:30', {}, 'see'),
  ]);
  await load([event('nobody', '03-03T11:00', { browser: 'Opera', amount: 7 })], '?create_persons=false');
});

afterAll(() => service.stop());

interface Series {
  readonly label: string;
  readonly order: number;
  readonly breakdown_value: string | string[] | null;
  readonly compare_label: string | null;
  readonly days?: string[];
  readonly data?: number[];
  readonly count: number;
  readonly aggregated_value: number | null;
}

const ask = async (query: Record<string, unknown>) => {
  const texts = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const answer = await service.call('GET', `${path}/persons/trends`, { query: texts });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  const { insight, results, ...page } = answer.body as {
    count: number;
    next: string | null;
    results: { distinct_ids: string[]; value_at_data_point: number }[];
    insight: { series: Series[]; interval: string; kind: string };
  };
  const people = results?.map(({ distinct_ids: [name], value_at_data_point: value }) => [name ?? '', value] as const);
  return { ...page, insight, series: insight?.series, people };
};

const march = { date_from: '2024-03-01', date_to: '2024-03-04' };
const buy = (more: object = {}) => [{ id: 'buy', ...more }];

describe('a series', () => {
  it.each([
    ['total', [3, 1, 2, 0], 6],
    ['dau', [2, 1, 2, 0], 4],
    ['unique_session', [3, 1, 0, 0], 3],
    ['weekly_active', [3, 3, 5, 4], 4],
    ['monthly_active', [3, 3, 5, 5], 5],
    ['first_time_for_user', [2, 0, 2, 0], 4],
    ['first_matching_event_for_user', [2, 0, 2, 0], 4],
    ['sum', [60, 0, 12, 0], 72],
    ['avg', [20, 0, 6, 0], 14.4],
    ['min', [10, 0, 5, 0], 5],
    ['max', [30, 0, 7, 0], 30],
    ['median', [20, 0, 6, 0], 10],
    ['p75', [25, 0, 6.5, 0], 20],
    ['p90', [28, 0, 6.8, 0], 26],
    ['p95', [29, 0, 6.9, 0], 28],
    ['p99', [29.8, 0, 6.98, 0], 29.6],
    ['avg_count_per_actor', [1.5, 1, 1, 0], 1.5],
    ['min_count_per_actor', [1, 1, 1, 0], 1],
    ['max_count_per_actor', [2, 1, 1, 0], 3],
    ['median_count_per_actor', [1.5, 1, 1, 0], 1],
    ['p75_count_per_actor', [1.75, 1, 1, 0], 1.5],
    ['p90_count_per_actor', [1.9, 1, 1, 0], 2.4],
    ['p95_count_per_actor', [1.95, 1, 1, 0], 2.7],
    ['p99_count_per_actor', [1.99, 1, 1, 0], 2.94],
  ])('of %s has a number for each day, and one for all of them', async (math, data, all) => {
    const events = buy({ math, math_property: 'amount' });
    const { series } = await ask({ ...march, events });
    expect(series).toHaveLength(1);
    expect(series[0]).toMatchObject({
      label: 'buy',
      order: 0,
      breakdown_value: null,
      compare_label: null,
      aggregated_value: null,
      days: ['2024-03-01', '2024-03-02', '2024-03-03', '2024-03-04'],
    });
    series[0]?.data?.forEach((number, at) => expect(number).toBeCloseTo(data[at] ?? NaN, 9));
    const total = (await ask({ ...march, events, display: 'BoldNumber' })).series[0];
    expect(total?.aggregated_value).toBeCloseTo(all, 9);
    expect(total).not.toHaveProperty('days');
  });

  it('stands beside others, in the order they say', async () => {
    const events = [
      { id: 'see', order: 1, math: 'dau' },
      { id: 'buy', order: 0, name: 'Purchase' },
      { any_of: [{ id: 'see' }, { id: 'buy' }], name: 'Any', order: 2, math: 'max_count_per_actor' },
      { id: 'buy', order: 3, math: 'sum', math_property: 'amount', properties: [{ key: 'browser', value: 'Chrome' }] },
      { id: 'buy', order: 4, math: 'weekly_active' },
    ];
    const { series } = await ask({ ...march, events });
    expect(series.map(({ label, data }) => [label, data])).toEqual([
      ['Purchase', [3, 1, 2, 0]],
      ['see', [0, 1, 0, 0]],
      ['Any', [2, 2, 1, 0]],
      ['buy', [30, 0, 0, 0]],
      ['buy', [3, 3, 5, 4]],
    ]);
  });

  it('adds up, each person once', async () => {
    const cumulative = { ...march, display: 'ActionsLineGraphCumulative' };
    const dataOf = async (math: string) => (await ask({ ...cumulative, events: buy({ math }) })).series[0]?.data;
    expect(await dataOf('total')).toEqual([3, 4, 6, 6]);
    expect(await dataOf('dau')).toEqual([2, 2, 4, 4]);
    expect(await dataOf('weekly_active')).toEqual([3, 3, 5, 5]);
    expect(await dataOf('first_time_for_user')).toEqual([2, 2, 4, 4]);
    // As in the reference product, a session of two days counts on both.
    expect(await dataOf('unique_session')).toEqual([3, 4, 4, 4]);
  });

  it('of sessions has the persons with a session, and the number of theirs', async () => {
    const sessions = (more: object) => ask({ ...march, events: buy({ math: 'unique_session' }), ...more });
    expect((await sessions({})).people).toEqual([
      ['ada', 2],
      ['bob', 1],
    ]);
    expect((await sessions({ day: '2024-03-02' })).people).toEqual([['ada', 1]]);
    expect((await sessions({ day: '2024-03-03' })).people).toEqual([]);
  });

  it('is smoothed by the points before', async () => {
    const { series } = await ask({ ...march, events: buy(), smoothing_intervals: 2 });
    expect(series[0]?.data).toEqual([3, 2, 1.5, 1]);
  });

  it('is compared with the days before', async () => {
    const { series } = await ask({ ...march, events: buy(), compare: true });
    expect(series.map(({ compare_label, days, data }) => [compare_label, days?.[0], data])).toEqual([
      ['current', '2024-03-01', [3, 1, 2, 0]],
      ['previous', '2024-02-26', [1, 0, 0, 0]],
    ]);
  });

  it('counts any event where nothing is named', async () => {
    expect((await ask(march)).series[0]).toMatchObject({ label: 'All events', data: [3, 3, 2, 0] });
    expect((await ask({ ...march, entity_id: 'see' })).series[0]).toMatchObject({ label: 'see', data: [0, 2, 0, 0] });
  });

  it.each([
    ['hour', '2024-03-01T10:00:00Z', '2024-03-01T12:30:00Z', '2024-03-01 10:00:00', [1, 1, 1]],
    ['week', '2024-03-02', '2024-03-04', '2024-02-25', [5, 2]],
    ['month', '2024-02-28', '2024-03-02', '2024-02-01', [1, 4]],
    ['minute', '2024-03-01T10:00:00Z', '2024-03-01T10:02:00Z', '2024-03-01 10:00:00', [1, 0, 0]],
  ])('goes by the %s', async (interval, date_from, date_to, first, data) => {
    const { series } = await ask({ interval, date_from, date_to, events: buy() });
    expect([series[0]?.days?.[0], series[0]?.data]).toEqual([first, data]);
  });

  it('counts a first time only where that very event passes', async () => {
    const first = (properties: object) => ask({ ...march, events: buy({ math: 'first_time_for_user', properties }) });
    expect((await first([{ key: 'size', value: 'L' }])).series[0]?.data).toEqual([2, 0, 0, 0]);
    expect((await first([{ key: 'size', value: 'M' }])).series[0]?.data).toEqual([0, 0, 0, 0]);
  });

  it('counts the first event that passes, whatever came before it', async () => {
    const first = async (key: string, value: string) => {
      const properties = [{ key, value }];
      return ask({ ...march, events: buy({ math: 'first_matching_event_for_user', properties }) });
    };
    expect((await first('size', 'M')).series[0]?.data).toEqual([1, 0, 0, 0]);
    expect((await first('amount', 'none')).series[0]?.data).toEqual([0, 1, 0, 0]);
    expect((await first('browser', 'Lynx')).series[0]?.data).toEqual([0, 0, 0, 0]);
    const plan = [{ key: 'plan', value: 'free', type: 'person' }];
    const free = await ask({ ...march, events: buy({ math: 'first_time_for_user' }), properties: plan });
    expect([free.series[0]?.data, free.people]).toEqual([[1, 0, 0, 0], [['bob', 1]]]);
  });
});

describe('a breakdown', () => {
  const lines = ({ series }: { series: Series[] }) =>
    series.map(({ label, breakdown_value: value, data }) => [label, value, data]);

  it('has a series a value in falling order, with a missing one as ""', async () => {
    expect(lines(await ask({ ...march, events: buy(), breakdown: 'browser' }))).toEqual([
      ['Chrome', 'Chrome', [2, 1, 0, 0]],
      ['None (i.e. no value)', '', [0, 0, 1, 0]],
      ['Opera', 'Opera', [0, 0, 1, 0]],
      ['Safari', 'Safari', [1, 0, 0, 0]],
    ]);
  });

  it.each(['total', 'dau', 'sum', 'weekly_active', 'first_time_for_user', 'max_count_per_actor'])(
    'of %s gathers what is beyond the limit in "Other", with its persons',
    async (math) => {
      const question = {
        ...march,
        events: buy({ math, math_property: 'amount' }),
        breakdown: 'browser',
        breakdown_limit: 1,
      };
      const { series } = await ask(question);
      const other = {
        total: [1, 0, 2, 0],
        dau: [1, 0, 2, 0],
        sum: [30, 0, 12, 0],
        weekly_active: [2, 2, 4, 3],
        first_time_for_user: [1, 0, 2, 0],
        max_count_per_actor: [1, 0, 1, 0],
      };
      const values = series.map(({ breakdown_value: value }) => value);
      expect(values).toEqual([
        math === 'first_time_for_user' || math === 'weekly_active' ? expect.anything() : 'Chrome',
        'Other',
      ]);
      if (values[0] === 'Chrome') expect(series[1]?.data).toEqual(other[math as keyof typeof other]);
      const persons = await ask({ ...question, breakdown_value: 'Other', day: '2024-03-03' });
      const first = await ask({ ...question, breakdown_value: values[0], day: '2024-03-03' });
      if (['dau', 'weekly_active', 'first_time_for_user'].includes(math)) {
        expect([first.count, persons.count]).toEqual(series.map(({ data }) => data?.[2]));
      }
      expect(persons.people?.map(([name]) => name)).toContain('nobody');
    },
  );

  it('of persons and of several keys', async () => {
    expect(
      lines(await ask({ ...march, events: buy({ math: 'dau' }), breakdown: 'plan', breakdown_type: 'person' })),
    ).toEqual([
      ['None (i.e. no value)', '', [0, 0, 2, 0]],
      ['pro', 'pro', [1, 1, 0, 0]],
      ['free', 'free', [1, 0, 0, 0]],
    ]);
    const two = { ...march, date_to: '2024-03-01', events: buy(), breakdown: ['browser', 'size'] };
    expect(lines(await ask(two))).toEqual([
      ['Chrome::L', ['Chrome', 'L'], [1]],
      ['Chrome::M', ['Chrome', 'M'], [1]],
      ['Safari::L', ['Safari', 'L'], [1]],
    ]);
    expect((await ask({ ...two, breakdown_value: ['Chrome', 'M'] })).people).toEqual([['ada', 1]]);
  });

  it('of several keys that are equally frequent are sorted as those of one key are', async () => {
    const [slash, number] = ['/', '2'].map((page) => event('ada', '06-01T10:00', { page, size: 'L' }, 'tie'));
    await load([number ?? '', slash ?? '']);
    const june = { date_from: '2024-06-01', date_to: '2024-06-01', events: [{ id: 'tie' }], breakdown_limit: 1 };
    const values = async (breakdown: unknown) =>
      (await ask({ ...june, breakdown })).series.map(({ breakdown_value: value }) => value);
    expect(await values('page')).toEqual(['/', 'Other']);
    expect(await values(['page', 'size'])).toEqual([['/', 'L'], 'Other']);
  });

  it('of an event, its person and the cohorts of its person together', async () => {
    const cohort = await service.call('POST', `${path}/cohorts`, {
      query: { wait: '30' },
      body: { name: 'Buyers', is_static: true, distinct_ids: ['ada', 'cyd'] },
    });
    expect([cohort.status, cohort.body]).toEqual([201, expect.anything()]);
    const { id } = cohort.body as { id: number };
    const question = {
      ...march,
      events: buy(),
      breakdowns: [
        { property: 'plan', type: 'person' },
        { property: [id, 'all'], type: 'cohort' },
        { property: 'browser', type: 'event' },
      ],
    };
    const all = [
      ['pro::all users::Chrome', ['pro', 'all', 'Chrome'], [2, 1, 0, 0]],
      ['pro::Buyers::Chrome', ['pro', String(id), 'Chrome'], [2, 1, 0, 0]],
      ['None (i.e. no value)::all users::None (i.e. no value)', ['', 'all', ''], [0, 0, 1, 0]],
      ['None (i.e. no value)::all users::Opera', ['', 'all', 'Opera'], [0, 0, 1, 0]],
      ['None (i.e. no value)::Buyers::None (i.e. no value)', ['', String(id), ''], [0, 0, 1, 0]],
      ['free::all users::Safari', ['free', 'all', 'Safari'], [1, 0, 0, 0]],
    ];
    const sorted = (some: readonly unknown[]) => some.map((line) => JSON.stringify(line)).sort();
    expect(sorted(lines(await ask(question)))).toEqual(sorted(all));
    const people = async (more: object) => (await ask({ ...question, ...more })).people?.map(([name, n]) => [name, n]);
    expect(await people({ breakdown_value: ['pro', String(id), 'Chrome'] })).toEqual([['ada', 3]]);
    expect(await people({ breakdown_value: ['', 'all', 'Opera'] })).toEqual([['nobody', 1]]);
    expect(await people({ breakdown_value: ['free', String(id), 'Safari'] })).toEqual([]);
    // Each person once, however many values it has.
    expect((await people({}))?.sort()).toEqual([
      ['ada', 3],
      ['bob', 1],
      ['cyd', 1],
      ['nobody', 1],
    ]);
    for (const math of ['total', 'dau', 'weekly_active', 'first_time_for_user', 'avg_count_per_actor']) {
      const first = { ...question, events: buy({ math }), breakdown_limit: 1 };
      const { series } = await ask(first);
      expect([math, series.map(({ breakdown_value: value }) => value).at(-1)]).toEqual([math, 'Other']);
      const other = await ask({ ...first, breakdown_value: 'Other', day: '2024-03-03' });
      const shown = series.at(-1)?.data?.[2];
      const events = other.people?.reduce((sum, [, number]) => sum + number, 0);
      if (math === 'total') expect([math, events]).toEqual([math, shown]);
      else if (math !== 'avg_count_per_actor') expect([math, other.count]).toEqual([math, shown]);
    }
    const single = await ask({ ...march, events: buy(), breakdowns: [{ property: id, type: 'cohort' }] });
    expect(lines(single)).toEqual([['Buyers', String(id), [2, 1, 1, 0]]]);
    const both = [
      { property: id, type: 'cohort' },
      { property: ['all', id], type: 'cohort' },
    ];
    expect(lines(await ask({ ...march, events: buy(), breakdowns: both }))).toEqual([
      ['Buyers::Buyers', [String(id), String(id)], [2, 1, 1, 0]],
      ['Buyers::all users', [String(id), 'all'], [2, 1, 1, 0]],
    ]);
  });

  it('puts numbers into bins, the same for every series and both ranges', async () => {
    const question = {
      ...march,
      events: buy(),
      breakdown: 'amount',
      breakdown_histogram_bin_count: 3,
    };
    expect(lines(await ask(question))).toEqual([
      ['[5.0,13.33]', '[5.0,13.33]', [1, 0, 2, 0]],
      ['None (i.e. no value)', '', [0, 1, 0, 0]],
      ['[13.33,21.66]', '[13.33,21.66]', [1, 0, 0, 0]],
      ['[21.66,30.01]', '[21.66,30.01]', [1, 0, 0, 0]],
    ]);
    for (const breakdown_value of ['[5.0,13.33]', '["[5.0,13.33]"]', [5, 13.33]]) {
      const { people } = await ask({ ...question, breakdown_value });
      expect([breakdown_value, people?.map(([name]) => name).sort()]).toEqual([
        breakdown_value,
        ['ada', 'cyd', 'nobody'],
      ]);
    }
    expect((await ask({ ...question, breakdown_value: '' })).people).toEqual([['ada', 1]]);
    // The range before has the amount 1.
    expect(lines(await ask({ ...question, compare_to: '-4d', breakdown_histogram_bin_count: 1 }))).toEqual([
      ['[1.0,30.01]', '[1.0,30.01]', [3, 0, 2, 0]],
      ['None (i.e. no value)', '', [0, 1, 0, 0]],
      ['[1.0,30.01]', '[1.0,30.01]', [1, 0, 0, 0]],
    ]);
    expect(lines(await ask({ ...question, breakdown: 'browser' }))).toEqual([
      ['None (i.e. no value)', '', [3, 1, 2, 0]],
    ]);
  });

  it('names the event too where there are several', async () => {
    const { series } = await ask({
      ...march,
      events: [...buy(), { id: 'see' }],
      breakdown: 'browser',
      breakdown_limit: 1,
    });
    expect(series.map(({ label }) => label)).toEqual(['buy - Chrome', 'buy - Other', 'see - None (i.e. no value)']);
  });

  it('keeps a value called Other apart only while there is no rest', async () => {
    const question = { ...march, events: buy({ math: 'total' }), breakdown: 'kind' };
    await load([
      event('zoe', '03-04T10:00', { kind: 'Other' }, 'mail'),
      event('yan', '03-04T10:00', { kind: 'x' }, 'mail'),
    ]);
    const mails = { ...question, events: [{ id: 'mail' }] };
    expect((await ask(mails)).series.map(({ label }) => label)).toEqual(['Other', 'x']);
    expect((await ask({ ...mails, breakdown_value: 'Other' })).people).toEqual([['zoe', 1]]);
    const limited = await ask({ ...mails, breakdown_limit: 1, breakdown_value: 'Other' });
    expect([limited.series.map(({ label, count }) => [label, count]), limited.count]).toEqual([[['Other', 2]], 2]);
  });
});

describe('a breakdown by cohorts', () => {
  /** Calculated once: ada and eve. */
  const cohort = async (): Promise<number> => {
    const names = ['ada', 'eve'];
    const { results } = (
      await service.call('GET', `${path}/persons/trends`, {
        query: { date_from: '2024-02-01', date_to: '2024-03-04', include: 'persons' },
      })
    ).body as { results: { id: number; distinct_ids: string[] }[] };
    const rows: { id: number }[] = await service.app.get(DataSource).query(
      `INSERT INTO cohorts (project_id, name, description, groups, is_static, deleted, created_at, updated_at, version, pending_version, is_calculating, errors_calculating)
       VALUES ($1, 'Friends', '', '[]', true, false, $2, $2, 1, 1, false, 0) RETURNING id`,
      [service.project.id, new Date()],
    );
    const [{ id } = { id: 0 }] = rows;
    const members = results.filter(({ distinct_ids: ids }) => ids.some((one) => names.includes(one)));
    await service.app.get(ClickHouse).insert(
      'cohort_members',
      members.map((person) => ({ project_id: service.project.id, cohort_id: id, version: 1, actor: person.id })),
    );
    return id;
  };

  it('counts each of them in full, with everyone beside', async () => {
    const id = await cohort();
    for (const [math, all, friends] of [
      ['total', [3, 1, 2, 0], [2, 1, 0, 0]],
      ['weekly_active', [3, 3, 5, 4], [2, 2, 2, 1]],
      ['first_time_for_user', [2, 0, 2, 0], [1, 0, 0, 0]],
      ['max_count_per_actor', [2, 1, 1, 0], [2, 1, 0, 0]],
    ] as const) {
      const question = { ...march, events: buy({ math }), breakdown: ['all', id], breakdown_type: 'cohort' };
      const { series, people } = await ask({ ...question, breakdown_value: id, day: '2024-03-01' });
      expect(series.map(({ label, breakdown_value: value, data }) => [label, value, data])).toEqual([
        ['all users', 'all', all],
        ['Friends', String(id), friends],
      ]);
      expect(people?.map(([name]) => name).sort()).toEqual(math === 'weekly_active' ? ['ada', 'eve'] : ['ada']);
    }
    const two = [...buy({ math: 'sum', math_property: 'amount' }), ...buy()];
    const { series } = await ask({
      ...march,
      events: two,
      formula: 'A/B',
      breakdown: [id, 'all'],
      breakdown_type: 'cohort',
    });
    expect(series.map(({ label, data }) => [label, data])).toEqual([
      ['all users', [20, 0, 6, 0]],
      ['Friends', [15, 0, 0, 0]],
    ]);
  });
});

describe('a formula', () => {
  const two = [...buy({ math: 'sum', math_property: 'amount' }), ...buy()];

  it('makes one series of several, point by point', async () => {
    const { series } = await ask({ ...march, events: two, formula: 'A / B' });
    expect(series).toMatchObject([{ label: 'Formula (A / B)', data: [20, 0, 6, 0], count: 12 }]);
  });

  it('shows a ratio of sums as its count, and the sum where a formula adds up', async () => {
    const counts = async (formula: string) =>
      (await ask({ ...march, events: two, formula })).series.map(({ count }) => count);
    expect(await counts('A')).toEqual([72]);
    expect(await counts('B')).toEqual([6]);
    expect(await counts('A / B * 100')).toEqual([1200]);
    expect(await counts('A + 2 * B')).toEqual([84]);
  });

  it('adds up its results, and takes single values as they are', async () => {
    const of = async (display: string) => (await ask({ ...march, events: two, formula: 'A / B', display })).series[0];
    expect((await of('ActionsLineGraphCumulative'))?.data).toEqual([20, 20, 26, 26]);
    expect((await of('ActionsPie'))?.aggregated_value).toBe(12);
  });

  it('compares like with like where there is a breakdown', async () => {
    const { series } = await ask({ ...march, events: two, formula: 'A + B', breakdown: 'browser', breakdown_limit: 2 });
    expect(series.map(({ label, data }) => [label, data])).toEqual([
      ['Chrome', [32, 1, 0, 0]],
      ['None (i.e. no value)', [0, 0, 6, 0]],
      ['Other', [31, 0, 8, 0]],
    ]);
  });
});

describe('the persons behind a point', () => {
  it('come with what they contribute, the highest first', async () => {
    const { people, count } = await ask({ ...march, events: buy() });
    expect(people).toEqual([['ada', 3], expect.anything(), expect.anything(), expect.anything()]);
    expect(count).toBe(4);
    const sum = await ask({ ...march, events: buy({ math: 'sum', math_property: 'amount' }), day: '2024-03-01' });
    expect(sum.people?.sort()).toEqual([
      ['ada', 30],
      ['bob', 30],
    ]);
  });

  it('come with numbers of a property times a multiplier, as the point has them', async () => {
    const times = (more: object) => buy({ math_property: 'amount', math_multiplier: -2, ...more });
    const day = { ...march, day: '2024-03-01' };
    const sum = await ask({ ...day, events: times({ math: 'sum' }) });
    expect([sum.series[0]?.data?.[0], sum.people?.sort()]).toEqual([
      -120,
      [
        ['ada', -60],
        ['bob', -60],
      ],
    ]);
    // The lowest number becomes the highest one; other maths have no numbers to multiply.
    const max = async (events: object) => (await ask({ ...day, events })).series[0]?.data?.[0];
    expect(await max(times({ math: 'max' }))).toBe(
      -2 * Number(await max(buy({ math: 'min', math_property: 'amount' }))),
    );
    expect(await max(times({ math: 'total' }))).toBe(await max(buy()));
  });

  it.each([
    [{ day: '2024-03-02' }, ['ada']],
    [{ day: '2024-03-03T10:30:00Z' }, ['cyd', 'nobody']],
    [{ day: '2024-03-01', breakdown: 'browser', breakdown_value: 'Safari' }, ['bob']],
    [{ day: '2024-03-03', breakdown: 'browser', breakdown_value: '' }, ['cyd']],
    [{ breakdown: 'plan', breakdown_type: 'person', breakdown_value: '' }, ['cyd', 'nobody']],
    [{ compare: true, day: '2024-02-26' }, ['eve']],
    [{ compare: true, compare_label: 'previous' }, ['eve']],
    [{ series: 1 }, ['bob']],
    [{ entity_id: 'see' }, ['bob']],
    [{ entity_id: 'buy', entity_math: 'weekly_active', entity_order: 2, day: '2024-03-01' }, ['ada', 'bob', 'eve']],
    [{ display: 'ActionsLineGraphCumulative', day: '2024-03-02' }, ['ada', 'bob']],
    [{ search: 'ada@x' }, ['ada']],
    [{ search: 'nobody' }, ['nobody']],
  ])('%j', async (selection, names) => {
    const events = [...buy(), { id: 'see' }, ...buy({ math: 'weekly_active' })];
    const { people, count } = await ask({ ...march, events, ...selection });
    expect([people?.map(([name]) => name).sort(), count]).toEqual([names, names.length]);
  });

  it('are paged, and each half comes alone where only one is requested', async () => {
    const question = { ...march, events: buy() };
    const walked: unknown[] = [];
    for (let offset = 0; offset < 5; offset += 1)
      walked.push(...((await ask({ ...question, limit: 1, offset })).people ?? []));
    expect(walked).toEqual((await ask(question)).people);
    expect(await ask({ ...question, include: 'insight' })).toMatchObject({
      people: undefined,
      series: [expect.anything()],
    });
    expect(await ask({ ...question, include: 'persons' })).toMatchObject({ insight: undefined, count: 4 });
  });
});

describe('questions that are refused', () => {
  const buyOf = (more: object) => ({ events: buy(more) });
  it.each([
    ['events', { events: '{"id":"buy"}' }],
    ['events', { events: '[{"id":' }],
    ['events', { events: Array.from({ length: 51 }, () => ({ id: 'buy' })) }],
    ['events.0', { events: [7] }],
    ['events.0.id', { events: [{ math: 'dau' }] }],
    ['events.0.colour', buyOf({ colour: 'red' })],
    ['events.0.math', buyOf({ math: 'wau' })],
    ['events.0.math', buyOf({ math: 'toString' })],
    ['events.0.math', buyOf({ math: 5 })],
    ['events.1.math_property', { events: [...buy(), ...buy({ math: 'sum' })] }],
    ['events.0.math_property', buyOf({ math: 'p90', math_property: '' })],
    ['events.0.math_property', buyOf({ math: 'avg', math_property: ['x'] })],
    ['events.0.math_multiplier', buyOf({ math: 'avg', math_property: 'x', math_multiplier: '2' })],
    ['events.0.properties.0.operator', buyOf({ properties: [{ key: 'a', value: 1, operator: 'like' }] })],
    ['events.0.order', buyOf({ order: -1 })],
    ['properties', { properties: '[{' }],
    ['date_from', { date_from: 'yesterday' }],
    ['date_to', { date_to: '2024-13-01' }],
    ['interval', { interval: 'fortnight' }],
    ['interval', { interval: 'minute', date_from: '2020-01-01' }],
    ['display', { display: 'Pie' }],
    ['compare', { compare: 'maybe' }],
    ['smoothing_intervals', { smoothing_intervals: 29 }],
    ['smoothing_intervals', { smoothing_intervals: 0 }],
    ['formula', { formula: 'A +' }],
    ['formula', { formula: 'B', events: buy() }],
    ['breakdown.0', { breakdown: [1] }],
    ['breakdown', { breakdown: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['breakdown_type', { breakdown: 'a', breakdown_type: 'company' }],
    ['breakdown_group_type_index', { breakdown: 'a', breakdown_type: 'group' }],
    ['breakdown_limit', { breakdown: 'a', breakdown_limit: 0 }],
    ['breakdown', { breakdown_value: 'x' }],
    ['breakdowns', { breakdown: 'a', breakdowns: [{ property: 'a' }] }],
    ['breakdowns', { breakdowns: Array.from({ length: 6 }, () => ({ property: 'a' })) }],
    ['breakdowns', { breakdowns: 'browser' }],
    [
      'breakdowns',
      { breakdowns: [6, 5].map((n) => ({ property: Array.from({ length: n }, () => 'all'), type: 'cohort' })) },
    ],
    ['breakdowns.0', { breakdowns: ['a'] }],
    ['breakdowns.0.property', { breakdowns: [{ type: 'event' }] }],
    ['breakdowns.1.property', { breakdowns: [{ property: 'a' }, { property: 'x', type: 'cohort' }] }],
    ['breakdowns.0.type', { breakdowns: [{ property: 'a', type: 'company' }] }],
    ['breakdowns.0.group_type_index', { breakdowns: [{ property: 'a', type: 'group' }] }],
    ['breakdowns.0.colour', { breakdowns: [{ property: 'a', colour: 1 }] }],
    ['breakdowns.0.normalize_url', { breakdowns: [{ property: 'a', normalize_url: 1 }] }],
    ['breakdowns.0.histogram_bin_count', { breakdowns: [{ property: 'a', histogram_bin_count: 0 }] }],
    ['breakdown_value', { breakdowns: [{ property: 'a' }, { property: 'b' }], breakdown_value: 'x' }],
    ['breakdown_histogram_bin_count', { breakdown: 'a', breakdown_histogram_bin_count: 101 }],
    ['breakdown_normalize_url', { breakdown: 'a', breakdown_normalize_url: 'maybe' }],
    ['compare_to', { compare_to: '1w' }],
    ['compare_to', { compare_to: '-0d' }],
    ['date_from', { date_from: '2024-03-02', date_to: '2024-03-01' }],
    ['date_from', { date_to: '1999-01-01' }],
    ['breakdown_value', { breakdown: ['a', 'b'], breakdown_value: 'x' }],
    ['breakdown_value', { breakdown: ['all'], breakdown_type: 'cohort', breakdown_value: '3' }],
    ['breakdown.0', { breakdown: ['x'], breakdown_type: 'cohort' }],
    ['series', { events: buy(), series: 1 }],
    ['series', { series: 'buy' }],
    ['entity_id', { events: buy(), entity_id: 'sell' }],
    ['entity_math', { events: buy(), entity_id: 'buy', entity_math: 'x' }],
    ['entity_id', { events: buy(), entity_id: 'buy', entity_math: 'dau' }],
    ['day', { day: '1999-01-01' }],
    ['day', { day: 'someday' }],
    ['day', { day: 'dStart', display: 'BoldNumber' }],
    ['compare_label', { compare_label: 'previous' }],
    ['compare_label', { compare: true, compare_label: 'next' }],
    ['limit', { limit: 0 }],
    ['offset', { offset: -1 }],
    ['include', { include: 'all' }],
    ['format', { format: 'xml' }],
  ])('%s of %j', async (attr, query) => {
    const texts = Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
    const answer = await service.call('GET', `${path}/persons/trends`, { query: texts });
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, attr]);
  });
});

describe('hostile text', () => {
  const texts = [
    "'",
    "''",
    '"',
    '`',
    '\\',
    "\\'",
    '%',
    '%2E',
    '.',
    'a.b',
    '$1',
    '{p1:String}',
    '{}',
    '[]',
    '--',
    '/* */',
    ';',
    '\n',
    '\t',
    '\u0001',
    "' OR 1=1 --",
    "'; DROP TABLE events; --",
    '") OR ("1"="1',
    "x' UNION SELECT 1",
    'system.tables',
    'sleep(3)',
    '${x}',
    '{{x}}',
    '🙂',
    'ß',
    'İ',
    'नमस्ते',
    '\u202e',
    '\u200b',
    'NULL',
    'null',
    'true',
    '0',
    '1e999',
    'NaN',
    '__proto__',
    'constructor',
    'e.event',
    'getSubcolumn(e.properties, 1)',
    '%%',
    '_',
    '*',
    '?',
    '^',
    '|',
    'a'.repeat(150),
    '<script>',
    '../..',
    'Other ',
    'all',
  ];

  it('executes nothing and matches what it says', async () => {
    await load(
      texts.map((text, at) =>
        event(`h${at}`, '05-01T10:00', { [text]: text, value: text, number: at }, `hostile ${text}`),
      ),
    );
    const may = { date_from: '2024-05-01', date_to: '2024-05-01' };
    const all = await ask({ ...may, breakdown: 'value', breakdown_limit: 100 });
    expect(all.series.map(({ breakdown_value: value }) => value).sort()).toEqual([...texts].sort());
    for (const [at, text] of texts.entries()) {
      const event = { id: `hostile ${text}`, math: 'sum', math_property: 'number' };
      const requested = { ...may, events: [event], breakdown: [text], breakdown_value: [text] };
      const { series, people } = await ask(requested);
      expect([text, series, people]).toEqual([
        text,
        [expect.objectContaining({ breakdown_value: text, data: [at] })],
        [[`h${at}`, at]],
      ]);
    }
    expect((await ask({ ...march, events: buy() })).series[0]?.data).toEqual([3, 1, 2, 0]);
  });
});
