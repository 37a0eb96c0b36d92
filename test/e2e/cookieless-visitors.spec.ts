import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CookielessSalts } from '../../src/kernel/event-log/cookieless/cookieless-salts.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { type Workers } from '../../src/platform/work/workers.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { PersonsOf } from '../support/persons.js';
import { startTestService, type TestService } from '../support/service.js';

const everybody = '$posthog_cookieless';
const [today, tomorrow] = ['2026-03-01T23:30:00Z', '2026-03-02T00:10:00Z'];

let service: TestService;
let project: ProjectDto;
let of: PersonsOf;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const turnOn = async (): Promise<ProjectDto> => {
  const made = await service.newProject();
  const { body } = await service.call('PATCH', `/api/projects/${made.id}`, { body: { cookieless_visitors: true } });
  expect(body).toMatchObject({ cookieless_visitors: true });
  return made;
};

beforeEach(async () => {
  project = await turnOn();
  of = new PersonsOf(service, project.id);
});

interface Visit {
  readonly $ip?: string;
  readonly $host?: string;
  readonly $raw_user_agent?: string;
  readonly [property: string]: unknown;
}

const capture = async (
  events: readonly object[],
  { at = today, agent = 'Firefox', token = project.api_token }: { at?: string; agent?: string; token?: string } = {},
) => {
  const headers = { 'x-test-now': at, 'user-agent': agent };
  const body = { api_key: token, batch: events };
  const answer = await service.call('POST', '/batch', { key: null, body, headers });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as { accepted: number; warnings?: { type: string }[] };
};

const view = (properties: Visit = {}, event = '$pageview') => ({
  ...{ event, distinct_id: everybody, timestamp: '2026-03-01T10:00:00Z' },
  properties: { $cookieless_mode: true, ...properties },
});

const stored = async (projectId = project.id) => {
  const { rows } = await service.pool.query<{ event: string; id: string; properties: Record<string, unknown> }>(
    'SELECT event, distinct_id AS id, properties FROM events WHERE project_id = $1 ORDER BY received_at, uuid',
    [projectId],
  );
  return rows;
};

const idsOf = async (...sent: readonly (readonly [Visit, Parameters<typeof capture>[1]?])[]): Promise<string[]> => {
  for (const [nth, [properties, options]] of sent.entries()) await capture([view(properties, `visit ${nth}`)], options);
  const rows = await stored();
  return sent.map((_, nth) => rows.find(({ event }) => event === `visit ${nth}`)?.id ?? '');
};

describe('visitors in cookieless mode, in a project that tells them apart', () => {
  it('have an id each, that of the same address, host and browser', async () => {
    const ada = { $ip: '198.51.100.7', $host: 'shop.test', $raw_user_agent: 'Safari' };
    const ids = await idsOf(
      [ada],
      [ada],
      [{ ...ada, $ip: '198.51.100.8' }],
      [{ ...ada, $host: 'blog.test' }],
      [{ ...ada, $raw_user_agent: 'Chrome' }],
      [{ ...ada, $cookieless_extra: 'x' }],
    );
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^\$cookieless_[\w-]{24}$/);
  });

  it('are told apart by what the request says, where the event says nothing', async () => {
    const ids = await idsOf([{}, { agent: 'Safari' }], [{}, { agent: 'Safari' }], [{}, { agent: 'Chrome' }]);
    expect([ids[1] === ids[0], ids[2] === ids[0]]).toEqual([true, false]);
  });

  it('are others on the next day, and in another project', async () => {
    const ada = { $ip: '198.51.100.7', $host: 'shop.test' };
    const ids = await idsOf(
      [ada, { at: today }],
      [ada, { at: tomorrow }],
      [ada, { at: tomorrow }],
      [ada, { at: today }],
    );
    expect([ids[1] === ids[0], ids[2] === ids[1], ids[3] === ids[0]]).toEqual([false, true, true]);
    const other = await turnOn();
    await capture([view(ada)], { token: other.api_token });
    expect((await stored(other.id))[0]?.id).not.toBe(ids[0]);
  });

  it('leave nothing by which they could be found again, and make no person', async () => {
    const ada = { $ip: '198.51.100.7', $raw_user_agent: 'Safari', $cookieless_extra: 'x', distinct_id: everybody };
    const answer = await capture([view({ ...ada, $host: 'shop.test', $set: { email: 'ada@example.test' } })]);
    expect(answer).not.toHaveProperty('warnings');
    const [{ id = '', properties } = {}] = await stored();
    expect(properties).toEqual({ $cookieless_mode: true, $host: 'shop.test', distinct_id: id });
    expect((await of.call('GET', 'persons')).body).toMatchObject({ count: 0 });
    expect((await of.call('GET', 'ingestion_warnings')).body).toMatchObject({ count: 0 });
  });

  it('count one by one', async () => {
    const visitor = (nth: number) => ({ $ip: `198.51.100.${nth}`, $host: 'shop.test' });
    await capture([
      view(visitor(1)),
      view(visitor(1)),
      view(visitor(2)),
      view(visitor(3), 'paid'),
      view(visitor(2), 'paid'),
    ]);
    const events = JSON.stringify([
      { id: '$pageview', order: 0 },
      { id: 'paid', order: 1 },
    ]);
    const range = { date_from: '2026-03-01', date_to: '2026-03-01', include: 'insight' };
    const daily = JSON.stringify([{ id: '$pageview', math: 'dau' }]);
    const trends = await of.call('GET', 'persons/trends', { query: { ...range, events: daily } });
    expect(trends.body).toMatchObject({ insight: { series: [{ data: [2] }] } });
    const funnel = await of.call('GET', 'persons/funnel', {
      query: { ...range, events, funnel_order_type: 'unordered' },
    });
    expect(funnel.body).toMatchObject({ insight: { steps: [{ count: 3 }, { count: 1 }] } });
  });

  it('are never merged with a user: by identify, by another event, or by hand', async () => {
    const same = { $ip: '198.51.100.7', $host: 'shop.test', $raw_user_agent: 'Safari' };
    for (const user of ['alice', 'bob']) {
      const identify = { ...same, $anon_distinct_id: everybody, $cookieless_mode: true, $set: { name: user } };
      const answer = await capture([view(same), { event: '$identify', distinct_id: user, properties: identify }]);
      expect(answer.warnings).toMatchObject([{ type: 'cookieless_visitor_not_merged' }]);
    }
    const [{ id: visitor = '' } = {}] = await stored();
    const alias = { event: '$create_alias', distinct_id: 'alice', properties: { alias: visitor } };
    const joined = { event: '$merge_dangerously', distinct_id: visitor, properties: { alias: 'alice' } };
    expect((await capture([alias, joined])).warnings).toMatchObject([{ type: 'cookieless_visitor_not_merged' }]);
    const { rows } = await service.pool.query<{ ids: string[] }>(
      'SELECT array_agg(distinct_id) AS ids FROM person_distinct_ids WHERE project_id = $1 GROUP BY person_id ORDER BY 1',
      [project.id],
    );
    expect(rows.map(({ ids }) => ids)).toEqual([['alice'], ['bob']]);
    const { body } = await of.call('GET', 'persons', { query: { distinct_id: 'alice' } });
    const [alice] = (body as { results: { id: number }[] }).results;
    const byHand = await of.call('POST', `persons/${alice?.id}/merge`, { body: { distinct_ids: [visitor] } });
    expect(byHand.status).toBe(400);
  });

  it('come back from an export as they were', async () => {
    await capture([view({ $ip: '198.51.100.7' })]);
    const [{ id = '' } = {}] = await stored();
    const line = JSON.stringify({ type: 'event', event: '$pageview', distinct_id: id, timestamp: today });
    const headers = { 'content-type': 'application/x-ndjson' };
    const person = JSON.stringify({ type: 'person', distinct_ids: ['ada', id] });
    const imported = await of.call('POST', 'import', { body: `${line}\n${person}`, headers });
    expect(imported.body).toMatchObject({ events: 1, persons: 0, rejected: [{ line: 2 }] });
    expect((await of.call('GET', 'persons')).body).toMatchObject({ count: 0 });
  });
});

describe('the keys of the hash', () => {
  const idle = { every: () => undefined } as unknown as Workers;

  it('are shared by processes, and gone after their day', async () => {
    const [one, other] = [service, service].map(({ app }) => new CookielessSalts(idle, app.get(Postgres)));
    const [now, later] = [new Date('2026-05-01T10:00:00Z'), new Date('2026-05-02T00:05:00Z')];
    const salt = await one?.of(now);
    expect([salt?.length, await other?.of(now)]).toEqual([32, salt]);
    const next = await other?.of(later);
    expect(next).not.toEqual(salt);
    await one?.sweep(later);
    const { rows } = await service.pool.query<{ day: string }>(
      `SELECT day::text FROM cookieless_salts WHERE day BETWEEN '2026-05-01' AND '2026-05-02'`,
    );
    expect(rows).toEqual([{ day: '2026-05-02' }]);
    expect(await other?.of(later)).toEqual(next);
    expect(await one?.of(now)).not.toEqual(salt);
  });

  it('are in no write-ahead log', async () => {
    const { rows } = await service.pool.query(
      `SELECT relpersistence FROM pg_class WHERE relname IN ('cookieless_salts', 'cookieless_salts_pkey')`,
    );
    expect(rows).toEqual([{ relpersistence: 'u' }, { relpersistence: 'u' }]);
  });
});
