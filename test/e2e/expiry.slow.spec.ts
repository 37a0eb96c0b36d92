import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { type ExpiryPreviewDto, type ExpiryRunDto } from '../../src/deletions/expiry/expiry.dto.js';
import { recordOccurrence } from '../../src/deletions/job/deletion-runs.repository.js';
import { nextOccurrence } from '../../src/platform/time/schedule.js';
import { type EventDto } from '../../src/events/log/event.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { addEvents } from '../support/projection-scene.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let project: ProjectDto;
let pool: Pool;

beforeAll(async () => {
  service = await startTestService();
  pool = service.app.get(Postgres).pool;
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

const dayMs = 24 * 60 * 60_000;
const ago = (days: number, from = new Date()) => new Date(from.getTime() - days * dayMs);
const nextRun = () => nextOccurrence('0 5 * * 0', new Date());

/** Events of one name, by their ages in days. */
const add = (
  event: string,
  ages: readonly number[],
  { from = new Date(), received = ago(300), of = project.id } = {},
) =>
  addEvents(
    pool,
    of,
    ages.map((age, at) => ({ event, distinctId: `${event} ${at % 2}`, timestamp: ago(age, from) })),
    received,
  );

const base = (id = project.id) => `/api/projects/${id}`;
const set = async (body: object) => {
  const answer = await service.call('PATCH', base(), { body });
  expect(answer.status).toBe(200);
  return answer.body as ProjectDto;
};
const retention = (query: Record<string, string> = {}) => service.call('GET', `${base()}/retention`, { query });
const preview = async (query: Record<string, string> = {}) => {
  const answer = await retention({ preview: 'true', ...query });
  expect(answer.status).toBe(200);
  return answer.body as ExpiryPreviewDto;
};
const receipts = async () => (await retention()).body as { count: number; results: ExpiryRunDto[] };
const run = () => service.app.get(DeletionsJob).run();

/** The uuids of the events that are left. Questions count in ClickHouse, and rows come from PostgreSQL: both say the same. */
const left = async (id = project.id) => {
  const { body } = await service.call('GET', `${base(id)}/events`, { query: { limit: '1000' } });
  const { count, results } = body as { count: number; results: EventDto[] };
  const log = await pool.query<{ uuid: string }>('SELECT uuid FROM events WHERE project_id = $1', [id]);
  const uuids = results.map(({ uuid }) => uuid).sort();
  expect([count, uuids]).toEqual([log.rows.length, log.rows.map(({ uuid }) => uuid).sort()]);
  return uuids;
};

const monthsOf = (moments: readonly Date[]) => {
  const counts = new Map<string, number>();
  for (const moment of moments) {
    const month = moment.toISOString().slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([month, count]) => ({ month, count }));
};

const second = 1 / 86_400;

describe('a project that keeps events for a limited time', () => {
  it('removes, at the scheduled moment, exactly what the preview of that moment counts', async () => {
    const [from, other] = [nextRun(), await service.newProject()];
    const capture = {
      api_key: project.api_token,
      event: 'signed up',
      distinct_id: 'ada',
      properties: { $set: { a: 1 } },
    };
    expect((await service.call('POST', '/batch', { key: null, body: { ...capture, batch: [capture] } })).status).toBe(
      200,
    );
    const [now] = await left();
    const viewed = await add('$pageview', [30 + second, 31, 400, 30, 30 - second], { from });
    const paid = await add('order paid', [1000, 2], { from });
    const signed = await add('signed up', [90 + second, 100, 90, 89], { from });
    const foreign = await add('$pageview', [400, 31], { from, of: other.id });
    await set({ events_ttl_days: 90, events_ttl_days_by_name: { $pageview: 30, 'order paid': null } });

    const expiring = [30 + second, 31, 400, 90 + second, 100].map((age) => ago(age, from));
    const counted = await preview();
    expect(counted).toEqual({
      events_ttl_days: 90,
      events_ttl_days_by_name: { $pageview: 30, 'order paid': null },
      next_run: from.toISOString(),
      counted_from: from.toISOString(),
      received_up_to: ago(1, from).toISOString(),
      total: 5,
      oldest: ago(400, from).toISOString(),
      months: monthsOf(expiring),
      events: [
        { event: '$pageview', count: 3, oldest: ago(400, from).toISOString() },
        { event: 'signed up', count: 2, oldest: ago(100, from).toISOString() },
      ],
      event_names: 2,
      as_of: counted.as_of,
    });
    expect(await receipts()).toMatchObject({ count: 0, results: [] });

    await recordOccurrence(service.app.get(Postgres), from, new Date());
    for (let tries = 0; tries < 300 && (await receipts()).results[0]?.state !== 'done'; tries += 1) await sleep(50);
    expect(await left()).toEqual([now, ...viewed.slice(3), ...paid, ...signed.slice(2)].sort());
    expect(await left(other.id)).toEqual([...foreign].sort());
    const { count, results } = await receipts();
    expect(count).toBe(1);
    expect(results).toEqual([
      {
        id: results[0]?.id,
        state: 'done',
        started_at: results[0]?.started_at,
        events_ttl_days: 90,
        events_ttl_days_by_name: { $pageview: 30, 'order paid': null },
        counted_from: from.toISOString(),
        received_up_to: results[0]?.received_up_to,
        events_deleted: 5,
        events: [
          { event: '$pageview', count: 3 },
          { event: 'signed up', count: 2 },
        ],
        events_left: 0,
        verified_at: results[0]?.verified_at,
        error: null,
      },
    ]);
    expect(await preview()).toMatchObject({ total: 0, oldest: null, months: [], events: [], event_names: 0 });
    const persons = (await service.call('GET', `${base()}/persons`)).body as { count: number };
    expect(persons.count).toBe(1);
    const log = (await service.call('GET', `${base()}/activity`, { query: { scope: 'Project' } })).body as {
      results: ActivityEntryDto[];
    };
    expect(
      log.results
        .slice(0, 2)
        .map(({ activity, user, detail }) => ({ activity, by: user.email, changes: detail.changes })),
    ).toEqual([
      {
        activity: 'events_expired',
        by: null,
        changes: [{ type: 'Project', action: 'deleted', field: 'events', before: 5, after: null }],
      },
      {
        activity: 'updated',
        by: service.email,
        changes: [
          { type: 'Project', action: 'changed', field: 'events_ttl_days', before: null, after: 90 },
          {
            type: 'Project',
            action: 'changed',
            field: 'events_ttl_days_by_name',
            before: {},
            after: { $pageview: 30, 'order paid': null },
          },
        ],
      },
    ]);
  });

  it('never removes what arrived within the last day, however old its timestamp is', async () => {
    const recent = await add('viewed', [400, 20], { received: ago(1 - 1 / 24) });
    const earlier = await add('viewed', [400, 20], { received: ago(1 + 1 / 24) });
    await set({ events_ttl_days: 30 });
    await run();
    expect(await left()).toEqual([...recent, ...earlier.slice(1)].sort());
    // A day later.
    await pool.query(
      `UPDATE events SET received_at = (received_at AT TIME ZONE 'UTC' - interval '1 day') AT TIME ZONE 'UTC' WHERE project_id = $1`,
      [project.id],
    );
    await run();
    expect((await receipts()).results.map(({ events_deleted }) => events_deleted)).toEqual([1, 1]);
  });

  it('may limit single names only, and keeps everything else', async () => {
    const viewed = await add('viewed', [10, 8]);
    const paid = await add('paid', [4000]);
    expect(await set({ events_ttl_days_by_name: { viewed: 9, 'never sent': null } })).toMatchObject({
      events_ttl_days: null,
      events_ttl_days_by_name: { viewed: 9, 'never sent': null },
    });
    await run();
    expect(await left()).toEqual([...viewed.slice(1), ...paid].sort());
  });

  it('keeps everything again once the setting is null, and says nothing about runs', async () => {
    const kept = await add('viewed', [4000]);
    await set({ events_ttl_days: 1, events_ttl_days_by_name: { viewed: 1 } });
    expect(await set({ events_ttl_days: null, events_ttl_days_by_name: {} })).toMatchObject({
      events_ttl_days: null,
      events_ttl_days_by_name: {},
    });
    await run();
    expect([await left(), (await receipts()).count]).toEqual([kept, 0]);
    expect(await preview()).toMatchObject({ total: 0, months: [] });
  });

  it('shows in the metrics how many events it has removed', async () => {
    const metric = async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/^kohort_expired_events_total (\S+)$/m.exec(text)?.[1]);
    };
    const before = await metric();
    await add('viewed', [40, 50, 60]);
    await set({ events_ttl_days: 30 });
    await run();
    expect((await metric()) - before).toBe(3);
  });

  it('makes kept answers of saved questions void', async () => {
    await add('viewed', [40, 2]);
    const question = { type: 'trends', params: { events: [{ id: 'viewed' }], date_from: '-60d' } };
    const made = await service.call('POST', `${base()}/insights`, { body: { name: 'Views', question } });
    const total = async () => {
      const { id } = made.body as { id: number };
      const { body } = await service.call('GET', `${base()}/insights/${id}/answer`);
      const { answer, is_cached } = body as {
        answer: { insight: { series: { count: number }[] } };
        is_cached: boolean;
      };
      return [answer.insight.series[0]?.count, is_cached];
    };
    await set({ events_ttl_days: 30 });
    expect([await total(), await total()]).toEqual([
      [2, false],
      [2, true],
    ]);
    await run();
    expect(await total()).toEqual([1, false]);
  });
});

describe('a preview', () => {
  it('counts for settings that are not stored yet', async () => {
    await add('viewed', [400, 50, 20]);
    await add('paid', [400, 50, 20]);
    const total = async (query: Record<string, string>) => (await preview(query)).total;
    expect(await total({})).toBe(0);
    expect(await total({ events_ttl_days: '30' })).toBe(4);
    expect(await total({ events_ttl_days: '30', events_ttl_days_by_name: '{"paid":null}' })).toBe(2);
    expect(await total({ events_ttl_days_by_name: '{"paid":100,"viewed":30}' })).toBe(3);
    await set({ events_ttl_days: 30, events_ttl_days_by_name: { paid: 100 } });
    expect(await total({})).toBe(3);
    expect(await total({ events_ttl_days: 'null' })).toBe(1);
    expect(await total({ events_ttl_days_by_name: '{}' })).toBe(4);
    expect((await set({})).events_ttl_days).toBe(30);
    expect((await left()).length).toBe(6);
  });

  it.each([
    [{ events_ttl_days: '0', preview: 'true' }, 'events_ttl_days', /from 1 to 36500, or null for ever/],
    [{ events_ttl_days: 'never', preview: 'true' }, 'events_ttl_days', /or null for ever/],
    [{ events_ttl_days_by_name: '[]', preview: 'true' }, 'events_ttl_days_by_name', /an object of event names/],
    [{ events_ttl_days_by_name: '{"a":"b"}', preview: 'true' }, 'events_ttl_days_by_name', /a must be an integer/],
    [{ events_ttl_days_by_name: '{', preview: 'true' }, 'events_ttl_days_by_name', /not valid JSON/],
    [{ events_ttl_days: '30' }, 'events_ttl_days', /only with preview=true/],
    [{ preview: 'perhaps' }, 'preview', /true or false/],
  ])('refuses %j', async (query, attr, detail) => {
    const answer = await retention(query);
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ attr, detail: expect.stringMatching(detail) }),
    ]);
  });

  it('is the project’s own, and needs the scopes of settings and of events', async () => {
    for (const scopes of [['project:read'], ['event:read']] as const) {
      const { text } = await service.newKey({ scopes });
      expect((await service.call('GET', `${base()}/retention`, { key: text })).status).toBe(403);
    }
    const { text } = await service.newKey({ scopes: ['project:read', 'event:read'] });
    expect((await service.call('GET', `${base()}/retention`, { key: text, query: { preview: 'true' } })).status).toBe(
      200,
    );
  });
});

describe('a setting', () => {
  it.each([
    [{ events_ttl_days: 0 }, 'events_ttl_days'],
    [{ events_ttl_days: 1.5 }, 'events_ttl_days'],
    [{ events_ttl_days: '30' }, 'events_ttl_days'],
    [{ events_ttl_days: 36_501 }, 'events_ttl_days'],
    [{ events_ttl_days_by_name: [] }, 'events_ttl_days_by_name'],
    [{ events_ttl_days_by_name: { viewed: 0 } }, 'events_ttl_days_by_name.viewed'],
    [{ events_ttl_days_by_name: { viewed: '1' } }, 'events_ttl_days_by_name.viewed'],
    [{ events_ttl_days_by_name: { ' ': 1 } }, 'events_ttl_days_by_name. '],
    [{ events_ttl_days_by_name: { 'a\0': 1 } }, 'events_ttl_days_by_name.a\0'],
    [
      { events_ttl_days_by_name: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`e${n}`, 1])) },
      'events_ttl_days_by_name',
    ],
  ])('%# that no run could follow is refused with its path', async (setting, attr) => {
    const answers = [
      await service.call('PATCH', base(), { body: setting }),
      await service.call('POST', '/api/projects', { body: { name: 'New', ...setting } }),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([400, expect.objectContaining({ attr })]);
  });

  it('may be set when the project is made, for any name of an event', async () => {
    const body = {
      name: `Kept ${randomUUID()}`,
      events_ttl_days: 36_500,
      events_ttl_days_by_name: { __proto__x: 1, ['it\'s\\ "odd"']: null, ['😀'.repeat(200)]: 7 },
    };
    const { status, body: made } = await service.call('POST', '/api/projects', { body });
    expect([status, made]).toEqual([201, expect.objectContaining(body)]);
    project = made as ProjectDto;
    const odd = await add('it\'s\\ "odd"', [50_000 / 2]);
    await add('😀'.repeat(200), [8]);
    await run();
    expect(await left()).toEqual(odd);
  });
});
