import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;

const event = (distinct_id: string, day: string, properties: object = {}) => ({
  ...{ type: 'event', event: 'seen', distinct_id, timestamp: `2024-${day}T10:00:00Z`, properties },
});

const looked = (distinct_id: string, day: string) => ({
  ...event(distinct_id, '01-01', { plan: distinct_id === 'p1' ? 'pro' : 'free' }),
  event: 'looked',
  timestamp: `${day}T12:00:00Z`,
});

beforeAll(async () => {
  service = await sharedService();
  await importLines(service, service.project.id, [
    event('ada', '01-25'),
    event('bob', '01-26'),
    event('cyd', '02-10'),
    event('dan', '02-24'),
    event('eve', '03-01'),
    event('fay', '03-02'),
    event('ivy', '06-01', { plan: 'free' }),
    event('ivy', '06-02', { plan: 'pro' }),
    ...['2020-01-11', '2020-01-12', '2020-01-13', '2020-01-15', '2020-01-17', '2020-01-19'].map((day) =>
      looked('p1', day),
    ),
    ...['2020-01-09', '2020-01-12'].map((day) => looked('p2', day)),
    looked('p3', '2020-01-12'),
    looked('p4', '2020-01-15'),
    event('gus', '05-01', { size: 1 }),
    event('gus', '05-04', { size: 1000 }),
    event('gus', '05-08', { size: 9 }),
  ]);
});
afterAll(() => service.stop());

const ask = async (project: number, series: object, query: Record<string, string>) => {
  const events = JSON.stringify([{ id: 'seen', ...series }]);
  const answer = await service.call('GET', `/api/projects/${project}/persons/trends`, { query: { events, ...query } });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  const { results, insight } = answer.body as {
    results: { name: string; value_at_data_point: number }[];
    insight: { series: { label: string; days?: string[]; data: number[] }[] };
  };
  return {
    results: results.map(({ name, value_at_data_point: value }) => ({ name, value })),
    days: insight.series[0]?.days ?? [],
    names: results.map(({ name }) => name).sort(),
    labels: insight.series.map(({ label }) => label),
    data: insight.series.map(({ data }) => data),
  };
};

describe('trends', () => {
  it.each([
    // The weeks of 9, 12 and 19 January 2020, and the months, as the reference counts them.
    ['weekly_active', { interval: 'week', date_from: '2020-01-09', date_to: '2020-01-20' }, [2, 4, 1]],
    ['weekly_active', { interval: 'month', date_from: '2019-12-31', date_to: '2020-02-01' }, [0, 4, 0]],
    ['monthly_active', { interval: 'month', date_from: '2019-12-31', date_to: '2020-02-01' }, [0, 4, 0]],
  ])('of %s by an interval as long as its span count the persons of each interval', async (math, range, data) => {
    const question = (more: object = {}, series: object = {}) =>
      ask(service.project.id, { id: 'looked', math, ...series }, { ...range, ...more });
    const daily = await question({}, { math: 'dau' });
    expect(await question()).toEqual(daily);
    expect(daily.data).toEqual([data]);
    for (const [at, day] of daily.days.entries()) {
      const [mine, theirs] = [await question({ day }), await question({ day }, { math: 'dau' })];
      expect([day, mine.results]).toEqual([day, theirs.results]);
      expect([day, mine.names.length]).toEqual([day, data[at]]);
    }
    const others = [
      { breakdown: 'plan' },
      { breakdown: 'plan', breakdown_value: 'pro' },
      { formula: 'A * 2' },
      { compare: 'true' },
      { compare: 'true', compare_label: 'previous' },
      { display: 'ActionsLineGraphCumulative' },
      { smoothing_intervals: '2' },
    ];
    for (const more of others)
      expect([more, await question(more)]).toEqual([more, await question(more, { math: 'dau' })]);
  });

  it('of monthly_active by the week count who was active in the 30 days up to the first day of each', async () => {
    const weeks = { interval: 'week', date_from: '2024-02-18', date_to: '2024-03-09' };
    const monthly = (more: object = {}) => ask(service.project.id, { math: 'monthly_active' }, { ...weeks, ...more });
    expect(await monthly()).toMatchObject({
      names: ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'],
      data: [[3, 2, 4]],
    });
    expect((await monthly({ day: '2024-03-03' })).names).toEqual(['cyd', 'dan', 'eve', 'fay']);
    expect(await monthly({ display: 'ActionsLineGraphCumulative' })).toMatchObject({ data: [[3, 4, 6]] });
  });

  it('of weekly_active as a single number, or by the hour, count the week up to the end or the point', async () => {
    const weekly = (more: object) => ask(service.project.id, { math: 'weekly_active' }, more as Record<string, string>);
    const total = { interval: 'week', date_from: '2024-02-01', date_to: '2024-03-02', display: 'BoldNumber' };
    expect((await weekly(total)).names).toEqual(['eve', 'fay']);
    const hours = { interval: 'hour', date_from: '2024-03-01T09:00:00Z', date_to: '2024-03-01T10:59:59Z' };
    expect((await weekly(hours)).data).toEqual([[2, 1]]);
  });

  it('name both hours of clocks that are put back, so that each has its persons in every insight by the hour', async () => {
    const { id } = await service.newProject();
    await service.call('PATCH', `/api/projects/${id}`, { body: { timezone: 'Europe/Berlin' } });
    const at = (who: string, hour: string) => ({ ...event(who, '01-01'), timestamp: `2026-10-25T${hour}Z` });
    await importLines(service, id, [at('ada', '00:10:00'), at('bob', '01:10:00')]);
    const range = { date_from: '2026-10-24T22:00:00Z', date_to: '2026-10-25T02:59:59Z', interval: 'hour' };
    const labels = ['2026-10-25 02:00:00+02:00', '2026-10-25 02:00:00+01:00'];
    const days = ['2026-10-25 00:00:00', '2026-10-25 01:00:00', ...labels, '2026-10-25 03:00:00'];
    expect(await ask(id, {}, range)).toMatchObject({ days, data: [[0, 0, 1, 1, 0]] });
    const person = async (route: string, query: Record<string, string>) => {
      const events = '[{"id":"seen"}]';
      const answer = await service.call('GET', `/api/projects/${id}/persons/${route}`, {
        query: { events, ...range, ...query },
      });
      return (answer.body as { results: { name: string }[] }).results.map(({ name }) => name);
    };
    for (const [at, label] of labels.entries()) {
      const who = [['ada', 'bob'][at]];
      expect(await person('trends', { day: label })).toEqual(who);
      expect(await person('lifecycle', { target_date: label, lifecycle_type: 'new' })).toEqual(who);
      const entered = { funnel_viz_type: 'trends', entrance_period_start: label };
      expect(await person('funnel', entered)).toEqual(who);
    }
    const { body } = await service.call('GET', `/api/projects/${id}/persons/retention`, {
      query: { target_entity: '{"id":"seen"}', period: 'Hour', total_intervals: '5', date_to: '2026-10-25T02:30:00Z' },
    });
    expect((body as { insight: { dates: string[] } }).insight.dates).toEqual(days);
  });

  it('compared with a week before have bins for both ranges, not for what lies between them', async () => {
    const bins = { breakdown: 'size', breakdown_histogram_bin_count: '1', compare_to: '-1w' };
    const { labels, data } = await ask(
      service.project.id,
      {},
      { date_from: '2024-05-08', date_to: '2024-05-08', ...bins },
    );
    expect([labels, data]).toEqual([
      ['[1.0,9.01]', '[1.0,9.01]'],
      [[1], [1]],
    ]);
  });

  it('of first times are split by the values of first times only', async () => {
    const june = { date_from: '2024-06-01', date_to: '2024-06-02', breakdown: 'plan' };
    const { labels, data } = await ask(service.project.id, { math: 'first_time_for_user' }, june);
    expect([labels, data]).toEqual([['free'], [[1, 0]]]);
  });

  it.each(['total', 'weekly_active', 'first_time_for_user'])(
    'of %s are empty where nothing ever happened',
    async (math) => {
      const { id } = await service.newProject();
      expect(await ask(id, { math }, { date_from: 'all' })).toMatchObject({ names: [] });
    },
  );
});
