import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Params } from '../../src/filters/asking/questions.js';
import { readCorrelation } from '../../src/analytics/correlation/correlation.query.js';
import { readFunnel } from '../../src/analytics/funnel/funnel.query.js';
import { walk } from '../support/insights/walk.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let path: string;

const project = {
  id: 1,
  timezone: 'Europe/Berlin',
  weekStartDay: 1,
  personDisplayNameProperties: [],
  testAccountFilters: [],
  pathCleaningFilters: [],
};

const hostile = [
  `'; DROP TABLE events; --`,
  '`',
  '\\',
  "\\'",
  '"',
  '{p1:String}',
  '${1}',
  '$1',
  '%2E',
  '%25',
  'a.b',
  '.',
  '__proto__',
  'constructor',
  '/* */',
  '--',
  ';',
  'NULL',
  '?',
  '😀',
  'ß',
  '\u202e',
  'a\nb',
  'a\tb',
  ' a',
  '()',
  '[]',
  'x -> x',
  'e.event',
  'properties',
];

const event = (name: string, distinct_id: string, timestamp: string, properties: object = {}) =>
  JSON.stringify({ type: 'event', event: name, distinct_id, timestamp: `2024-03-${timestamp}Z`, properties });

const importLines = async (lines: readonly string[], query = '') => {
  const answer = await fetch(`${service.url}${path}/import${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ rejected: [] });
};

/** ada goes all the way in 3 hours, bob two steps in 2 hours, cyd one; eve without a person two steps in 4 hours. */
beforeAll(async () => {
  service = await sharedService();
  path = `/api/projects/${service.project.id}`;
  const person = (id: string, properties: object) =>
    JSON.stringify({ type: 'person', distinct_ids: [id], properties, created_at: '2024-01-01T00:00:00Z' });
  await importLines([
    person('ada', { plan: 'pro' }),
    person('bob', { plan: 'free' }),
    person('cyd', {}),
    event('visit', 'ada', '01T10:00:00', { browser: 'Chrome' }),
    event('read', 'ada', '01T10:30:00', { page: 'a' }),
    event('sign up', 'ada', '01T11:00:00', { browser: 'Safari' }),
    event('pay', 'ada', '01T13:00:00'),
    event('visit', 'bob', '02T10:00:00', { browser: 'Chrome' }),
    event('sign up', 'bob', '02T12:00:00'),
    event('read', 'bob', '02T13:00:00', { page: 'b' }),
    event('visit', 'cyd', '03T10:00:00'),
  ]);
  await importLines(
    [event('visit', 'eve', '03T10:00:00', { browser: 'Chrome' }), event('sign up', 'eve', '03T14:00:00')],
    '?create_persons=false',
  );
  await importLines(
    hostile.flatMap((text, n) => [
      event(text, `h${n}`, '10T10:00:00', { [text]: text }),
      event('end', `h${n}`, '10T11:00:00'),
    ]),
  );
});

afterAll(() => service.stop());

interface Answer {
  count: number;
  results: { name: string }[];
  insight: Record<string, unknown>;
}

const steps = [{ id: 'visit' }, { id: 'sign up' }, { id: 'pay' }];
interface Page {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly { readonly name: string }[];
}

const march = { date_from: '2024-03-01', date_to: '2024-03-05', events: steps };

const queryOf = (given: object) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

const signUpTimes = { funnel_viz_type: 'time_to_convert', funnel_to_step: 1 };

const ask = async (given: object = march, route = 'funnel'): Promise<Answer> => {
  const answer = await service.call('POST', `${path}/persons/${route}`, { body: given });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Answer;
};

/** The persons alone, by GET. */
const list = async (given: object, route = 'funnel'): Promise<Answer> => {
  const query = queryOf({ ...given, include: 'persons' });
  const answer = await service.call('GET', `${path}/persons/${route}`, { query });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Answer;
};

/** A query string and a body mean the same. Compared as read, because every statement costs the engine a tenth of a second. */
const expectReadAlike = (given: object, read: typeof readFunnel | typeof readCorrelation) => {
  const now = new Date('2024-03-08T12:00:00Z');
  const of = (params: Params) => read(params, project, now);
  expect(of(Params.of(queryOf(given)))).toEqual(of(Params.of({}, { ...given })));
};

const names = ({ results }: Answer) => results.map(({ name }) => name).sort();

describe('a funnel', () => {
  it('counts who reached each step, and how long it took them', async () => {
    const { insight } = await ask();
    expect(insight).toMatchObject({
      kind: 'funnel',
      interval: 'day',
      timezone: 'UTC',
      date_from: '2024-03-01T00:00:00.000Z',
      date_to: '2024-03-05T23:59:59.999Z',
    });
    const row = (order: number, name: string, count: number, rates: number[], times: (number | null)[]) => ({
      order,
      name,
      optional: false,
      count,
      conversion_rate: rates[0],
      conversion_rate_from_previous: rates[1],
      average_conversion_time: times[0],
      median_conversion_time: times[1],
    });
    expect(insight.steps).toEqual([
      row(0, 'visit', 4, [1, 1], [null, null]),
      // One, two and four hours.
      row(1, 'sign up', 3, [0.75, 0.75], [8400, 7200]),
      row(2, 'pay', 1, [0.25, 1 / 3], [7200, 7200]),
    ]);
  });

  it.each([
    [{}, ['ada', 'bob', 'cyd', 'eve']],
    [{ funnel_step: 2 }, ['ada', 'bob', 'eve']],
    [{ funnel_step: 3 }, ['ada']],
    [{ funnel_step: -2 }, ['cyd']],
    [{ funnel_step: -3 }, ['bob', 'eve']],
    [{ funnel_custom_steps: [1, 3] }, ['ada', 'cyd']],
    [{ funnel_window_interval: 2, funnel_window_interval_unit: 'hour', funnel_step: 2 }, ['ada', 'bob']],
    [{ funnel_window_interval: 7199, funnel_window_interval_unit: 'second', funnel_step: 2 }, ['ada']],
    [{ funnel_order_type: 'strict', funnel_step: 2 }, ['bob', 'eve']],
    [{ events: [{ id: 'sign up' }, { id: 'visit' }], funnel_step: 2 }, []],
    [
      { events: [{ id: 'sign up' }, { id: 'visit' }], funnel_step: 2, funnel_order_type: 'unordered' },
      ['ada', 'bob', 'eve'],
    ],
    [{ exclusions: [{ id: 'read', funnel_from_step: 0, funnel_to_step: 1 }] }, ['bob', 'cyd', 'eve']],
    [{ exclusions: [{ id: 'read', funnel_from_step: 1, funnel_to_step: 2 }] }, ['ada', 'cyd', 'eve']],
    // A step of another part of the funnel, and some events of a step.
    [{ exclusions: [{ id: 'pay', funnel_from_step: 0, funnel_to_step: 1 }] }, ['ada', 'bob', 'cyd', 'eve']],
    [{ exclusions: [{ id: 'pay', properties: [{ key: 'way', value: 'gift' }] }] }, ['ada', 'bob', 'cyd', 'eve']],
    [{ properties: [{ type: 'person', key: 'plan', value: 'pro' }] }, ['ada']],
    [{ search: 'bob' }, ['bob']],
    [{ search: 'eve' }, ['eve']],
    [{ breakdown: 'browser', breakdown_value: 'Chrome' }, ['ada', 'bob', 'eve']],
    [{ breakdown: 'browser', breakdown_value: '' }, ['cyd']],
    [{ breakdown: 'plan', breakdown_type: 'person', funnel_step_breakdown: ['free'], funnel_step: 2 }, ['bob']],
    [{ funnel_viz_type: 'trends', entrance_period_start: '2024-03-03 00:00:00' }, []],
    [{ funnel_viz_type: 'trends', entrance_period_start: '2024-03-03', drop_off: true }, ['cyd', 'eve']],
    [{ funnel_viz_type: 'trends', entrance_period_start: '2024-03-01' }, ['ada']],
    [{ funnel_viz_type: 'trends', entrance_period_start: '2030-01-01', drop_off: true }, []],
    // ada signed up after 3,600 seconds, bob after 7,200 and eve after 14,400; ada paid 7,200 seconds later.
    [{ ...signUpTimes, conversion_time_from: 3600, conversion_time_to: 7200 }, ['ada']],
    [{ ...signUpTimes, conversion_time_from: 7200, conversion_time_to: 10800 }, ['bob']],
    [{ ...signUpTimes, conversion_time_from: 10800 }, ['eve']],
    [{ ...signUpTimes, conversion_time_from: 10800, conversion_time_to: 14400 }, []],
    [{ ...signUpTimes, conversion_time_to: 7201 }, ['ada', 'bob']],
    [
      {
        ...signUpTimes,
        conversion_time_from: 3600,
        breakdown: 'plan',
        breakdown_type: 'person',
        breakdown_value: 'free',
      },
      ['bob'],
    ],
    [{ funnel_viz_type: 'time_to_convert', conversion_time_from: 10800 }, ['ada']],
    [{ funnel_viz_type: 'time_to_convert', funnel_from_step: 1, conversion_time_to: 7200 }, []],
  ])('with %j lists %j', async (more, expected) => {
    const requested = { ...march, ...more };
    const answer = await list(requested);
    expect([names(answer), answer.count]).toEqual([expected, expected.length]);
    expectReadAlike(requested, readFunnel);
  });

  it.each([
    ['funnel', { funnel_step: 2, breakdown: ['browser'], breakdown_value: ['Chrome'], exclusions: [{ id: 'read' }] }],
    ['funnel', { funnel_viz_type: 'trends', entrance_period_start: '2024-03-03', drop_off: true, search: 'c' }],
    ['funnel/correlation', { funnel_correlation_names: ['plan'], funnel_correlation_type: 'properties' }],
  ])('%s with %j answers GET and POST alike', async (route, more) => {
    const given = { ...march, ...more };
    const got = await service.call('GET', `${path}/persons/${route}`, { query: queryOf(given) });
    const timeless = ({ insight, next: _, ...rest }: Answer & { next?: unknown }) => ({
      ...rest,
      insight: { ...insight, as_of: null },
    });
    expect(timeless(got.body as Answer)).toEqual(timeless(await ask(given, route)));
  });

  it('may be split by a property', async () => {
    const { insight } = await ask({ ...march, breakdown: 'browser' });
    const counts = (insight.breakdown as { value: string; steps: { count: number }[] }[]).map(
      ({ value, steps: its }) => [value, ...its.map(({ count }) => count)] as const,
    );
    expect(counts).toEqual([
      ['Chrome', 3, 3, 1],
      ['', 1, 0, 0],
    ]);
  });

  it('shows several properties as a list, and the rare values as Other', async () => {
    const { insight } = await ask({ ...march, breakdown: ['browser', 'page'], breakdown_limit: 1 });
    expect((insight.breakdown as { value: unknown }[]).map(({ value }) => value)).toEqual([['Chrome', ''], 'Other']);
    const other = await list({
      ...march,
      breakdown: ['browser', 'page'],
      breakdown_limit: 1,
      breakdown_value: 'Other',
    });
    expect(names(other)).toEqual(['cyd']);
  });

  it('may be split by an event, its person and the cohorts of its person together', async () => {
    const made = await service.call('POST', `${path}/cohorts`, {
      query: { wait: '30' },
      body: { name: 'Early', is_static: true, distinct_ids: ['ada', 'bob'] },
    });
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
    const id = String((made.body as { id: number }).id);
    const counts = async (more: object) =>
      ((await ask({ ...march, ...more })).insight.breakdown as { value: unknown; steps: { count: number }[] }[]).map(
        ({ value, steps: its }) => [value, ...its.map(({ count }) => count)],
      );
    const [browser, plan] = [{ property: 'browser' }, { property: 'plan', type: 'person' }];
    expect(await counts({ breakdowns: [browser, plan] })).toEqual([
      [['', ''], 1, 0, 0],
      [['Chrome', ''], 1, 1, 0],
      [['Chrome', 'free'], 1, 1, 0],
      [['Chrome', 'pro'], 1, 1, 1],
    ]);
    const early = { property: id, type: 'cohort' };
    expect(await counts({ breakdowns: [early, browser] })).toEqual([[[id, 'Chrome'], 2, 2, 1]]);
    expect(await counts({ breakdowns: [early] })).toEqual([[id, 2, 2, 1]]);
    const labelsOf = async (breakdowns: readonly object[]): Promise<unknown> => {
      const { breakdown } = (await ask({ ...march, breakdowns })).insight;
      return (breakdown as { labels?: string[] }[]).map(({ labels }) => labels);
    };
    expect(await labelsOf([early, browser])).toEqual([['Early', 'Chrome']]);
    expect(await labelsOf([browser])).toEqual([undefined, undefined]);
    const over = await ask({ ...march, breakdowns: [early], funnel_viz_type: 'trends' });
    expect(over.insight.series).toMatchObject([{ breakdown_value: id, breakdown_labels: ['Early'] }]);
    const everyone = { property: ['all', id], type: 'cohort' };
    expect(await counts({ breakdowns: [plan, everyone] })).toEqual([
      [['', 'all'], 2, 1, 0],
      [['free', id], 1, 1, 0],
      [['free', 'all'], 1, 1, 0],
      [['pro', id], 1, 1, 1],
      [['pro', 'all'], 1, 1, 1],
    ]);
    for (const type of ['first_touch', 'last_touch', 'all_events', 'step']) {
      const question = { ...march, breakdowns: [browser, everyone], breakdown_attribution_type: type };
      for (const value of [
        ['Chrome', 'all'],
        ['Chrome', id],
      ]) {
        const people = await list({ ...question, breakdown_value: value, funnel_step: 1 });
        const shown = (await counts(question)).find(([one]) => JSON.stringify(one) === JSON.stringify(value));
        expect([type, people.count]).toEqual([type, shown?.[1] ?? 0]);
      }
    }
    expect(names(await list({ ...march, breakdowns: [early, browser], breakdown_value: [id, 'Chrome'] }))).toEqual([
      'ada',
      'bob',
    ]);
    const rest = { ...march, breakdowns: [browser, everyone], breakdown_limit: 1 };
    expect(await counts(rest)).toEqual([
      [['Chrome', 'all'], 3, 3, 1],
      ['Other', 3, 2, 1],
    ]);
    expect(names(await list({ ...rest, breakdown_value: 'Other' }))).toEqual(['ada', 'bob', 'cyd']);
  });

  it('shows how many took how long', async () => {
    const { insight } = await ask({ ...march, funnel_viz_type: 'time_to_convert', funnel_to_step: 1, bin_count: 3 });
    expect(insight).toMatchObject({
      average_conversion_time: 8400,
      bins: [
        { from: 3600, to: 7200, count: 1 },
        { from: 7200, to: 10800, count: 1 },
        { from: 10800, to: 14400, count: 1 },
      ],
    });
  });

  it('shows the conversion of those who entered on each day', async () => {
    const { insight } = await ask({ ...march, funnel_viz_type: 'trends', funnel_to_step: 1 });
    expect(insight.series).toEqual([
      {
        days: ['2024-03-01', '2024-03-02', '2024-03-03', '2024-03-04', '2024-03-05'],
        reached_from: [1, 1, 2, 0, 0],
        reached_to: [1, 1, 1, 0, 0],
        data: [100, 100, 50, 0, 0],
      },
    ]);
  });

  it.each([
    [{}, { steps: [] }],
    [{ breakdown: 'browser' }, { breakdown: [] }],
    [{ funnel_viz_type: 'time_to_convert' }, { bins: [], average_conversion_time: null }],
  ])('without steps is empty: %j', async (more, shown) => {
    const answer = await ask(more);
    expect([answer.count, answer.insight]).toEqual([0, expect.objectContaining(shown)]);
  });

  it.each(['ordered', 'strict', 'unordered'])('%s has as many as 20 steps', async (funnel_order_type) => {
    const many = Array.from({ length: 20 }, (_, n) => ({ id: n % 2 === 0 ? 'visit' : 'read', order: n }));
    const { insight } = await ask({
      ...march,
      events: many,
      funnel_order_type,
      breakdown: 'browser',
      include: 'insight',
    });
    expect(insight.breakdown).not.toEqual([]);
  });

  it('gives one half where only one is requested, and is walked page by page', async () => {
    expect(Object.keys(await ask({ ...march, include: 'insight' }))).toEqual(['insight']);
    const walked = await walk<{ name: string }>(service, `${path}/persons/funnel`, queryOf({ ...march, limit: 1 }));
    expect(walked.map(({ name }) => name).sort()).toEqual(['ada', 'bob', 'cyd', 'eve']);
  });

  it('has links that are the whole question when it came in a body, unless it is too long for one', async () => {
    const follow = async (link: string | null): Promise<Page> =>
      (await service.call('GET', (link ?? '').slice(service.url.length))).body as Page;
    const first = (await ask({ ...march, limit: 3, include: 'persons', search: null })) as unknown as Page;
    const second = await follow(first.next);
    expect([...first.results, ...second.results].map(({ name }) => name).sort()).toEqual(['ada', 'bob', 'cyd', 'eve']);
    expect(second).toMatchObject({ count: 4, next: null });
    expect((await follow(second.previous)).results).toEqual(first.results);
    const values = Array.from({ length: 300 }, (_, n) => `a page with a long name ${n}`);
    const properties = [{ key: 'page', operator: 'is_not', value: values }];
    const { next } = (await ask({ ...march, properties, limit: 3 })) as unknown as Page;
    expect([...new URL(next ?? '').searchParams.keys()]).toEqual(['limit', 'offset']);
  });

  /** As many as a breakdown has keys. */
  const handfuls = Array.from({ length: hostile.length / 5 }, (_, at) => hostile.slice(5 * at, 5 * at + 5));

  it.each(handfuls)('takes event names, keys and values as they are: %j, %j, %j, %j, %j', async (...texts) => {
    const requested = {
      date_from: '2024-03-10',
      date_to: '2024-03-11',
      events: [
        { name: 'some', any_of: texts.map((text) => ({ id: text, properties: [{ key: text, value: text }] })) },
        { id: 'end' },
      ],
      exclusions: texts.map((text) => ({ id: `${text} not`, funnel_from_step: 0, funnel_to_step: 1 })),
      funnel_step: 2,
    };
    const breakdown = texts;
    // Each of them has its own key alone, and got to the end.
    const values = texts.map((text) => texts.map((key) => (key === text ? text : '')));
    const { insight } = await ask({ ...requested, breakdown, include: 'insight' });
    const both = [expect.objectContaining({ count: 1 }), expect.objectContaining({ count: 1 })];
    expect(insight.breakdown).toHaveLength(texts.length);
    expect(insight.breakdown).toEqual(expect.arrayContaining(values.map((value) => ({ value, steps: both }))));
    const ids = texts.map((text) => `h${hostile.indexOf(text)}`);
    expect(names(await list(requested))).toEqual([...ids].sort());
    const { results } = await list({ ...requested, breakdown, breakdown_value: values[0] });
    expect(results).toMatchObject([{ distinct_ids: [ids[0]] }]);
  });
});

describe('a correlation', () => {
  const two = { ...march, events: [{ id: 'visit' }, { id: 'pay' }] };

  it('compares what those did who converted and those who did not', async () => {
    const { insight } = await ask(two, 'funnel/correlation');
    expect(insight).toMatchObject({ kind: 'correlation', success_total: 1, failure_total: 3, skewed: false });
    const row = (event: string, success_count: number, failure_count: number, odds_ratio: number) => ({
      event,
      property: null,
      value: null,
      success_count,
      failure_count,
      odds_ratio,
      correlation_type: odds_ratio > 1 ? 'success' : 'failure',
    });
    expect(insight.correlations).toEqual([
      row('read', 1, 1, (2 / 2) * (3 / 1)),
      row('sign up', 1, 2, (2 / 3) * (2 / 1)),
    ]);
  });

  it.each([
    [{}, ['ada', 'bob', 'cyd', 'eve']],
    [{ funnel_correlation_person_converted: 'tRue' }, ['ada']],
    [
      { funnel_correlation_person_entity: { id: 'sign up' }, funnel_correlation_person_converted: 'false' },
      ['bob', 'eve'],
    ],
    [{ funnel_correlation_person_entity: { id: 'sign up' }, funnel_correlation_person_converted: 'true' }, ['ada']],
    [{ funnel_correlation_person_entity: { id: 'read', properties: { page: 'b' } } }, ['bob']],
    [{ funnel_correlation_property_values: [{ key: 'plan', value: 'free' }] }, ['bob']],
    [{ funnel_correlation_property_values: [{ key: 'plan', value: '' }] }, ['cyd', 'eve']],
  ])('with %j lists %j', async (more, expected) => {
    const requested = { ...two, ...more };
    const answer = await list(requested, 'funnel/correlation');
    expect([names(answer), answer.count]).toEqual([expected, expected.length]);
    expectReadAlike(requested, readCorrelation);
  });

  it('compares properties of persons, missing ones where they are named', async () => {
    const shown = async (funnel_correlation_names: string[]) => {
      const requested = { ...two, funnel_correlation_type: 'properties', funnel_correlation_names };
      const { insight } = await ask(requested, 'funnel/correlation');
      return (insight.correlations as Record<string, unknown>[]).map(
        ({ property, value, success_count, failure_count }) => [property, value, success_count, failure_count],
      );
    };
    expect(await shown(['plan'])).toEqual([
      ['plan', 'pro', 1, 0],
      ['plan', '', 0, 2],
      ['plan', 'free', 0, 1],
    ]);
    expect(await shown(['$all'])).toEqual([
      ['plan', 'pro', 1, 0],
      ['plan', 'free', 0, 1],
    ]);
  });

  it('finds what is as frequent in both to be exactly 1', async () => {
    // 14 of 60 convert. 8 of them do it on the way, and 26 of the 46 others: by several divisions 1.0000000000000002.
    const did = (n: number) => (n < 14 ? n < 8 : n < 14 + 26);
    const lines = Array.from({ length: 60 }, (_, n) => [
      event('go', `even ${n}`, '20T10:00:00'),
      ...(did(n) ? [event('look', `even ${n}`, '20T11:00:00')] : []),
      ...(n < 14 ? [event('stay', `even ${n}`, '20T12:00:00')] : []),
    ]);
    await importLines(lines.flat(), '?create_persons=false');
    const requested = { date_from: '2024-03-20', date_to: '2024-03-21', events: [{ id: 'go' }, { id: 'stay' }] };
    const { insight } = await ask({ ...requested, include: 'insight' }, 'funnel/correlation');
    expect(insight).toMatchObject({
      success_total: 14,
      failure_total: 46,
      correlations: [
        { event: 'look', success_count: 8, failure_count: 26, odds_ratio: 1, correlation_type: 'failure' },
      ],
    });
  });

  it('says nothing where nobody converted', async () => {
    const { insight } = await ask({ ...march, events: [{ id: 'pay' }, { id: 'visit' }] }, 'funnel/correlation');
    expect(insight).toMatchObject({ correlations: [], success_total: 0, failure_total: 1, skewed: true });
  });

  it('without steps is empty', async () => {
    const { insight, count } = await ask({}, 'funnel/correlation');
    expect([count, insight]).toEqual([
      0,
      expect.objectContaining({ correlations: [], success_total: 0, skewed: true }),
    ]);
  });

  it('takes names, keys and values as they are', async () => {
    const any_of = hostile.map((text) => ({ id: text, properties: [{ key: text, value: text }] }));
    const requested = {
      date_from: '2024-03-10',
      date_to: '2024-03-11',
      events: [{ name: 'some', any_of }, { id: 'end' }],
      funnel_correlation_exclude_event_names: hostile,
      funnel_correlation_person_entity: { name: 'some', any_of },
    };
    const all = hostile.length;
    const { insight, count } = await ask(requested, 'funnel/correlation');
    // They did it to begin with, and not on the way.
    expect([insight.success_total, insight.failure_total, count]).toEqual([all, 0, 0]);
  });

  it.each(['properties', 'event_with_properties'])('takes names as they are where it compares %s', async (type) => {
    const requested = {
      date_from: '2024-03-10',
      date_to: '2024-03-11',
      // Half of them converts: where nobody or everybody does, nothing is compared.
      events: [
        { id: null, properties: [] },
        { name: 'half', any_of: hostile.slice(0, 15).map((id) => ({ id })) },
      ],
      funnel_order_type: 'unordered',
      funnel_correlation_type: type,
      funnel_correlation_names: hostile,
      funnel_correlation_event_names: ['end', ...hostile],
      include: 'insight',
    };
    const { insight } = await ask(requested, 'funnel/correlation');
    expect(insight).toMatchObject({ success_total: 15, failure_total: 15, skewed: false });
    const rows = insight.correlations as { property: string; value: string }[];
    // No person has any of the keys: each is missing from all.
    if (type === 'properties')
      expect(new Set(rows.map(({ property, value }) => property + value))).toEqual(new Set(hostile));
  });
});

describe('a fault in the question', () => {
  it.each([
    ['funnel', { events: '[' }, 'events'],
    ['funnel', { events: '{"id":"a"}' }, 'events'],
    ['funnel', { events: '[{}]' }, 'events.0.id'],
    ['funnel', { events: '[{"id":"a","funnel_from_step":1}]' }, 'events.0.funnel_from_step'],
    ['funnel', { events: JSON.stringify(Array.from({ length: 21 }, () => ({ id: 'a' }))) }, 'events'],
    ['funnel', { funnel_order_type: 'sorted' }, 'funnel_order_type'],
    ['funnel', { funnel_viz_type: 'pie' }, 'funnel_viz_type'],
    ['funnel', { funnel_window_interval: '0' }, 'funnel_window_interval'],
    ['funnel', { funnel_window_interval: '1.5' }, 'funnel_window_interval'],
    ['funnel', { funnel_window_interval: '1000000', funnel_window_interval_unit: 'month' }, 'funnel_window_interval'],
    ['funnel', { funnel_window_interval_unit: 'year' }, 'funnel_window_interval_unit'],
    ['funnel', { funnel_window_days: '-1' }, 'funnel_window_days'],
    ['funnel', { funnel_step: '0' }, 'funnel_step'],
    ['funnel', { funnel_step: '-1' }, 'funnel_step'],
    ['funnel', { funnel_step: '4' }, 'funnel_step'],
    ['funnel', { funnel_custom_steps: '[1,4]' }, 'funnel_custom_steps.1'],
    ['funnel', { funnel_from_step: '2', funnel_to_step: '1' }, 'funnel_from_step'],
    ['funnel', { funnel_to_step: '3' }, 'funnel_to_step'],
    ['funnel', { bin_count: '0' }, 'bin_count'],
    ['funnel', { exclusions: '[{"id":"x","funnel_from_step":1,"funnel_to_step":1}]' }, 'exclusions.0.funnel_from_step'],
    ['funnel', { exclusions: '[{"id":"x","funnel_to_step":3}]' }, 'exclusions.0.funnel_to_step'],
    ['funnel', { exclusions: '[{"id":"x","from":3}]' }, 'exclusions.0.from'],
    ['funnel', { exclusions: '[{"id":"x"},{"id":"pay"}]' }, 'exclusions.1.id'],
    ['funnel', { exclusions: '[{"name":"n","any_of":[{"id":"x"},{"id":"pay"}]}]' }, 'exclusions.0.any_of'],
    ['funnel', { funnel_order_type: 'unordered', exclusions: '[{"id":"pay","properties":[]}]' }, 'exclusions.0.id'],
    ['funnel', { funnel_order_type: 'strict', exclusions: '["pay"]' }, 'exclusions.0.id'],
    [
      'funnel',
      { funnel_order_type: 'unordered', exclusions: '[{"id":"x","funnel_to_step":1}]' },
      'exclusions.0.funnel_to_step',
    ],
    ['funnel', { breakdown: 'a', breakdown_attribution_type: 'nth' }, 'breakdown_attribution_type'],
    [
      'funnel',
      { breakdown: 'a', breakdown_attribution_type: 'step', breakdown_attribution_value: '3' },
      'breakdown_attribution_value',
    ],
    ['funnel', { breakdown_value: 'a' }, 'breakdown'],
    ['funnel', { breakdown: 'a', breakdowns: '[{"property":"b"}]' }, 'breakdowns'],
    ['funnel', { breakdowns: '[{"property":""}]' }, 'breakdowns.0.property'],
    ['funnel', { breakdown: '["all"]', breakdown_type: 'cohort', breakdown_value: '3' }, 'breakdown_value'],
    ['funnel', { date_from: '2024-03-02', date_to: '2024-03-01' }, 'date_from'],
    ['funnel', { breakdown: '["a","b"]', breakdown_value: 'a' }, 'breakdown_value'],
    ['funnel', { breakdown: 'a', breakdown_limit: '0' }, 'breakdown_limit'],
    ['funnel', { entrance_period_start: 'soon' }, 'entrance_period_start'],
    ['funnel', { drop_off: 'maybe' }, 'drop_off'],
    ['funnel', { conversion_time_from: '-1' }, 'conversion_time_from'],
    ['funnel', { conversion_time_from: '7200', conversion_time_to: '7200' }, 'conversion_time_to'],
    ['funnel', { conversion_time_to: '1.5' }, 'conversion_time_to'],
    ['funnel', { interval: 'century' }, 'interval'],
    ['funnel', { date_from: 'yesterday' }, 'date_from'],
    ['funnel', { include: 'all' }, 'include'],
    ['funnel/correlation', { funnel_correlation_type: 'cause' }, 'funnel_correlation_type'],
    ['funnel/correlation', { funnel_correlation_type: 'properties' }, 'funnel_correlation_names'],
    ['funnel/correlation', { funnel_correlation_type: 'event_with_properties' }, 'funnel_correlation_event_names'],
    ['funnel/correlation', { funnel_correlation_person_converted: 'perhaps' }, 'funnel_correlation_person_converted'],
    ['funnel/correlation', { funnel_correlation_person_entity: '{"name":"a"}' }, 'funnel_correlation_person_entity.id'],
    [
      'funnel/correlation',
      { funnel_correlation_property_values: '[{"key":"a","value":"b","type":"event"}]' },
      'funnel_correlation_property_values.0.type',
    ],
  ])('%s with %j is refused with its name', async (route, query, attr) => {
    const given = { events: JSON.stringify(steps), ...query };
    const answer = await service.call('GET', `${path}/persons/${route}`, { query: given });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ type: 'validation_error', attr })]);
  });
});
