import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let path: string;

const event = (distinctId: string, day: string, name = 'watched') =>
  JSON.stringify({ type: 'event', event: name, distinct_id: distinctId, timestamp: `${day}T10:00:00Z` });

beforeAll(async () => {
  service = await sharedService();
  path = `/api/projects/${service.project.id}`;
  const lines = [
    event('ada', '2024-03-01'),
    event('ada', '2024-03-02'),
    event('ada', '2024-03-02'),
    event('bob', '2024-03-02'),
    event('cyd', '2024-03-04', 'other'),
  ];
  const imported = await fetch(`${service.url}${path}/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  expect(imported.status).toBe(200);
  const profileless = await fetch(`${service.url}${path}/import?create_persons=false`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/x-ndjson' },
    body: `${event('nobody', '2024-03-04')}\n`,
  });
  expect(profileless.status).toBe(200);
});

afterAll(() => service.stop());

const ask = async (query: Record<string, string>) => {
  const answer = await service.call('GET', `${path}/persons/stickiness`, { query });
  return answer.body as {
    count: number;
    results: { name: string; id: number }[];
    insight: { series: { data: number[]; days: number[]; count: number }[] };
  };
};

const march = { date_from: '2024-03-01', date_to: '2024-03-04', events: '[{"id":"watched"}]' };

describe('stickiness', () => {
  it('is about the event that entity_id names, by both of its names', async () => {
    const { date_from, date_to } = march;
    const days = { date_from, date_to };
    const all = await ask(days);
    const [one, other] = await Promise.all([ask({ ...days, entity_id: 'other' }), ask({ ...days, entityId: 'other' })]);
    expect(all.insight.series).toMatchObject([{ data: [3, 1, 0, 0] }]);
    expect(one.insight.series).toMatchObject([{ data: [1, 0, 0, 0] }]);
    expect([one.results.map(({ name }) => name), one.count]).toEqual([['cyd'], 1]);
    expect(other.insight).toEqual({ ...one.insight, as_of: expect.anything() });
    const answer = await service.call('GET', `${path}/persons/stickiness`, {
      query: { ...days, entity_id: 'other', entity_type: 'groups' },
    });
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, 'entity_type']);
  });

  it('counts persons by the number of days they were active on', async () => {
    const { insight, count } = await ask(march);
    expect(insight.series).toMatchObject([{ days: [1, 2, 3, 4], data: [2, 1, 0, 0], count: 3 }]);
    expect(count).toBe(3);
  });

  it.each([
    [1, ['bob', 'nobody']],
    [2, ['ada']],
    [3, []],
  ])('lists who was active on exactly %d days, those without a person too', async (days, names) => {
    const { results, count } = await ask({ ...march, stickiness_days: String(days) });
    expect(results.map(({ name }) => name).sort()).toEqual(names);
    expect(count).toBe(names.length);
  });

  it.each([
    ['gte', '1', 3],
    ['gte', '2', 1],
    ['lte', '1', 2],
    ['exact', '2', 1],
  ])('lists who was active on %s %s days', async (operator, days, number) => {
    const { count } = await ask({ ...march, stickiness_days: days, stickiness_days_operator: operator });
    expect(count).toBe(number);
  });

  it.each([
    ['gte', 1, [2, 1, 0, 0]],
    ['gte', 2, [1, 0, 0, 0]],
    ['exact', 1, [3, 0, 0, 0]],
    ['exact', 2, [1, 0, 0, 0]],
    ['lte', 1, [3, 0, 0, 0]],
    ['lte', 2, [2, 1, 0, 0]],
  ])('counts only intervals with so many events: %s %d', async (operator, value, data) => {
    const { insight } = await ask({ ...march, stickiness_criteria: JSON.stringify({ operator, value }) });
    expect(insight.series[0]?.data).toEqual(data);
  });

  it('lists who is behind the range before, too', async () => {
    const later = { ...march, date_from: '2024-03-02', date_to: '2024-03-02', compare: 'true' };
    const names = async (period: Record<string, string>) =>
      (await ask({ ...later, ...period })).results.map(({ name }) => name).sort();
    expect((await ask(later)).insight.series.map(({ data }) => data)).toEqual([[2], [1]]);
    expect(await names({})).toEqual(['ada', 'bob']);
    expect(await names({ compare_label: 'current' })).toEqual(['ada', 'bob']);
    expect(await names({ compare_label: 'previous' })).toEqual(['ada']);
    expect(await names({ compare_label: 'previous', stickiness_days: '1' })).toEqual(['ada']);
    const query = { ...march, compare_label: 'previous' };
    const refused = await service.call('GET', `${path}/persons/stickiness`, { query });
    expect([refused.status, (refused.body as { attr: string }).attr]).toEqual([400, 'compare_label']);
  });

  it('counts groups of intervals as one', async () => {
    const inPairs = { ...march, interval_count: '2' };
    const { insight } = await ask(inPairs);
    expect(insight).toMatchObject({ interval: 'day', interval_count: 2 });
    expect(insight.series).toMatchObject([{ days: [1, 2], data: [3, 0], count: 3 }]);
    const names = (await ask({ ...inPairs, stickiness_days: '1' })).results.map(({ name }) => name);
    expect(names.sort()).toEqual(['ada', 'bob', 'nobody']);
    // The last group has one day only.
    const inThrees = await ask({ ...march, interval_count: '3', events: '[{"id":null}]' });
    expect(inThrees.insight.series).toMatchObject([{ days: [1, 2], data: [4, 0] }]);
  });

  it('compares with a range so far back', async () => {
    const later = { ...march, date_from: '2024-03-08', date_to: '2024-03-09' };
    const data = async (more: Record<string, string>) =>
      (await ask({ ...later, ...more })).insight.series.map(({ data: numbers }) => numbers);
    expect(await data({ compare_to: '-1w' })).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(await data({ compare: 'true', compare_to: '-1w' })).toEqual(await data({ compare_to: '-1w' }));
    expect(await data({ compare: 'true', compare_to: '-4d' })).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(await data({ compare: 'false', compare_to: '-1w' })).toEqual([[0, 0]]);
    const previous = { ...later, compare_to: '-1w', compare_label: 'previous', stickiness_days: '2' };
    expect((await ask(previous)).results.map(({ name }) => name)).toEqual(['ada']);
  });

  it('begins at the start of the first interval, as trends do', async () => {
    // 1 March 2024 is a Friday: its week began on 25 February.
    const watchedOn1March = [
      { interval: 'month', date_from: '2024-03-25', date_to: '2024-04-05' },
      { interval: 'week', date_from: '2024-03-02', date_to: '2024-03-09' },
      { interval: 'day', date_from: '2024-03-01T20:00:00Z', date_to: '2024-03-02T05:00:00Z' },
      { interval: 'hour', date_from: '2024-03-01T10:30:00Z', date_to: '2024-03-01T11:30:00Z' },
    ];
    for (const range of watchedOn1March) {
      const { insight, results } = await ask({ ...march, ...range });
      const { interval } = range;
      expect([interval, results.some(({ name }) => name === 'ada')]).toEqual([interval, true]);
      expect([interval, insight.series[0]?.count]).toEqual([interval, results.length]);
    }
    const april = { ...march, interval: 'month', date_from: '2024-03-25', date_to: '2024-04-05' };
    expect((await ask(april)).insight.series).toMatchObject([{ days: [1, 2], data: [3, 0], count: 3 }]);
    const once = await ask({ ...april, stickiness_days: '1' });
    expect([once.count, once.results.map(({ name }) => name).sort()]).toEqual([3, ['ada', 'bob', 'nobody']]);
    const csv = await service.call('GET', `${path}/persons/stickiness`, { query: { ...april, format: 'csv' } });
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(4);
    const filtered = { ...april, properties: '[{"key":"distinct_id","type":"event_metadata","value":"bob"}]' };
    expect((await ask(filtered)).insight.series).toMatchObject([{ data: [1, 0] }]);
    const twice = { ...april, stickiness_criteria: '{"operator":"gte","value":3}' };
    expect((await ask(twice)).insight.series).toMatchObject([{ data: [1, 0] }]);
    const inPairs = { ...april, interval_count: '2', date_to: '2024-05-05' };
    expect((await ask(inPairs)).insight.series).toMatchObject([{ days: [1, 2], data: [3, 0] }]);
  });

  it('begins the previous range and a relative one at the start of their first interval, too', async () => {
    const april = { ...march, interval: 'month', date_from: '2024-04-25', date_to: '2024-05-05' };
    const compared = { ...april, compare_to: '-1m' };
    expect((await ask(compared)).insight.series.map(({ data }) => data)).toEqual([
      [0, 0],
      [3, 0],
    ]);
    expect(await ask({ ...compared, compare_label: 'previous' })).toMatchObject({ count: 3 });
    // Thirty days before 4 April is 5 March, in the week of 3 March; 9 April minus 30 days is 10 March, a Sunday.
    const data = async (now: string) => {
      const query = { date_from: '-30d', interval: 'week', events: '[{"id":null}]', include: 'insight' };
      const answer = await service.call('GET', `${path}/persons/stickiness`, { query, headers: { 'X-Test-Now': now } });
      return (answer.body as { insight: { series: { data: number[] }[] } }).insight.series[0]?.data;
    };
    // On 4 March there are events of nobody and cyd.
    expect(await data('2024-04-04T12:00:00Z')).toEqual([2, 0, 0, 0, 0]);
    expect(await data('2024-04-09T12:00:00Z')).toEqual([0, 0, 0, 0, 0]);
  });

  it('answers when asked nothing in particular', async () => {
    const answer = await service.call('GET', `${path}/persons/stickiness`);
    expect([answer.status, (answer.body as { count: number }).count]).toEqual([200, 0]);
  });

  it('gives one half where only one is requested', async () => {
    expect(Object.keys(await ask({ ...march, include: 'insight' }))).toEqual(['insight']);
    expect(Object.keys(await ask({ ...march, include: 'persons' }))).toEqual(['count', 'next', 'previous', 'results']);
  });

  it('streams everyone as CSV', async () => {
    const answer = await service.call('GET', `${path}/persons/stickiness`, { query: { ...march, format: 'csv' } });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [header, ...rows] = answer.text.trimEnd().split('\r\n');
    expect(header).toBe('id,uuid,name,created_at,distinct_ids');
    expect(rows.map((row) => row.split(',')[2]).sort()).toEqual(['ada', 'bob', 'nobody']);
  });

  it('finds persons by distinct id, and pages through them', async () => {
    expect((await ask({ ...march, search: 'bob' })).results.map(({ name }) => name)).toEqual(['bob']);
    expect((await ask({ ...march, search: 'nobody' })).results.map(({ name }) => name)).toEqual(['nobody']);
    const second = await ask({ ...march, limit: '1', offset: '1' });
    expect([second.count, second.results.length]).toEqual([3, 1]);
    expect((await ask({ ...march, limit: '1', offset: '9' })).count).toBe(3);
  });
});
