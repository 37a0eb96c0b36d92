import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { QueryTooExpensive } from '../../src/platform/clickhouse/errors.js';
import { type Sql, empty, join, sql } from '../../src/platform/clickhouse/sql.js';
import { all, did, where } from '../support/cohorts/cohorts-of.js';
import { type Answer, startTestService, type TestService } from '../support/service.js';
import { leastCpuMs } from '../support/cpu.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const times = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));
const post = (path: string, body: object): Promise<Answer> =>
  service.call('POST', `/api/projects/${service.project.id}/${path}`, { body });
const outcome = ({ status, body }: Answer) => {
  const { code, attr } = body as { code?: string; attr?: string };
  return { status, code, attr };
};
const refused = (attr: string) => ({ status: 400, code: 'invalid_input', attr });
const tooExpensive = (attr: string | null = null) => ({ status: 400, code: 'too_expensive', attr });

const named = (at: number) => ({ key: `key ${at}`, value: 'x' });
const step = (properties: object[]) => ({ events: [{ id: 'a', properties }] });

describe('a filter of one question', () => {
  const digits = `${'1'.repeat(40_000)}x`;

  it('is refused where a number of 40,000 digits would hold up all other requests', async () => {
    const used = await leastCpuMs(async () => {
      const answer = await post('persons/funnel', step([{ key: 'a', operator: 'gt', value: digits }]));
      expect(outcome(answer)).toEqual(refused('events.0.properties.0.value'));
    }, 1_000);
    expect(used).toBeLessThan(1_000);
  });

  it('is refused where a name of 160,000 underscores would', async () => {
    const used = await leastCpuMs(async () => {
      const properties = { [`${'_'.repeat(160_000)}!`]: 1 };
      const answer = await post('persons/funnel', { events: [{ id: 'a' }], properties });
      expect(outcome(answer)).toMatchObject({ status: 400, code: 'invalid_input' });
      expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
    }, 1_000);
    expect(used).toBeLessThan(1_000);
  });

  it('has keys and values of at most 1,000 characters, and patterns of at most 8,000', async () => {
    const within = [
      { key: 'k'.repeat(1_000), value: 'v'.repeat(1_000) },
      { key: 'a', operator: 'regex', value: 'r'.repeat(8_000) },
    ];
    expect(outcome(await post('persons/funnel', step(within)))).toMatchObject({ status: 200 });
    const path = 'events.0.properties.0';
    for (const [filter, attr] of [
      [{ key: 'k'.repeat(1_001), value: 1 }, `${path}.key`],
      [{ key: 'a', value: ['x', 'v'.repeat(1_001)] }, `${path}.value.1`],
      [{ key: 'a', operator: 'lt', value: '1'.repeat(1_001) }, `${path}.value`],
      [{ key: 'a', operator: 'regex', value: 'r'.repeat(8_001) }, `${path}.value`],
    ] as const) {
      expect(outcome(await post('persons/funnel', step([filter])))).toEqual(refused(attr));
    }
  });
});

describe('the sum of a question', () => {
  const parts = (count: number, properties: object[]) => times(count, (at) => ({ id: `e${at}`, properties }));
  const entity = (anyOf: object[], properties: object[] = []) => ({ id: null, name: 'any', any_of: anyOf, properties });
  const cohort = { type: 'cohort', key: 'id', value: 1 };

  it.each([
    ['20 steps with 50 alternatives of 10 filters', { events: times(20, () => entity(parts(50, times(10, named)))) }],
    [
      '501 filters in two lists',
      {
        events: [
          { id: 'a', properties: times(250, named) },
          { id: 'b', properties: times(251, named) },
        ],
      },
    ],
    ['12 filters around 50 alternatives', { events: [entity(parts(50, []), times(12, named))] }],
    ['6,000 values in two filters', step(times(2, (at) => ({ key: `k${at}`, value: times(3_000, (n) => `v${n}`) })))],
    [
      '1,001 values that are compared one by one',
      step([{ key: 'a', operator: 'icontains', value: times(1_001, String) }]),
    ],
    ['201 regular expressions', step([{ key: 'a', operator: 'regex', value: times(201, (at) => `a${at}`) }])],
    [
      'a million characters',
      step(times(2, (at) => ({ key: `k${at}`, value: times(500, (n) => `${n}`.padEnd(1_000, 'x')) }))),
    ],
    ['501 cohorts', step([{ ...cohort, value: times(501, (at) => at + 1) }])],
  ])('is bounded: %s', async (_, question) => {
    const used = await leastCpuMs(async () => {
      expect(outcome(await post('persons/funnel', question))).toMatchObject({ status: 400, code: 'invalid_input' });
    }, 1_500);
    expect(used).toBeLessThan(1_500);
  });

  it('has a breakdown of at most 25 cohorts', async () => {
    const split = (count: number) => ({
      events: [{ id: 'a' }],
      breakdown_type: 'cohort',
      breakdown: times(count, () => 'all'),
    });
    expect(outcome(await post('persons/funnel', split(25)))).toMatchObject({ status: 200 });
    expect(outcome(await post('persons/funnel', split(26)))).toEqual(refused('breakdown'));
    expect(outcome(await post('persons/funnel', split(90_000)))).toEqual(refused('breakdown'));
  });

  it('names an invalid pattern among 100 by its place', async () => {
    const value = times(100, (at) => (at === 37 ? '(' : `a${at}`));
    const answer = await post('persons/funnel', step([{ key: 'a', operator: 'regex', value }]));
    expect(outcome(answer)).toEqual(refused('events.0.properties.0.value.37'));
    expect(JSON.stringify(answer.body)).toContain('missing )');
  });

  it('is too_expensive, and not our fault, where the engine finds it too complex', async () => {
    const path_groupings = times(100, (at) => `${at}${'x'.repeat(3_900)}`);
    const local_path_cleaning_filters = times(100, (at) => ({ regex: `${at}${'x'.repeat(390)}`, alias: 'x' }));
    const exclude_events = times(100, (at) => `*${at}`);
    const answer = await post('persons/path', { path_groupings, local_path_cleaning_filters, exclude_events });
    expect(outcome(answer)).toEqual(tooExpensive());
  });
});

describe('what the engine finds too complex', () => {
  const wrapped = (before: Sql, after: Sql, count: number) =>
    times(count, () => null).reduce<Sql>((inner) => sql`${before}${inner}${after}`, sql`1`);
  const doubled = (name: string) => [sql`x`, sql`y`][Number(name === 'y')] ?? empty;

  it.each([
    ['recursion', () => sql`SELECT ${wrapped(sql`(`, sql`)`, 600)} AS found`],
    ['depth', () => sql`SELECT ${wrapped(sql`NOT (`, sql`)`, 1_200)} AS found`],
    [
      'a chain of sums',
      () =>
        sql`SELECT ${join(
          times(1_200, () => doubled('x')),
          sql` + `,
        )} FROM (SELECT 1 AS x)`,
    ],
    ['length', () => sql`SELECT ${join(times(600_000, () => sql`1`))} AS found`],
  ])('is too_expensive: %s', async (_, statement) => {
    const answer = service.app.get(ClickHouse).query(statement(), { project: 'system' });
    await expect(answer).rejects.toMatchObject({ reason: 'complexity', status: 400, code: 'too_expensive' });
    await expect(answer).rejects.toBeInstanceOf(QueryTooExpensive);
  });
});

describe('the largest definition of a cohort', () => {
  const regularly = (total_periods: number) =>
    did('a', {
      value: 'performed_event_regularly',
      operator: 'gte',
      operator_value: 1,
      min_periods: 1,
      total_periods,
      time_value: 1,
    });
  const filtered = (value: string, filters: number, more: object = {}) =>
    did('a', { value, time_value: 30, event_filters: times(filters, named), ...more });
  const recent = { seq_time_value: 1, seq_time_interval: 'day' };

  const preview = async (filters: object) => outcome(await post('cohorts/preview', { filters }));

  it.each([
    ['periods', all(regularly(1_000), regularly(1_000)), all(regularly(1_000), regularly(1_000), regularly(1))],
    ['periods of one criterion', all(regularly(1_000)), all(regularly(1_001))],
    ['criteria about events', all(...times(50, (at) => did(`e${at}`))), all(...times(51, (at) => did(`e${at}`)))],
    [
      'filters of three times the same events',
      all(filtered('restarted_performing_event', 150, recent)),
      all(filtered('restarted_performing_event', 501, recent)),
    ],
    [
      'criteria about persons',
      all(...times(200, (at) => where(`k${at}`, 'x'))),
      all(...times(201, (at) => where(`k${at}`, 'x'))),
    ],
  ])(
    'is calculated, one more is refused when it is saved: %s',
    async (_, largest, larger) => {
      expect(await preview(largest)).toMatchObject({ status: 200 });
      expect(outcome(await post('cohorts', { name: 'Too large', filters: larger }))).toMatchObject({ status: 400 });
    },
    60_000,
  );
});
