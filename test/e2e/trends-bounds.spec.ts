import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;

const event = (distinct_id: string, day: string, properties: object = {}) => ({
  ...{ type: 'event', event: 'seen', distinct_id, timestamp: `2024-${day}T10:00:00Z`, properties },
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
    results: { name: string }[];
    insight: { series: { label: string; data: number[] }[] };
  };
  return {
    names: results.map(({ name }) => name).sort(),
    labels: insight.series.map(({ label }) => label),
    data: insight.series.map(({ data }) => data),
  };
};

describe('trends', () => {
  it('by the month count who was active in the week before each, and nobody who was active between the weeks', async () => {
    const months = { interval: 'month', date_from: '2024-02-01', date_to: '2024-03-31' };
    const weekly = (more: object = {}) => ask(service.project.id, { math: 'weekly_active' }, { ...months, ...more });
    expect(await weekly()).toMatchObject({ names: ['bob', 'dan', 'eve'], data: [[1, 2]] });
    expect((await weekly({ day: '2024-03-01' })).names).toEqual(['dan', 'eve']);
    expect(await weekly({ display: 'ActionsLineGraphCumulative' })).toMatchObject({
      names: ['bob', 'dan', 'eve'],
      data: [[1, 3]],
    });
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
