import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { startTestService, type Answer, type TestService } from '../support/service.js';

let service: TestService;
let events: string;

/** PostgreSQL stores the keys in another order. */
const shape = { size: { width: 2, '10': 1 }, b: [1, { long: true, a: null }] };

const uuidOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

beforeAll(async () => {
  service = await startTestService();
  events = `/api/projects/${service.project.id}/events`;
  const lines = [
    { type: 'person', distinct_ids: ['ada'], properties: { plan: 'pro' } },
    { type: 'person', distinct_ids: ['bob'], properties: { plan: 'free' } },
    ...Array.from({ length: 12 }, (_, at) => ({
      ...{ type: 'event', event: 'seen', distinct_id: ['ada', 'bob', 'stranger'][at % 3], uuid: uuidOf(at) },
      ...{
        timestamp: `2024-01-01T00:00:${String(at).padStart(2, '0')}Z`,
        properties: { n: at, even: at % 2 === 0, ...(at === 5 && { shape }), ...(at === 7 && { shape: [1, 'a'] }) },
      },
    })),
  ];
  await fetch(`${service.url}/api/projects/${service.project.id}/import?create_persons=false`, {
    method: 'POST',
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
  });
});
afterAll(() => service.stop());

const list = (properties: unknown, more: Record<string, string> = {}): Promise<Answer> =>
  service.call('GET', events, {
    query: { properties: typeof properties === 'string' ? properties : JSON.stringify(properties), ...more },
  });
const numbersOf = ({ body }: Answer): number[] =>
  (body as { results: { properties: { n: number } }[] }).results.map(({ properties }) => properties.n);

describe('events by their properties', () => {
  it('are counted as they are listed, and walked without a gap', async () => {
    const even = [{ key: 'even', value: true }];
    const first = await list(even, { limit: '4' });
    const { count, next } = first.body as { count: number; next: string };
    expect([count, numbersOf(first)]).toEqual([6, [10, 8, 6, 4]]);
    const { pathname, search } = new URL(next);
    const second = await service.call('GET', pathname + search);
    expect(numbersOf(second)).toEqual([2, 0]);
    expect(second.body).toMatchObject({ count: 6, next: null });
  });

  it('are those of persons with a property, or of nobody who has it', async () => {
    expect(numbersOf(await list([{ type: 'person', key: 'plan', value: 'pro' }]))).toEqual([9, 6, 3, 0]);
    const notPro = [{ type: 'person', key: 'plan', operator: 'is_not', value: 'pro' }];
    expect(numbersOf(await list(notPro))).toEqual([11, 10, 8, 7, 5, 4, 2, 1]);
    const mixed = {
      type: 'OR',
      values: [
        { type: 'person', key: 'plan', value: 'free' },
        { key: 'n', operator: 'lt', value: 2 },
      ],
    };
    expect(numbersOf(await list(mixed))).toEqual([10, 7, 4, 1, 0]);
  });

  it.each([
    ['{"b":[1,{"a":null,"long":true}],"size":{"10":1,"width":2}}', [5]],
    ['  { "size" : {"width":2.0, "10":1}, "b":[ 1,{"long":true,"a":null}]}', [5]],
    ['[1, "a"]', [7]],
    ['["a",1]', []],
    ['{"b":[1,{"a":null,"long":true}]}', []],
    ['[1,"a"', []],
  ])('are those with an object or a list, however it is spelt: %s', async (value, numbers) => {
    expect(numbersOf(await list([{ key: 'shape', value }]))).toEqual(numbers);
  });

  it('are those of a time, a name, a distinct id', async () => {
    const at = (operator: string, value: string) => [{ type: 'event_metadata', key: 'timestamp', operator, value }];
    expect(numbersOf(await list(at('exact', '2024-01-01T00:00:05Z')))).toEqual([5]);
    expect(numbersOf(await list(at('gte', '2024-01-01T00:00:10Z')))).toEqual([11, 10]);
    expect(numbersOf(await list(at('is_date_after', '2024-01-01')))).toEqual([]);
    const stranger = [{ type: 'event_metadata', key: 'distinct_id', operator: 'icontains', value: 'STRANGE' }];
    expect(numbersOf(await list(stranger))).toEqual([11, 8, 5, 2]);
  });

  it.each([
    ['{', 'properties'],
    [[{ key: 'n', operater: 'gt', value: 1 }], 'properties.0.operater'],
    [[{ key: 'n', operator: 'regex', value: 'a(' }], 'properties.0.value'],
    [[{ key: 'n', operator: 'not_regex', value: ['a', '(?=b)'] }], 'properties.0.value.1'],
    [[{ key: 'n', operator: 'regex', value: '\\' }], 'properties.0.value'],
    [[{ type: 'cohort', key: 'id', value: 99 }], 'properties.0.value'],
  ])('are refused for %j', async (properties, attr) => {
    const { status, body } = await list(properties);
    expect([status, body]).toEqual([400, expect.objectContaining({ type: 'validation_error', attr })]);
  });
});

describe('events by cohort', () => {
  it('are those of its members now: of the version that counts, and of who absorbed a member', async () => {
    const pool = service.app.get(Postgres).pool;
    const project = service.project.id;
    const { rows } = await pool.query<{ id: string; distinct_id: string }>(
      'SELECT person_id AS id, distinct_id FROM person_distinct_ids WHERE project_id = $1 ORDER BY distinct_id',
      [project],
    );
    const [ada, bob] = rows.map(({ id }) => Number(id));
    const cohort = async (version: number | null, deleted = false) => {
      const made = await pool.query<{ id: number }>(
        `INSERT INTO cohorts (project_id, name, description, groups, is_static, deleted, created_at, version, pending_version, is_calculating, errors_calculating, updated_at)
         VALUES ($1, 'c', '', '[]', false, $2, $3, $4, 1, false, 0, $3) RETURNING id`,
        [project, deleted, new Date(), version],
      );
      return made.rows[0]?.id ?? 0;
    };
    const [counted, waiting, deleted] = [await cohort(2), await cohort(null), await cohort(1, true)];
    const clickhouse = service.app.get(ClickHouse);
    await clickhouse.insert('cohort_members', [
      { project_id: project, cohort_id: counted, version: 1, actor: bob },
      { project_id: project, cohort_id: counted, version: 2, actor: 999_999 },
      { project_id: project + 1, cohort_id: counted, version: 2, actor: bob },
    ]);
    await clickhouse.insert('person_redirects', [{ project_id: project, source: 999_999, target: ada, version: 1 }]);
    const of = (value: number, more: object = {}) => list([{ type: 'cohort', key: 'id', value, ...more }]);
    expect(numbersOf(await of(counted))).toEqual([9, 6, 3, 0]);
    expect(numbersOf(await of(counted, { negation: true }))).toEqual([11, 10, 8, 7, 5, 4, 2, 1]);
    expect(numbersOf(await of(waiting))).toEqual([]);
    expect(numbersOf(await of(waiting, { operator: 'not_in' }))).toHaveLength(12);
    expect((await of(deleted)).body).toMatchObject({ status: 400, attr: 'properties.0.value' });
  });
});
