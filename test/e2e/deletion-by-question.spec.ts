import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { requestRun } from '../../src/deletions/job/deletion-runs.repository.js';
import { type DeletionRequestDto } from '../../src/deletions/deletion-request.dto.js';
import { type DeletionPreviewDto } from '../../src/deletions/selection/selection.dto.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { Config } from '../../src/platform/config/config.js';
import { type ProblemDto } from '../../src/platform/errors/problem.dto.js';
import { CompressedScene, sent, type Sent } from '../support/compressed-scene.js';
import { GroupsOf, describes, uses } from '../support/groups.js';
import { startTestService, type TestService } from '../support/service.js';
import { packedWith, projectedTablesWith, tablesWith } from '../support/traces.js';
import { until } from '../support/until.js';

let service: TestService;
let scene: CompressedScene;
let pool: Pool;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = service.app.get(Config).eventArchive ?? '';
});
afterAll(() => service.stop());
beforeEach(async () => {
  scene = new CompressedScene(service, await service.newProject());
  ({ pool } = scene);
});

const post = (body: object, options: { key?: string; headers?: Record<string, string> } = {}) =>
  scene.call('POST', 'deletion_requests', { body, ...options });

const preview = async (body: object): Promise<DeletionPreviewDto> => {
  const answer = await post(body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body as DeletionPreviewDto;
};

const request = async (body: object): Promise<DeletionRequestDto> => {
  const { confirm } = await preview(body);
  const answer = await post({ ...body, confirm });
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  const receipt = answer.body as DeletionRequestDto;
  expect(answer.headers.location).toMatch(new RegExp(`/deletion_requests/${receipt.id}$`));
  return receipt;
};

const receiptOf = async (id: string) => (await scene.call('GET', `deletion_requests/${id}`)).body as DeletionRequestDto;

const remaining = async (): Promise<string[]> => {
  const { body } = await scene.call('GET', 'events', { query: { limit: '1000' } });
  const { count, results } = body as { count: number; results: { uuid: string }[] };
  const { rows } = await pool.query<{ uuid: string }>('SELECT uuid FROM events WHERE project_id = $1', [
    scene.project.id,
  ]);
  expect(count).toBe(rows.length);
  expect(results.map(({ uuid }) => uuid).sort()).toEqual(rows.map(({ uuid }) => uuid).sort());
  return results.map(({ uuid }) => uuid).sort();
};

const uuidsOf = (events: readonly Sent[]): string[] => events.map(({ uuid }) => uuid).sort();

const nothing = { rows: 0, blocks: 0, files: 0, clickhouse: 0, warnings: 0 };

/** As if an hour had passed, after which the job looks a second time. */
const secondLook = async (): Promise<void> => {
  await pool.query(`
    UPDATE deletion_requests SET created_at = (created_at AT TIME ZONE 'UTC' - interval '2 hours') AT TIME ZONE 'UTC',
      swept_at = (swept_at AT TIME ZONE 'UTC' - interval '2 hours') AT TIME ZONE 'UTC',
      verified_at = (verified_at AT TIME ZONE 'UTC' - interval '2 hours') AT TIME ZONE 'UTC'`);
  await requestRun(pool, 'second look', new Date());
  await until(
    async () => (await pool.query('SELECT 1 FROM deletion_requests WHERE settled_at IS NULL')).rowCount === 0,
  );
};

const tracesOf = async (marker: string) => ({
  postgresql: await tablesWith(pool, marker),
  packed: await packedWith(pool, folder, marker),
  clickhouse: await projectedTablesWith(service.app.get(ClickHouse), marker),
});
const noTraces = { postgresql: [], packed: [], clickhouse: [] };

describe('a preview', () => {
  it('counts what the list of events lists, deletes nothing, and its token deletes exactly this', async () => {
    const [paid, seen] = [
      [0, 1, 2, 3].map((n) => ({ ...sent(n, n < 3 ? 'ada' : 'bob', { n }), event: 'paid' })),
      [4, 5].map((n) => sent(n, 'ada', { n })),
    ];
    await scene.capture([...paid, ...seen]);
    const body = {
      events: ['paid'],
      after: '2026-01-05T10:00:30Z',
      properties: [{ type: 'event', key: 'n', operator: 'lt', value: 9 }],
    };
    const found = await preview(body);
    expect(found).toEqual({
      events: 3,
      persons: 2,
      first_timestamp: '2026-01-05T10:01:00.000Z',
      last_timestamp: '2026-01-05T10:03:00.000Z',
      by_name: [{ event: 'paid', count: 3 }],
      up_to: found.up_to,
      confirm: found.confirm,
      confirm_until: new Date(Date.parse(found.up_to) + 600_000).toISOString(),
    });
    const query = { event: 'paid', after: body.after, properties: JSON.stringify(body.properties) };
    expect(((await scene.call('GET', 'events', { query })).body as { count: number }).count).toBe(found.events);
    expect((await remaining()).length).toBe(6);

    const late = { ...sent(6, 'ada', { n: 1 }), event: 'paid' };
    await scene.capture([late]);
    // In another order than before: the request is the same.
    const { properties, after, events } = body;
    const asked = await post({ confirm: found.confirm, properties, after, events });
    const pending = asked.body as DeletionRequestDto;
    expect([asked.status, pending]).toEqual([
      202,
      {
        id: pending.id,
        kind: 'events',
        criteria: { events: ['paid'], after: '2026-01-05T10:00:30.000Z', is_filtered: true },
        person_id: 0,
        person_uuid: '00000000-0000-0000-0000-000000000000',
        distinct_id_count: 0,
        state: 'pending',
        created_at: pending.created_at,
        up_to: found.up_to,
        request_id: pending.request_id,
        scheduled_for: pending.scheduled_for,
        started_at: null,
        events_selected: 3,
        events_deleted: 0,
        events_scrubbed: 0,
        events_left: null,
        verified_at: null,
        remaining: null,
        backups_until: null,
        error: null,
      },
    ]);
    await scene.runDeletions();
    expect(await remaining()).toEqual(uuidsOf([...paid.slice(0, 1), ...seen, late]));
    const done = await receiptOf(pending.id);
    expect(done).toMatchObject({ state: 'done', events_deleted: 3, events_left: 0, remaining: nothing, error: null });
    const listed = (await scene.call('GET', 'deletion_requests')).body as { count: number; results: unknown[] };
    expect(listed).toMatchObject({ count: 1, results: [done] });
  });

  it('selects by uuids and by filters on persons, groups and cohorts like the list of events', async () => {
    const events = [0, 1, 2, 3].map((n) =>
      sent(n, n % 2 ? 'ada' : 'bob', { n, $set: { plan: n % 2 ? 'pro' : 'free' } }),
    );
    await scene.capture(events);
    const [first, second] = events;
    const some = { uuids: [first?.uuid.toUpperCase(), second?.uuid, randomUUID()] };
    expect(await preview(some)).toMatchObject({ events: 2, persons: 2 });
    const pro = { properties: [{ type: 'person', key: 'plan', operator: 'exact', value: 'pro' }] };
    expect(await preview({ ...some, ...pro })).toMatchObject({ events: 1 });
    const { id } = await request(pro);
    await scene.runDeletions();
    expect(await remaining()).toEqual(uuidsOf(events.filter((_, n) => n % 2 === 0)));
    expect(await receiptOf(id)).toMatchObject({
      events_selected: 2,
      events_deleted: 2,
      criteria: { is_filtered: true },
    });
  });

  it('is refused when its token is used for something else, by someone else, or when it counted other events', async () => {
    await scene.capture([sent(0, 'ada', { $set: { plan: 'pro' } }), sent(1, 'bob')]);
    const body = { properties: [{ type: 'person', key: 'plan', value: 'pro' }] };
    const { confirm } = await preview(body);
    const refused = async (answer: Promise<{ status: number; body: unknown }>) => {
      const { status, body: problem } = await answer;
      return [status, (problem as ProblemDto).attr];
    };
    expect(await refused(post({ ...body, before: '-1d', confirm }))).toEqual([400, 'confirm']);
    expect(await refused(post({ ...body, confirm: `${confirm}x` }))).toEqual([400, 'confirm']);
    const other = await service.newKey({ scopes: ['event:write', 'person:write'] });
    expect(await refused(post({ ...body, confirm }, { key: other.text }))).toEqual([400, 'confirm']);
    const bob = `persons/${(await scene.personOf('bob')).id}`;
    const after = (minutes: number) => ({ 'x-test-now': new Date(Date.now() + minutes * 60_000).toISOString() });
    expect(await refused(post({ ...body, confirm }, { headers: after(11) }))).toEqual([400, 'confirm']);
    // A minute after the events arrived, none of them can have been under way at the time of the preview.
    const later = (await post(body, { headers: after(1) })).body as DeletionPreviewDto;
    await scene.call('PATCH', bob, { body: { properties: { plan: 'pro' } } });
    const again = post({ ...body, confirm: later.confirm }, { headers: after(2) });
    expect(await refused(again)).toEqual([409, 'confirm']);
    const { confirm: more } = await preview(body);
    await scene.call('PATCH', bob, { body: { properties: { plan: 'free' } } });
    expect(await refused(post({ ...body, confirm: more }))).toEqual([409, 'confirm']);
    for (const scopes of [['event:write'], ['person:write'], ['event:read', 'person:write']] as const) {
      const { text } = await service.newKey({ scopes: [...scopes] });
      expect((await post(body, { key: text })).status).toBe(403);
    }
    for (const [wrong, attr] of [
      [{}, 'events'],
      [{ events: [] }, 'events'],
      [{ uuids: ['x'] }, 'uuids'],
      [{ after: 'soon' }, 'after'],
      [{ scrub: [''] }, 'scrub'],
      [{ properties: [{ type: 'cohort', key: 'id', value: 987 }] }, 'properties.0.value'],
      [{ event: 'paid' }, 'event'],
    ] as const)
      expect([wrong, ...(await refused(post(wrong)))]).toEqual([wrong, 400, attr]);
    expect((await scene.call('GET', 'deletion_requests')).body).toMatchObject({ count: 0 });
  });

  it('makes one request however often it is sent with an Idempotency-Key', async () => {
    await scene.capture([sent(0, 'ada')]);
    const body = { events: ['seen'] };
    const { confirm } = await preview(body);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await post({ ...body, confirm }, { headers });
    const again = await post({ ...body, confirm }, { headers });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await scene.call('GET', 'deletion_requests')).body).toMatchObject({ count: 1 });
  });
});

describe('deleted events', () => {
  it('leave an event that is sent again under the same uuid', async () => {
    const event = sent(0, 'ada');
    await scene.capture([event]);
    const { id } = await request({ uuids: [event.uuid] });
    expect(await scene.capture([event])).toMatchObject({ duplicates: 1 });
    await scene.runDeletions();
    expect(await remaining()).toEqual([]);
    expect(await scene.capture([event])).toMatchObject({ accepted: 1 });
    await scene.runDeletions();
    await secondLook();
    expect(await remaining()).toEqual([event.uuid]);
    expect(await receiptOf(id)).toMatchObject({ events_deleted: 1, state: 'done' });
  });

  it('leave no trace in rows, blocks, files, ClickHouse and warnings, and the receipt says so', async () => {
    const marker = `trace${randomUUID().replaceAll('-', '')}`;
    const gone = (n: number) => ({ ...sent(n, 'gone', { note: `${marker} ${n}` }), event: marker });
    const stays = Array.from({ length: 100 }, (_, n) => sent(n % 60, 'ada', { n }));
    await scene.capture([...stays.slice(0, 50), ...Array.from({ length: 14 }, (_, n) => gone(n))]);
    await scene.archive();
    await scene.capture([...stays.slice(50), ...Array.from({ length: 14 }, (_, n) => gone(n))]);
    // A warning says which type of group is wrong.
    const warned = { ...gone(21), properties: { $groups: { [marker]: {} } } };
    await scene.captureInRows([gone(20), warned]);
    expect(await scene.places()).toEqual({ in_rows: 2, in_blocks: 64, in_files: 64 });
    const before = await tracesOf(marker);
    expect(before.postgresql).toEqual(expect.arrayContaining(['public.events', 'public.ingestion_warnings']));
    expect([
      before.packed.some(({ at }) => at.startsWith('block')),
      before.packed.some(({ at }) => at.startsWith('file')),
    ]).toEqual([true, true]);
    const { id } = await request({ properties: [{ type: 'event_metadata', key: 'event', value: marker }] });
    await scene.runDeletions();
    expect(await receiptOf(id)).toMatchObject({ state: 'done', events_deleted: 30, remaining: nothing, error: null });
    expect(await tracesOf(marker)).toEqual(noTraces);
    await secondLook();
    expect(await tracesOf(marker)).toEqual(noTraces);
    expect((await pool.query('SELECT 1 FROM deletion_request_events')).rowCount).toBe(0);
    expect(await remaining()).toEqual(uuidsOf(stays));
  });
});

describe('scrubbed properties', () => {
  it('are gone from rows, blocks, files, ClickHouse and $set, and everything else stays as it was', async () => {
    const marker = `trace${randomUUID().replaceAll('-', '')}`;
    const has = (n: number) => ({ n, email: `${marker}@${n}`, nested: { deep: [n, null, 1.5] }, text: 'ä'.repeat(n) });
    const events = [
      ...Array.from({ length: 40 }, (_, n) => sent(n, 'ada', n % 3 ? { n } : has(n))),
      ...Array.from({ length: 40 }, (_, n) =>
        sent(n, 'bob', n % 2 ? { n } : { n, $set: { email: marker, plan: 'pro' } }),
      ),
      sent(0, 'eve', has(7)),
    ];
    await scene.capture(events.slice(0, 40));
    await scene.archive();
    await scene.capture(events.slice(40, 80));
    await scene.captureInRows(events.slice(80));
    expect(await scene.places()).toEqual({ in_rows: 1, in_blocks: 40, in_files: 40 });
    const { id } = await request({ scrub: ['email', 'absent'] });
    await scene.runDeletions();
    expect(await receiptOf(id)).toMatchObject({
      ...{ state: 'done', kind: 'properties', criteria: { scrub: ['email', 'absent'] } },
      ...{ events_selected: 35, events_scrubbed: 35, events_deleted: 0, remaining: nothing, error: null },
    });
    await scene.call('POST', `persons/${(await scene.personOf('bob')).id}/delete_property`, {
      body: { $unset: 'email' },
    });
    await secondLook();
    expect(await tracesOf(marker)).toEqual(noTraces);
    const scrubbed = events.map(({ uuid, properties: { email: _, ...rest } }) => {
      const $set = rest.$set ? { $set: { plan: 'pro' } } : {};
      return [uuid, { ...rest, ...$set }] as const;
    });
    for (const compressed of [false, true]) {
      if (compressed) await scene.compress();
      const { text } = await scene.call('GET', 'export/events');
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Sent);
      const stored = new Map(lines.map(({ uuid, properties }) => [uuid, properties]));
      for (const [uuid, properties] of scrubbed) expect(stored.get(uuid)).toEqual(properties);
    }
    const filter = {
      properties: JSON.stringify([{ key: 'email', operator: 'is_set', value: 'is_set', type: 'event' }]),
    };
    expect((await scene.call('GET', 'events', { query: filter })).body).toMatchObject({ count: 0 });
    expect((await scene.call('GET', 'events', { query: { distinct_id: 'ada' } })).body).toMatchObject({ count: 40 });
  });
});

describe('a deleted group', () => {
  let of: GroupsOf;
  beforeEach(() => {
    of = new GroupsOf(service, scene.project.id);
  });

  const deleted = async (query: Record<string, string>): Promise<DeletionRequestDto> => {
    const { id } = await of.find('acme');
    const { status, headers } = await of.call('DELETE', `groups/${id}`, { query });
    expect(status).toBe(204);
    await scene.runDeletions();
    return receiptOf(String(headers.location).split('/').at(-1) ?? '');
  };
  const groupsOfEvents = async () => {
    const { body } = await of.call('GET', 'events', { query: { event: 'used' } });
    return (body as { results: { properties: object }[] }).results.map(({ properties }) => properties);
  };

  it('has a receipt, and is still named by its events', async () => {
    await of.send(describes('company', 'acme', { plan: 'pro' }), uses('acme'), uses('other'));
    const { id } = await of.find('acme');
    expect(await deleted({})).toMatchObject({
      ...{ kind: 'group', criteria: { group_id: id }, state: 'done', remaining: nothing },
      ...{ events_selected: 0, events_deleted: 0, events_scrubbed: 0 },
    });
    expect(await groupsOfEvents()).toContainEqual({ $groups: { company: 'acme' } });
    expect((await of.list()).results).toMatchObject([{ group_key: 'other' }]);
  });

  it('is not named any more with delete_mentions, and a later event makes it again', async () => {
    await of.send(
      describes('company', 'acme', { plan: 'pro' }),
      uses('acme'),
      { properties: { $groups: { company: 'acme', project: 7 }, at: 'acme' } },
      uses('other'),
      { properties: { $groups: { project: 'acme' } } },
      describes('project', 'acme', { plan: 'free' }),
    );
    expect(await deleted({ delete_mentions: 'true' })).toMatchObject({
      ...{ kind: 'group', state: 'done', remaining: nothing },
      ...{ events_selected: 3, events_deleted: 1, events_scrubbed: 2 },
    });
    const properties = await groupsOfEvents();
    expect(properties).toEqual(
      expect.arrayContaining([
        { $groups: {} },
        { $groups: { project: 7 }, at: 'acme' },
        { $groups: { company: 'other' } },
        { $groups: { project: 'acme' } },
      ]),
    );
    expect((await of.call('GET', 'events', { query: { event: '$groupidentify' } })).body).toMatchObject({ count: 1 });
    await of.send(uses('acme'));
    const { id } = await of.find('acme');
    expect((await of.call('GET', `groups/${id}/events`)).body).toMatchObject({ count: 1 });
    await secondLook();
    expect((await of.call('GET', `groups/${id}/events`)).body).toMatchObject({ count: 1 });
  });
});
