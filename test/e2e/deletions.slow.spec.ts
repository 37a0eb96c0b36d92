import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { type DeletionRequestDto } from '../../src/deletions/deletion-request.dto.js';
import { nextOccurrence } from '../../src/platform/time/schedule.js';
import { type EventDto } from '../../src/events/log/event.dto.js';
import { DeletionRecorder } from '../../src/kernel/deletions/deletion-recorder.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { deletePersonWithEvents } from '../support/deletions.js';
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

const capture = async (...events: readonly { distinct_id: string; uuid?: string; event?: string }[]) => {
  const batch = events.map((event) => ({ event: 'viewed', uuid: randomUUID(), ...event }));
  const answer = await service.call('POST', '/batch', { key: null, body: { api_key: project.api_token, batch } });
  expect([answer.status, (answer.body as { accepted: number }).accepted]).toEqual([200, batch.length]);
  return batch.map(({ uuid }) => uuid);
};

const remove = (distinctId: string, now?: Date) =>
  deletePersonWithEvents(service.app.get(DeletionRecorder), pool, project.id, distinctId, now);

const run = () => service.app.get(DeletionsJob).run();

const base = () => `/api/projects/${project.id}/deletion_requests`;
const receipt = async (id: string) => (await service.call('GET', `${base()}/${id}`)).body as DeletionRequestDto;
const requests = async (query: Record<string, string> = {}) =>
  (await service.call('GET', base(), { query })).body as {
    count: number;
    next: string | null;
    results: DeletionRequestDto[];
  };

const eventsOf = async (distinctId: string) => {
  const { body } = await service.call('GET', `/api/projects/${project.id}/events`, {
    query: { distinct_id: distinctId },
  });
  const { count, results } = body as { count: number; results: EventDto[] };
  const log = await pool.query<{ uuid: string }>(
    'SELECT uuid FROM events WHERE project_id = $1 AND distinct_id = $2 ORDER BY uuid',
    [project.id, distinctId],
  );
  // The list is found in ClickHouse, the rows in PostgreSQL: both must say the same.
  expect([count, results.map(({ uuid }) => uuid).sort()]).toEqual([log.rows.length, log.rows.map(({ uuid }) => uuid)]);
  return results.map(({ uuid }) => uuid).sort();
};

describe('events that a deleted person has left', () => {
  const idOf = async (distinctId: string): Promise<number | undefined> => {
    const query = { distinct_id: distinctId };
    const { body } = await service.call('GET', `/api/projects/${project.id}/persons`, { query });
    return (body as { results: { id: number }[] }).results[0]?.id;
  };
  const removeByRoute = async (query: Record<string, string>) =>
    service.call('DELETE', `/api/projects/${project.id}/persons/${await idOf('ada')}`, { query });

  it('are deleted with the person that a later event of the distinct id makes', async () => {
    await capture({ distinct_id: 'ada' }, { distinct_id: 'ada' });
    expect((await removeByRoute({})).status).toBe(204);
    expect([await idOf('ada'), (await eventsOf('ada')).length]).toEqual([undefined, 2]);
    await capture({ distinct_id: 'ada' });
    expect((await removeByRoute({ delete_events: 'true' })).status).toBe(204);
    await run();
    expect(await eventsOf('ada')).toEqual([]);
  });
});

describe('a deletion request', () => {
  it('waits for the schedule, and then takes what was received before it and nothing that was received after', async () => {
    await capture({ distinct_id: 'ada' }, { distinct_id: 'ada' }, { distinct_id: 'bob' });
    const { request, personId, uuid } = await remove('ada');
    const later = await capture({ distinct_id: 'ada' });
    expect((await eventsOf('ada')).length).toBe(3);
    const pending = await receipt(request);
    expect(pending).toEqual({
      id: request,
      kind: 'person',
      criteria: null,
      person_id: Number(personId),
      person_uuid: uuid,
      distinct_id_count: 1,
      state: 'pending',
      created_at: pending.created_at,
      up_to: pending.created_at,
      request_id: 'test-request',
      scheduled_for: nextOccurrence('0 5 * * 0', new Date(pending.created_at)).toISOString(),
      started_at: null,
      events_selected: null,
      events_deleted: 0,
      events_scrubbed: 0,
      events_left: null,
      verified_at: null,
      remaining: null,
      backups_until: null,
      error: null,
    });
    await run();
    const done = await receipt(request);
    expect(done).toEqual({
      ...pending,
      state: 'done',
      started_at: done.started_at,
      events_deleted: 2,
      events_left: 0,
      verified_at: done.verified_at,
      remaining: { rows: 0, blocks: 0, files: 0, clickhouse: 0, warnings: 0 },
    });
    expect(Date.parse(done.verified_at ?? '')).toBeGreaterThanOrEqual(Date.parse(done.started_at ?? ''));
    expect(await eventsOf('ada')).toEqual(later);
    expect((await eventsOf('bob')).length).toBe(1);
  });

  it('takes the events of every distinct id the person had', async () => {
    await capture({ distinct_id: 'phone' }, { distinct_id: 'laptop' }, { distinct_id: 'laptop' });
    await capture({ distinct_id: 'phone', event: '$create_alias', ...{ properties: { alias: 'laptop' } } });
    const { request, distinctIds } = await remove('phone');
    expect([...distinctIds].sort()).toEqual(['laptop', 'phone']);
    await run();
    expect(await receipt(request)).toMatchObject({ state: 'done', events_deleted: 4, distinct_id_count: 2 });
    expect([await eventsOf('phone'), await eventsOf('laptop')]).toEqual([[], []]);
  });

  it('leaves an event alone that is sent again under the uuid of a deleted one', async () => {
    const [uuid] = await capture({ distinct_id: 'ada' });
    const first = await remove('ada');
    await run();
    await capture({ distinct_id: 'ada', uuid });
    await run();
    expect(await receipt(first.request)).toMatchObject({ state: 'done', events_deleted: 1 });
    expect(await eventsOf('ada')).toEqual([uuid]);
  });

  it('is done with nothing when the person had no events', async () => {
    const { request } = await remove('nobody');
    await run();
    expect(await receipt(request)).toMatchObject({ state: 'done', events_deleted: 0, events_left: 0, error: null });
  });

  it('takes a person with very many distinct ids', async () => {
    const distinctIds = Array.from({ length: 25_000 }, (_, n) => `device-${n}-${randomUUID()}`);
    await capture(...[0, 4_999, 12_345, 24_999].map((n) => ({ distinct_id: distinctIds[n] ?? '' })));
    const client = await pool.connect();
    const { id } = await service.app
      .get(DeletionRecorder)
      .request(
        client,
        { ...(await contextOfProject()) },
        { id: '1', uuid: randomUUID(), distinctIds },
        { userId: null, requestId: 'r', now: new Date() },
      )
      .finally(() => client.release());
    await run();
    expect(await receipt(id)).toMatchObject({ state: 'done', events_deleted: 4, distinct_id_count: 25_000 });
    expect(await eventsOf(distinctIds[12_345] ?? '')).toEqual([]);
  });

  it('does not touch the same distinct id of another project', async () => {
    await capture({ distinct_id: 'ada' });
    const other = project;
    project = await service.newProject();
    await capture({ distinct_id: 'ada' });
    const { request } = await remove('ada');
    await run();
    expect(await receipt(request)).toMatchObject({ events_deleted: 1 });
    expect(await eventsOf('ada')).toEqual([]);
    project = other;
    expect((await eventsOf('ada')).length).toBe(1);
  });
});

const contextOfProject = async () => (await import('../support/deletions.js')).contextOf(project.id);

describe('the cut-off', () => {
  it('is exact: whatever was acknowledged before goes, whatever is sent after the answer stays', async () => {
    const acknowledged: string[] = [];
    const stays: string[] = [];
    let phase: 'before' | 'between' | 'after' = 'before';
    const writer = async () => {
      for (let n = 0; n < 40; n += 1) {
        const sentIn = phase;
        const [uuid = ''] = await capture({ distinct_id: 'ada' });
        if (phase === 'before') acknowledged.push(uuid);
        if (sentIn === 'after') stays.push(uuid);
      }
    };
    await capture({ distinct_id: 'ada' });
    const writers = Promise.all([writer(), writer(), writer()]);
    while (acknowledged.length < 20) await new Promise(setImmediate);
    phase = 'between';
    const { request } = await remove('ada');
    phase = 'after';
    await writers;
    expect(stays.length).toBeGreaterThan(0);
    await run();
    const left = new Set(await eventsOf('ada'));
    expect(acknowledged.filter((uuid) => left.has(uuid))).toEqual([]);
    expect(stays.filter((uuid) => !left.has(uuid))).toEqual([]);
    expect((await receipt(request)).events_deleted).toBe(121 - left.size);
  });

  it('also takes what was received before it and committed after the job: at the second look, an hour later', async () => {
    const now = new Date(Date.now() - 59.9 * 60_000);
    const { request } = await remove('slow', now);
    await run();
    expect(await receipt(request)).toMatchObject({ state: 'done', events_deleted: 0 });
    await pool.query(
      `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
       VALUES ($1, $2, 'late', 'slow', $3, $3, '{}')`,
      [project.id, randomUUID(), now],
    );
    await pool.query(
      `UPDATE deletion_requests SET created_at = (created_at AT TIME ZONE 'UTC' - interval '1 minute') AT TIME ZONE 'UTC', swept_at = created_at
       WHERE project_id = $1`,
      [project.id],
    );
    await pool.query(
      `UPDATE events SET received_at = (received_at AT TIME ZONE 'UTC' - interval '2 minutes') AT TIME ZONE 'UTC' WHERE project_id = $1`,
      [project.id],
    );
    await run();
    expect(await receipt(request)).toMatchObject({ state: 'done', events_deleted: 1, events_left: 0 });
    const ids = await pool.query('SELECT 1 FROM deletion_request_ids WHERE project_id = $1', [project.id]);
    expect(ids.rowCount).toBe(0);
  });
});

describe('the list', () => {
  it('is newest first, in pages, by state', async () => {
    const made: string[] = [];
    for (const name of ['a', 'b', 'c']) made.unshift((await remove(name)).request);
    const page = await requests({ limit: '2' });
    expect([page.count, page.results.map(({ id }) => id)]).toEqual([3, made.slice(0, 2)]);
    const second = await service.call('GET', `${base()}${new URL(page.next ?? '').search}`);
    expect((second.body as typeof page).results.map(({ id }) => id)).toEqual(made.slice(2));
    expect((await requests({ state: 'done' })).count).toBe(0);
    await run();
    expect((await requests({ state: 'pending' })).count).toBe(0);
    expect((await requests({ state: 'done' })).results.map(({ id }) => id)).toEqual(made);
    const answer = await service.call('GET', base(), { query: { state: 'gone' } });
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, 'state']);
  });

  it('is the project’s own: foreign, unknown and malformed ids are the same 404', async () => {
    const { request } = await remove('ada');
    const foreign = await service.newProject();
    for (const path of [
      `/api/projects/${foreign.id}/deletion_requests/${request}`,
      `${base()}/${randomUUID()}`,
      `${base()}/17`,
    ]) {
      expect((await service.call('GET', path)).status).toBe(404);
    }
    const { text } = await service.newKey({ scopes: ['cohort:read'] });
    expect((await service.call('GET', base(), { key: text })).status).toBe(403);
  });
});

describe('the job', () => {
  it('removes warnings of capture older than 90 days', async () => {
    const insert = (days: number) =>
      pool.query(
        `INSERT INTO ingestion_warnings (project_id, id, type, detail, created_at) VALUES ($1, $2, 'x', 'y', $3)`,
        [project.id, randomUUID(), new Date(Date.now() - days * 24 * 60 * 60_000)],
      );
    await Promise.all([insert(91), insert(89), insert(400)]);
    await run();
    const { rows } = await pool.query('SELECT created_at FROM ingestion_warnings WHERE project_id = $1', [project.id]);
    expect(rows.length).toBe(1);
  });

  it('shows in the metrics', async () => {
    const metric = async (name: string) => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    const before = await metric('kohort_deleted_events_total');
    const failures = await metric('kohort_deletion_failures_total');
    await capture({ distinct_id: 'ada' }, { distinct_id: 'ada' });
    await remove('ada');
    expect(await metric('kohort_deletion_requests_pending')).toBe(1);
    await run();
    expect(await metric('kohort_deletion_requests_pending')).toBe(0);
    expect((await metric('kohort_deleted_events_total')) - before).toBe(2);
    expect(Math.abs((await metric('kohort_deletion_last_run_timestamp_seconds')) - Date.now() / 1000)).toBeLessThan(60);
    expect(await metric('kohort_deletion_failures_total')).toBe(failures);
  });
});
