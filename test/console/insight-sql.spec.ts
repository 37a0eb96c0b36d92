import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  stickinessStatement,
  trendsStatement,
  type SqlQuestion,
  type SqlSeries,
} from '../../console/src/insights/sql/statement.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let path: string;

/** 25 October 2026 has 25 hours in Berlin: 02:30 comes at 00:30 and at 01:30 UTC. */
const event = (name: string, distinctId: string, timestamp: string, properties: object = {}) => ({
  type: 'event',
  event: name,
  distinct_id: distinctId,
  timestamp: `${timestamp}:00Z`,
  properties,
});

beforeAll(async () => {
  service = await sharedService();
  path = `/api/projects/${service.project.id}`;
  await service.call('PATCH', path, { body: { timezone: 'Europe/Berlin', week_start_day: 1 } });
  await importLines(service, service.project.id, [
    personLine('ada', { plan: "Ada's \\ plan" }),
    personLine('bob', { plan: 'free' }),
    event('opened', 'ada', '2026-10-19T12:00', { $browser: 'Chrome' }),
    event('opened', 'ada', '2026-10-25T00:30', { $browser: 'Chrome' }),
    event('opened', 'bob', '2026-10-25T01:30', { $browser: 'Safari' }),
    event('opened', 'bob', '2026-10-25T23:30', { $browser: 'Safari' }),
    event('paid', 'bob', '2026-10-26T09:00'),
    event('paid', 'ada', '2026-10-26T09:10'),
    event('paid', 'ada', '2026-10-26T09:20'),
  ]);
  await importLines(service, service.project.id, [event('opened', 'eve', '2026-10-24T22:30')], '?create_persons=false');
});

afterAll(() => service.stop());

interface Series {
  readonly days?: readonly string[];
  readonly data: readonly number[];
  readonly count: number;
}

const insightOf = async (kind: string, query: Record<string, string>) => {
  const answer = await service.call('GET', `${path}/persons/${kind}`, { query: { ...query, include: 'insight' } });
  expect(answer.status).toBe(200);
  return (answer.body as { insight: { date_from: string; date_to: string; series: Series[] } }).insight;
};

const rowsOf = async (statement: string | null): Promise<(string | number)[][]> => {
  const answer = await service.call('POST', `${path}/query`, { body: { query: statement } });
  expect(answer.body).toHaveProperty('results');
  return (answer.body as { results: (string | number)[][] }).results;
};

const series: readonly (SqlSeries & { readonly math: string })[] = [
  { id: 'opened', isAction: false, counts: 'events', math: 'total' },
  { id: null, isAction: false, counts: 'persons', math: 'dau' },
  {
    id: 'opened',
    isAction: false,
    counts: 'events',
    math: 'total',
    filter: { type: 'AND', values: [{ type: 'event', key: '$browser', operator: 'is_not', value: ['Chrome'] }] },
  },
];

const events = JSON.stringify(
  series.map(({ id, math, filter }, order) => ({ id, math, order, ...(filter ? { properties: filter } : {}) })),
);

const question = (interval: string, range: { date_from: string; date_to: string }): SqlQuestion => ({
  series,
  filters: [],
  interval,
  from: range.date_from,
  to: range.date_to,
  wholeFrom: null,
  timezone: 'Europe/Berlin',
  weekStartDay: 1,
});

const range = { date_from: '2026-10-21', date_to: '2026-10-27' };

describe('the statement of trends', () => {
  it.each(['hour', 'day', 'week', 'month'])(
    'has the numbers of the insight by %s, also where clocks change',
    async (interval) => {
      const insight = await insightOf('trends', { ...range, interval, events });
      const days = insight.series[0]?.days ?? [];
      const isWhole = interval === 'week' || interval === 'month';
      const statement = trendsStatement(
        { ...question(interval, insight), wholeFrom: isWhole ? (days[0] ?? null) : null },
        false,
      );
      // A point without events has no row; the others come in the order of the points.
      const expected = days
        .map((_, at) => insight.series.map(({ data }) => data[at] ?? 0))
        .filter((numbers) => numbers.some((number) => number > 0));
      expect(expected.length).toBeGreaterThan(0);
      expect((await rowsOf(statement)).map(([, ...numbers]) => numbers)).toEqual(expected);
    },
  );

  it('has one row for the whole range of a total', async () => {
    const insight = await insightOf('trends', { ...range, display: 'BoldNumber', events });
    // Opened: 4 with the one of eve, who has no profile. Persons: ada, bob and eve. Not Chrome: 3.
    expect(insight.series.map(({ count }) => count)).toEqual([4, 3, 3]);
    expect(await rowsOf(trendsStatement(question('day', insight), true))).toEqual([[4, 3, 3]]);
  });

  it('has the filters of the question, with any text in them', async () => {
    const person = (operator: string, value?: unknown) => ({ type: 'person', key: 'plan', operator, value });
    const filters = [
      person('exact', ["Ada's \\ plan"]),
      person('is_not', ['free']),
      person('icontains', "ADA'S"),
      person('not_icontains', 'FREE'),
      person('is_set'),
      person('is_not_set'),
      { type: 'OR', values: [person('exact', ['free']), { type: 'event', key: '$browser', operator: 'is_set' }] },
    ];
    for (const filter of filters) {
      const properties = JSON.stringify('values' in filter ? filter : [filter]);
      const insight = await insightOf('trends', { ...range, display: 'BoldNumber', events, properties });
      const statement = trendsStatement({ ...question('day', insight), filters: [filter] }, true);
      expect(await rowsOf(statement)).toEqual([insight.series.map(({ count }) => count)]);
    }
  });

  it('is not given where a condition has no certain form', () => {
    const some = { date_from: '2026-10-21T00:00:00.000Z', date_to: '2026-10-22T00:00:00.000Z' };
    const filtered = (filter: object) => trendsStatement({ ...question('day', some), filters: [filter] }, false);
    const person = { type: 'person', key: 'age' };
    expect(filtered({ ...person, operator: 'gt', value: 30 })).toBeNull();
    expect(filtered({ ...person, operator: 'exact', value: [30] })).toBeNull();
    expect(filtered({ ...person, operator: 'exact', value: ['1e3'] })).toBeNull();
    expect(
      filtered({
        type: 'OR',
        values: [
          { ...person, operator: 'is_set' },
          { ...person, operator: 'regex', value: 'a' },
        ],
      }),
    ).toBeNull();
  });
});

describe('the statement of stickiness', () => {
  it('has the numbers of the insight', async () => {
    const [only] = series;
    const insight = await insightOf('stickiness', { ...range, date_from: '2026-10-19', events: '[{"id":"opened"}]' });
    // By days in Berlin: ada on 19 and 25 October, bob on 25 and 26, eve on 25.
    expect(insight.series[0]?.data.slice(0, 3)).toEqual([1, 2, 0]);
    const statement = stickinessStatement({ ...question('day', insight), series: only ? [only] : [] });
    expect(await rowsOf(statement)).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it.each(['hour', 'day', 'week', 'month'])('has the numbers of the insight by %s', async (interval) => {
    const [only] = series;
    // Ada opened at noon of 19 October.
    const within = { date_from: '2026-10-19T12:30:00Z', date_to: '2026-10-24T23:00:00Z' };
    const insight = await insightOf('stickiness', { ...within, interval, events: '[{"id":"opened"}]' });
    const statement = stickinessStatement({ ...question(interval, insight), series: only ? [only] : [] });
    const expected = (insight.series[0]?.data ?? []).flatMap((persons, at) => (persons > 0 ? [[at + 1, persons]] : []));
    expect(expected.length).toBeGreaterThan(0);
    expect(await rowsOf(statement)).toEqual(expected);
  });
});
