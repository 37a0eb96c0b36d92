import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lifecycleByBits, retentionByBits, stickinessByBits } from '../support/query/day-bits.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { Questions } from './asking.js';
import { captured, fillScene, now } from './questions/scene.js';

const home = 'https://example.test/home';
const pricing = 'https://example.test/pricing?ref=a';
const walks = [
  ['eve', '09:00', home],
  ['eve', '09:01', pricing],
  ['fay', '10:00', home],
  ['fay', '10:02', pricing],
  ['fay', '10:03', home],
] as const;

let service: ServiceHandle;
let questions: Questions;

beforeAll(async () => {
  service = await sharedService();
  questions = new Questions(service, service.project.id, now);
  await fillScene(service, service.project);
  await captured(
    service,
    service.project,
    walks.map(([distinct_id, time, $current_url]) => ({
      distinct_id,
      event: '$pageview',
      timestamp: `2024-03-12T${time}:00Z`,
      properties: { $current_url },
    })),
  );
});

afterAll(() => service.stop());

interface Series {
  readonly breakdown_value: unknown;
  readonly days: readonly (string | number)[];
  readonly data: readonly number[];
  readonly count: number;
}
interface Insight {
  readonly series: readonly Series[];
  readonly steps: readonly { count: number }[];
  readonly matrix: readonly (readonly number[])[];
  readonly days: readonly string[];
  readonly dates: readonly string[];
  readonly new: readonly number[];
  readonly returning: readonly number[];
  readonly resurrecting: readonly number[];
  readonly dormant: readonly number[];
  readonly edges: readonly { source: string; target: string; value: number }[];
}

const insight = async (path: string, query: Record<string, string>): Promise<Insight> => {
  // Retention counts its days back from the last one.
  const range = { ...(path === 'retention' ? {} : { date_from: '2024-03-01' }), date_to: '2024-03-15' };
  const answer = await service.call('GET', `/api/projects/${service.project.id}/persons/${path}`, {
    query: { ...range, include: 'insight', ...query },
    headers: { 'X-Test-Now': now },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return (answer.body as { insight: Insight }).insight;
};

/** The points that are not 0. */
const points = ({ days, data }: { days: readonly (string | number)[]; data: readonly number[] }) =>
  days.map((day, n) => [day, data[n]]).filter(([, value]) => value !== 0);

const events = (more: object = {}, id: string | null = '$pageview') => JSON.stringify([{ id, ...more }]);
const anything = '{"id":null}';
const march = { from: `from events where timestamp >= '2024-03-01' and timestamp < '2024-03-16'`, first: '2024-03-01' };
const views = `from events where event = '$pageview' and timestamp >= '2024-03-01' and timestamp < '2024-03-16'`;

describe('the figures of an insight and of the SQL that a user would write', () => {
  it('agree on a trend', async () => {
    const { series } = await insight('trends', { events: events() });
    const rows = await questions.rows(`select toDate(timestamp) as day, count() ${views} group by day order by day`);
    expect(rows).toEqual([
      ['2024-03-01', 2],
      ['2024-03-02', 2],
      ['2024-03-03', 1],
      ['2024-03-10', 2],
      ['2024-03-12', 5],
      ['2024-03-15', 1],
    ]);
    expect(points(series[0] as Series)).toEqual(rows);
  });

  it('agree on unique users', async () => {
    const { series } = await insight('trends', { events: events({ math: 'dau' }) });
    const rows = await questions.rows(
      `select toDate(timestamp) as day, uniq(person_id) ${views} group by day order by day`,
    );
    expect(rows.map(([, count]) => count)).toEqual([1, 1, 1, 2, 2, 1]);
    expect(points(series[0] as Series)).toEqual(rows);
  });

  it('agree on weekly active users', async () => {
    const { series } = await insight('trends', { events: events({ math: 'weekly_active' }) });
    const rows = await questions.rows(
      `select toDate(timestamp) + arrayJoin(range(7)) as day, count(distinct person_id) from events
       where event = '$pageview' group by day having day <= '2024-03-15' order by day`,
    );
    expect(rows.map(([, count]) => count)).toEqual([1, 2, 3, 3, 3, 3, 3, 2, 1, 2, 2, 4, 4, 4, 5]);
    expect(points(series[0] as Series)).toEqual(rows);
  });

  it('agree on a funnel of two steps', async () => {
    const { steps } = await insight('funnel', {
      events: '[{"id":"signed up","order":0},{"id":"purchased","order":1}]',
    });
    const rows = await questions.rows(
      `select countIf(level >= 1), countIf(level >= 2) from (
         select person_id, windowFunnel(1209600)(toUnixTimestamp(timestamp), event = 'signed up', event = 'purchased') as level
         from events where event in ('signed up', 'purchased') group by person_id)`,
    );
    expect(rows).toEqual([[3, 2]]);
    expect([steps.map(({ count }) => count)]).toEqual(rows);
  });

  it('agree on the retention of the day after', async () => {
    const { matrix } = await insight('retention', {
      target_entity: anything,
      returning_entity: anything,
      period: 'Day',
      total_intervals: '2',
      date_to: '2024-03-10',
    });
    const rows = await questions.rows(
      `with active as (select distinct person_id, toDate(timestamp) as day from events)
       select count(distinct a.person_id), count(distinct b.person_id) from active a join active b on a.person_id = b.person_id
       where a.day = '2024-03-09' and b.day in ('2024-03-09', '2024-03-10') and b.day >= a.day`,
    );
    const [[returned]] = (await questions.rows(
      `select count(distinct a.person_id) from events a join events b on a.person_id = b.person_id
       where toDate(a.timestamp) = '2024-03-09' and toDate(b.timestamp) = '2024-03-10'`,
    )) as [[number]];
    expect(rows).toEqual([[1, 1]]);
    expect(matrix).toEqual([[1, returned], [2]]);
  });

  it('agree on the retention of each day, from days as bits', async () => {
    const { dates, matrix } = await insight('retention', {
      period: 'Day',
      total_intervals: '15',
      target_entity: anything,
      returning_entity: anything,
    });
    const rows = await questions.rows(retentionByBits(march));
    expect(rows).toEqual([
      ['2024-03-01', 0, 1],
      ['2024-03-01', 7, 1],
      ['2024-03-01', 14, 1],
      ['2024-03-02', 0, 1],
      ['2024-03-02', 1, 1],
      ['2024-03-03', 0, 2],
      ['2024-03-03', 5, 1],
      ['2024-03-08', 0, 2],
      ['2024-03-08', 7, 1],
      ['2024-03-09', 0, 1],
      ['2024-03-09', 1, 1],
      ['2024-03-10', 0, 2],
      ['2024-03-12', 0, 2],
      ['2024-03-15', 0, 1],
    ]);
    const cells = matrix.flatMap((row, start) => row.map((count, later) => [dates[start], later, count] as const));
    expect(cells.filter(([, , count]) => count !== 0)).toEqual(rows);
  });

  it('agree on every state of a lifecycle, from days as bits', async () => {
    // The ghost has no person: its only event has a price, as purchases have.
    const answer = await insight('lifecycle', {
      events: events({}, null),
      properties: '[{"key":"price","type":"event","operator":"is_not_set"}]',
    });
    const from = `from events where properties.price is null and timestamp >= '2024-02-29' and timestamp < '2024-03-16'`;
    const rows = await questions.rows(lifecycleByBits({ from, first: '2024-02-29' }, 15));
    expect(rows).toEqual([
      ['2024-03-01', 'new', 1],
      ['2024-03-02', 'dormant', 1],
      ['2024-03-02', 'new', 1],
      ['2024-03-03', 'dormant', 1],
      ['2024-03-03', 'new', 1],
      ['2024-03-04', 'dormant', 1],
      ['2024-03-09', 'new', 1],
      ['2024-03-10', 'returning', 1],
      ['2024-03-11', 'dormant', 1],
      ['2024-03-12', 'new', 2],
      ['2024-03-13', 'dormant', 2],
      ['2024-03-15', 'resurrecting', 1],
    ]);
    const states = ['dormant', 'new', 'resurrecting', 'returning'] as const;
    const expected = answer.days.flatMap((day, at) =>
      states.map((state) => [day, state, Math.abs(answer[state][at] ?? 0)] as const),
    );
    expect(expected.filter(([, , count]) => count !== 0)).toEqual(rows);
  });

  it('agree on new users', async () => {
    const { days, new: created } = await insight('lifecycle', { events: events({}, null) });
    const rows = await questions.rows(
      `select toDate(first) as day, count() from (select person_id, min(timestamp) as first from events group by person_id)
       group by day order by day`,
    );
    expect(rows).toEqual([
      ['2024-03-01', 1],
      ['2024-03-02', 1],
      ['2024-03-03', 1],
      ['2024-03-09', 1],
      ['2024-03-10', 1],
      ['2024-03-12', 2],
    ]);
    expect(points({ days, data: created })).toEqual(rows);
  });

  it('agree on stickiness', async () => {
    const { series } = await insight('stickiness', { events: events({}, null) });
    const rows = await questions.rows(
      `select days, count() from (select person_id, count(distinct toDate(timestamp)) as days from events group by person_id)
       group by days order by days`,
    );
    expect(rows).toEqual([
      [1, 3],
      [2, 3],
      [3, 1],
    ]);
    expect(points(series[0] as Series)).toEqual(rows);
    expect(await questions.rows(stickinessByBits(march))).toEqual(rows);
  });

  it('agree on the edges of paths', async () => {
    const { edges } = await insight('path', { include_event_types: '["$pageview"]' });
    const rows = await questions.rows(
      `select source, target, count() as n from (
         select properties.$current_url as source, leadInFrame(properties.$current_url)
           over (partition by person_id order by timestamp rows between unbounded preceding and unbounded following) as target
         from events where event = '$pageview' and properties.$current_url is not null)
       where target is not null group by source, target order by n desc`,
    );
    expect(rows.map(([, , count]) => count)).toEqual([3, 1]);
    expect(edges.filter(({ source, target }) => source.includes('home') && target.includes('pricing'))).toMatchObject([
      { value: 3 },
    ]);
    expect(edges.filter(({ source, target }) => source.includes('pricing') && target.includes('home'))).toMatchObject([
      { value: 1 },
    ]);
  });

  it('agree on a breakdown by a property', async () => {
    const { series } = await insight('trends', { events: events(), breakdown: '$os', breakdown_type: 'event' });
    const rows = await questions.rows(
      `select ifNull(properties.$os, '') as os, count() ${views} group by os order by os`,
    );
    expect(rows).toEqual([
      ['', 6],
      ['Linux', 2],
      ['Mac', 2],
      ['Windows', 1],
      ['iOS', 2],
    ]);
    const byValue = series.map(({ breakdown_value, count }) => [breakdown_value, count]);
    expect(byValue.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual(rows);
  });

  it('agree on the average of a property', async () => {
    const { series } = await insight('trends', {
      events: events({ math: 'avg', math_property: 'price' }, 'purchased'),
    });
    const rows = await questions.rows(
      `select toDate(timestamp) as day, avg(toFloat(properties.price)) from events where event = 'purchased'
       group by day order by day`,
    );
    expect(rows).toEqual([
      ['2024-03-01', 10.5],
      ['2024-03-03', 5],
      ['2024-03-08', 10.625],
    ]);
    expect(points(series[0] as Series)).toEqual(rows);
  });
});
