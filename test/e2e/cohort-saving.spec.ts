import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CohortDefinitions } from '../../src/cohorts/saving/cohort-definitions.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const questionsWhile = async (work: () => Promise<unknown>): Promise<number> => {
  const query = jest.spyOn(service.app.get(ClickHouse), 'query');
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
};

describe('saving a cohort', () => {
  const check = (values: object[]) => () =>
    service.app
      .get(CohortDefinitions)
      .check(
        contextOf(service),
        { groups: [], groupType: null, filters: { properties: { type: 'AND', values } } },
        'filters',
        new Date(),
      );

  it('sends ClickHouse no statement, so that it succeeds while ClickHouse is down', async () => {
    const behaviour = {
      type: 'behavioral',
      value: 'performed_event',
      key: '$pageview',
      event_type: 'events',
      time_value: 7,
      time_interval: 'day',
    };
    expect(await questionsWhile(check([{ type: 'person', key: 'plan', value: 'pro' }, behaviour]))).toBe(0);
  });

  it('sends one to check a regular expression', async () => {
    const pattern = { type: 'person', key: 'plan', operator: 'regex', value: 'p.o' };
    expect(await questionsWhile(check([pattern]))).toBe(1);
  });
});

describe('a deleted cohort', () => {
  it('still has its members for the filters of test accounts that name it, and for no new filter', async () => {
    const { id } = await service.newProject();
    const path = `/api/projects/${id}`;
    const lines = ['tester', 'ada'].flatMap((distinct_id) => [
      { type: 'person', distinct_ids: [distinct_id] },
      { type: 'event', event: 'bought', distinct_id, timestamp: '2026-02-01T12:00:00Z' },
    ]);
    const headers = { 'content-type': 'application/x-ndjson' };
    await service.call('POST', `${path}/import`, {
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
      headers,
    });
    const made = await service.call('POST', `${path}/cohorts`, {
      body: { name: 'Testers', is_static: true, distinct_ids: ['tester'] },
    });
    const cohort = (made.body as { id: number }).id;
    const notTester = [{ type: 'cohort', key: 'id', operator: 'not_in', value: cohort }];
    await service.call('PATCH', path, { body: { test_account_filters: notTester } });
    await service.call('PATCH', `${path}/cohorts/${cohort}`, { body: { deleted: true } });

    const trends = (query: Record<string, string>) =>
      service.call('GET', `${path}/persons/trends`, {
        query: { events: '[{"id":"bought"}]', date_from: '2026-02-01', date_to: '2026-02-01', ...query },
      });
    const counts = await trends({ filter_test_accounts: 'true' });
    expect([counts.status, counts.body]).toEqual([200, expect.objectContaining({ count: 1 })]);
    const refused = await trends({ properties: JSON.stringify(notTester) });
    expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ attr: 'properties.0.value' })]);
    const listed = async (...filters: object[]) =>
      (await service.call('GET', `${path}/events`, { query: { properties: JSON.stringify(filters) } })).body;
    expect(await listed(...notTester)).toMatchObject({ status: 400, attr: 'properties.0.value' });
    // A list of events has no answer about the past of a cohort.
    const then = { type: 'cohort', key: 'id', value: cohort, at: 'event' };
    expect(await listed(then)).toMatchObject({ status: 400, attr: 'properties.0.at' });
  });
});

const contextOf = ({ project }: TestService) => ({
  id: project.id,
  timezone: project.timezone,
  weekStartDay: 0,
  personDisplayNameProperties: [],
  testAccountFilters: [],
  pathCleaningFilters: [],
});
