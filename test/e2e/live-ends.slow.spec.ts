import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ArrivalsReader } from '../../src/events/live/arrivals-reader.js';
import { ArrivalsSweep } from '../../src/events/live/arrivals-sweep.js';
import { arrivalsSql, headsSql } from '../../src/events/live/arrivals.sql.js';
import { streamPermits } from '../../src/platform/work/stream-permits.js';
import { LiveService } from '../../src/events/live/live.service.js';
import { collectOutbox } from '../../src/kernel/projection/outbox/outbox.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { type PgSql } from '../../src/platform/postgres/sql.js';
import { LiveClient, type Watched } from '../support/live.js';
import { PersonsOf } from '../support/persons.js';
import { planWith } from '../support/plan-with.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let people: PersonsOf;
let clients: LiveClient[] = [];

beforeAll(async () => {
  service = await startTestService();
  people = new PersonsOf(service, service.project.id);
  Object.assign(service.app.get(LiveService).times, { beatMs: 150, stalledMs: 1000 });
});
afterEach(() => {
  for (const client of clients) client.close();
  clients = [];
});
afterAll(() => service.stop());

const watch = async (watched: Partial<Watched> = {}, reads = true): Promise<LiveClient> => {
  const parts = { url: service.url, key: service.key, projectId: service.project.id, ...watched };
  const client = await LiveClient.open(parts, reads);
  clients.push(client);
  return client;
};

const capture = async (events: readonly object[]): Promise<void> => {
  const body = { api_key: service.project.api_token, batch: events };
  expect((await service.call('POST', '/batch', { key: null, body })).status).toBe(200);
};

describe('a live stream', () => {
  it('ends when its key is revoked', async () => {
    const { text: key, id } = await service.newKey();
    const [client, other] = [await watch({ key }), await watch()];
    await service.call('DELETE', `/api/personal_api_keys/${id}`);
    await client.until(() => client.hasEnded, 2000);
    expect((await watch({ key, headers: { 'last-event-id': client.lastId } })).status).toBe(401);
    expect(other.hasEnded).toBe(false);
  });

  it('ends when its key expires', async () => {
    const { text: key } = await service.newKey({ expiresAt: new Date(Date.now() + 1500) });
    const client = await watch({ key });
    await sleep(700);
    expect(client.hasEnded).toBe(false);
    await client.until(() => client.hasEnded, 3000);
  });

  it('ends when the person of its filter is merged into another', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob'])];
    const client = await watch({ query: { person_id: bob.id } });
    const merged = await people.call('POST', `persons/${ada.id}/merge`, { body: { persons: [bob.id] } });
    expect(merged.status).toBe(200);
    await client.until(() => client.hasEnded, 2000);
  });

  it('beats, so that a silent stream can be resumed from where it is', async () => {
    const client = await watch({ query: { event: 'never' } });
    await capture([{ event: 'a', distinct_id: 'cleo' }]);
    await sleep(1200);
    expect(client.text).toMatch(/^retry: 2000\n\n(: heart-beat\nid: [\w-]+\n\n)+$/);
    client.close();
    await capture([{ event: 'b', distinct_id: 'cleo' }]);
    const resumed = await watch({ headers: { 'last-event-id': client.lastId } });
    await resumed.until(() => resumed.events.length > 0);
    expect(resumed.names()).toEqual(['b']);
  });

  it('ends when its client does not read, and keeps a bounded amount for it', async () => {
    // Streams of the tests before end when the service notices that their clients have left.
    while (streamPermits.count > 0) await sleep(20);
    await watch({}, false);
    expect(streamPermits.count).toBe(1);
    const text = 'x'.repeat(900_000);
    const large = Array.from({ length: 5 }, () => ({ event: 'large', distinct_id: 'cleo', properties: { text } }));
    for (let tries = 0; tries < 20 && streamPermits.count > 0; tries += 1) {
      await capture(large);
      await sleep(700);
    }
    expect(streamPermits.count).toBe(0);
  });
});

describe('the streams of a process', () => {
  it('share one statement for each look, and none is sent without them', async () => {
    const other = await service.newProject();
    const read = jest.spyOn(service.app.get(ArrivalsReader), 'read');
    const snapshot = jest.spyOn(service.app.get(ArrivalsReader), 'snapshot');
    const open = await Promise.all([1, 2, 3, 4].map((nth) => watch(nth > 2 ? { projectId: other.id } : {})));
    await sleep(600);
    const begun = read.mock.calls.length;
    await sleep(2000);
    const looks = read.mock.calls.slice(begun);
    expect(looks.length).toBeGreaterThanOrEqual(2);
    expect(looks.length).toBeLessThanOrEqual(5);
    for (const [{ projectIds }] of looks) expect(projectIds).toEqual([service.project.id, other.id]);
    for (const client of open) client.close();
    await sleep(1200);
    const [reads, snapshots] = [read.mock.calls.length, snapshot.mock.calls.length];
    await sleep(1200);
    expect([read.mock.calls.length, snapshot.mock.calls.length]).toEqual([reads, snapshots]);
    read.mockRestore();
    snapshot.mockRestore();
  });

  it('survive a time without PostgreSQL and lose nothing', async () => {
    const client = await watch();
    const reader = service.app.get(ArrivalsReader);
    const down = jest.spyOn(reader, 'read').mockRejectedValueOnce(new Error('down'));
    const half = jest.spyOn(reader, 'contents').mockRejectedValueOnce(new Error('down'));
    await capture([{ event: 'meanwhile', distinct_id: 'cleo' }]);
    await client.until(() => client.events.length > 0);
    await sleep(700);
    expect([client.names(), client.skipped]).toEqual([['meanwhile'], 0]);
    expect([down.mock.calls.length, half.mock.calls.length].every((calls) => calls > 1)).toBe(true);
    jest.restoreAllMocks();
  });
});

describe('the arrivals', () => {
  const planOf = ({ text, values }: PgSql, readingAll: 'on' | 'off' = 'on'): Promise<string> =>
    planWith(service.pool, readingAll, { text: `EXPLAIN (ANALYZE, COSTS OFF) ${text}`, values });

  it('are read by an index, from the first transaction that is new', async () => {
    await service.pool.query(
      `INSERT INTO arrivals (project_id, xid, uuids, size, received_at)
       SELECT 900000 + n % 3, n, ARRAY[gen_random_uuid()], 1, now() FROM generate_series(1, 30000) AS n`,
    );
    await service.pool.query('ANALYZE arrivals');
    const plan = await planOf(
      arrivalsSql({ projectIds: [900_000, 900_001], from: '29990:29990:', to: null, after: null, most: 5000 }),
    );
    expect(plan).toMatch(/Index Scan (on|using) arrivals_pkey/);
    expect(plan).not.toContain('Seq Scan');
    expect(plan).toMatch(/Index Cond: \(\(project_id = p\.id\) AND \(xid >= /);
    // A few rows may be read as a whole: what counts is that there is an index for many.
    const heads = await planOf(headsSql(service.project.id, ['0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e']), 'off');
    expect(heads).toMatch(/Index Cond: \(\(project_id = (?:\$\d|\d+)\) AND \(uuid = requested\.uuid\)\)/);
    expect(heads).not.toContain('Seq Scan');
  });

  it('are removed when no stream can be resumed from them', async () => {
    const now = new Date();
    const ages = [0, 9, 11, 60];
    await service.pool.query('DELETE FROM arrivals');
    for (const [nth, minutes] of ages.entries())
      await service.pool.query(
        `INSERT INTO arrivals (project_id, xid, uuids, size, received_at) VALUES (900000, $1, '{}', 0, $2)`,
        [nth, new Date(now.getTime() - minutes * 60_000)],
      );
    await service.app.get(ArrivalsSweep).run(now);
    const { rows } = await service.pool.query<{ xid: string }>('SELECT xid FROM arrivals ORDER BY xid');
    expect(rows.map(({ xid }) => xid)).toEqual(['0', '1']);
    await service.pool.query('DELETE FROM arrivals');
  });

  it('belong to the transaction of their events: what was rolled back has none', async () => {
    await capture([{ event: 'one', distinct_id: 'cleo' }]);
    const postgres = new Postgres(service.pool);
    await collectOutbox(postgres);
    const project = service.project.id;
    const { rows } = await postgres.query<{ uuids: string[]; size: number }>(
      'SELECT uuids, size FROM arrivals WHERE project_id = $1',
      [project],
    );
    expect(rows.map(({ uuids, size }) => [uuids.length, size])).toEqual([[1, 1]]);
    const { rowCount } = await postgres.query('SELECT FROM events WHERE project_id = $1 AND uuid = ANY ($2)', [
      project,
      rows[0]?.uuids,
    ]);
    expect(rowCount).toBe(1);
  });
});
