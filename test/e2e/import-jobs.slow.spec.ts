import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type ImportJobDto } from '../../src/events/import/jobs/job.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: PersonsOf;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  of = new PersonsOf(service, (await service.newProject()).id);
});

const event = (distinct_id: string, more: object = {}) => ({
  type: 'event',
  event: 'paid',
  distinct_id,
  timestamp: '2024-01-02T10:00:00Z',
  ...more,
});
const person = (distinct_ids: string[], properties: object = {}) => ({ type: 'person', distinct_ids, properties });
const ndjson = (...lines: (object | string)[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, query = 'wait=0') =>
  fetch(`${service.url}/api/projects/${of.projectId}/import?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson', ...headers },
    body,
  });
const jobOf = async (answer: Response): Promise<ImportJobDto> => {
  const job = (await answer.json()) as ImportJobDto;
  expect([answer.status, answer.headers.get('location')]).toEqual([
    202,
    `/api/projects/${of.projectId}/import/${job.id}`,
  ]);
  return job;
};
const get = async (id: string) => (await of.call('GET', `import/${id}`)).body as ImportJobDto;
const ended = async ({ id }: { id: string }): Promise<ImportJobDto> => {
  for (let tries = 0; tries < 400; tries += 1) {
    const job = await get(id);
    if (job.finished_at !== null) return job;
    await sleep(50);
  }
  throw new Error('the import did not end within 20 s');
};
const countOf = async (path: string) => ((await of.call('GET', path)).body as { count: number }).count;
const jobsOf = async () =>
  (
    await service.pool.query<{ jobs: number; pieces: number }>(
      `SELECT (SELECT count(*)::int FROM import_jobs WHERE project_id = $1) AS jobs,
         (SELECT count(*)::int FROM import_pieces WHERE project_id = $1) AS pieces`,
      [of.projectId],
    )
  ).rows[0];
/** A job that no process holds, as a process leaves it that is killed. */
const abandonedJob = async (status: string, source: string): Promise<string> => {
  const id = randomUUID();
  await service.pool.query(
    `INSERT INTO import_jobs (project_id, id, status, source, apply_person_properties, create_persons, created_at, events)
     VALUES ($1, $2, $3, $4, true, true, now(), 7)`,
    [of.projectId, id, status, source],
  );
  return id;
};

describe('an import with wait=0', () => {
  it('is answered before it is worked on, and tells its progress and its result', async () => {
    const uuid = randomUUID();
    const body = ndjson(
      person(['ada', 'ada-2'], { plan: 'pro' }),
      event('ada', { uuid }),
      '',
      '{"type":',
      event('bob'),
      event('ada', { uuid }),
      'x'.repeat(1024 ** 2 + 1),
      { type: 'cow' },
    );
    const queued = await jobOf(await send(body));
    expect(queued).toMatchObject({
      status: 'queued',
      rows: 7,
      rows_read: 0,
      events: 0,
      finished_at: null,
      error: null,
    });
    const done = await ended(queued);
    expect(done).toEqual({
      ...queued,
      status: 'done',
      rows_read: 7,
      persons: 1,
      events: 2,
      duplicates: 1,
      rejected_count: 3,
      rejected: [
        { line: 4, code: 'parse_error', detail: expect.stringContaining('the line is not a JSON object') },
        { line: 7, code: 'too_large', detail: expect.stringContaining('a line must not exceed') },
        { line: 8, code: 'invalid_input', detail: 'type must be "person" or "event"' },
      ],
      finished_at: expect.stringMatching(/Z$/),
    });
    expect([await countOf('events'), await jobsOf()]).toEqual([2, { jobs: 1, pieces: 0 }]);
    const [entry] = await of.activity('activity', { scope: 'Import' });
    expect(entry).toMatchObject({
      activity: 'imported',
      item_id: done.id,
      detail: { changes: [{ after: { persons: 1, events: 2, duplicates: 1, rejected: 3 } }] },
    });
    expect(entry?.user).toMatchObject({ email: service.email });
  });

  it('of gzip and of many pieces is the same, and once more changes nothing', async () => {
    const lines = Array.from({ length: 5001 }, (_, n) =>
      event(`user-${n % 10}`, { uuid: `00000000-0000-4000-8000-${String(n % 5000).padStart(12, '0')}` }),
    );
    const body = gzipSync(ndjson(...lines));
    const send1 = async () => ended(await jobOf(await send(Uint8Array.from(body), { 'content-encoding': 'gzip' })));
    expect(await send1()).toMatchObject({ status: 'done', rows: 5001, rows_read: 5001, events: 5000, duplicates: 1 });
    expect(await send1()).toMatchObject({ status: 'done', events: 0, duplicates: 5001 });
    expect(await countOf('events')).toBe(5000);
  });

  it('follows the options of its request', async () => {
    const body = ndjson(event('ghost'), event('ada', { $set: { plan: 'pro' } }));
    await ended(await jobOf(await send(body, {}, 'wait=0&create_persons=false')));
    expect([await countOf('events'), await countOf('persons')]).toEqual([2, 0]);
  });

  it('does not name persons in the reasons that are kept', async () => {
    await of.make(['known-a']);
    await send(
      ndjson({ ...person(['known-a']), is_identified: true }, { ...person(['known-b']), is_identified: true }),
      {},
      '',
    );
    const job = await ended(await jobOf(await send(ndjson(person(['known-a', 'known-b'])))));
    expect([job.rejected_count, job.rejected[0]?.code]).toEqual([1, 'conflict']);
    expect(job.rejected[0]?.detail).not.toContain('known-');
  });

  it('is replayed by its Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await jobOf(await send(ndjson(event('ada')), key));
    const again = await send(ndjson(event('ada')), key);
    expect([again.headers.get('idempotent-replayed'), (await jobOf(again)).id]).toEqual(['true', first.id]);
    await ended(first);
    expect(await countOf('events')).toBe(1);
  });

  it('leaves nothing of a body that does not arrive completely, or is refused', async () => {
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(
      `POST /api/projects/${of.projectId}/import?wait=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: 100000\r\n\r\n${ndjson(event('ada'))}\n`,
    );
    const until = async (jobs: number) => {
      for (let tries = 0; tries < 100 && (await jobsOf())?.jobs !== jobs; tries += 1) await sleep(50);
      expect(await jobsOf()).toEqual({ jobs, pieces: 0 });
    };
    await until(1);
    socket.destroy();
    await until(0);
    expect((await send('x', { 'content-type': 'text/plain' })).status).toBe(415);
    const cut = gzipSync(ndjson(event('ada'))).subarray(0, 40);
    expect((await send(Uint8Array.from(cut), { 'content-encoding': 'gzip' })).status).toBe(400);
    expect(await jobsOf()).toEqual({ jobs: 0, pieces: 0 });
    const bad = await of.call('POST', 'import', { query: { wait: '10' } });
    expect(bad.body).toMatchObject({ status: 400, attr: 'wait' });
  });

  it('is refused while two of the project are not finished', async () => {
    const held = [randomUUID(), randomUUID()];
    for (const id of held) {
      await service.pool.query(
        `INSERT INTO leases (name, holder, expires_at) VALUES ($1, gen_random_uuid(), now() + interval '1 hour')`,
        [`import ${of.projectId} ${id}`],
      );
      await service.pool.query(
        `INSERT INTO import_jobs (project_id, id, status, source, apply_person_properties, create_persons, created_at)
         VALUES ($1, $2, 'running', 'request', true, true, now())`,
        [of.projectId, id],
      );
    }
    const refused = await send(ndjson(event('ada')));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    await service.pool.query('DELETE FROM leases WHERE name = $1', [`import ${of.projectId} ${held[0]}`]);
    expect(await ended({ id: held[0] ?? '' })).toMatchObject({ status: 'done', rows: 0 });
    await ended(await jobOf(await send(ndjson(event('ada')))));
    await service.pool.query('DELETE FROM import_jobs WHERE project_id = $1 AND id = $2', [of.projectId, held[1]]);
  });
});

describe('an import whose process has ended', () => {
  it('fails when its lines cannot be known any longer, and tells what is stored', async () => {
    const receiving = await ended({ id: await abandonedJob('receiving', 'request') });
    expect([receiving.status, receiving.error]).toEqual(['failed', expect.stringContaining('nothing of it is stored')]);
    const file = await ended({ id: await abandonedJob('running', 'file') });
    expect([file.status, file.events, file.error]).toEqual(['failed', 7, expect.stringContaining('Run it again')]);
  });

  it('of another project is not there', async () => {
    const { id } = await ended(await jobOf(await send(ndjson(event('ada')))));
    const other = await service.newProject();
    for (const path of [
      `${other.id}/import/${id}`,
      `${of.projectId}/import/${randomUUID()}`,
      `${of.projectId}/import/x`,
    ])
      expect((await service.call('GET', `/api/projects/${path}`)).status).toBe(404);
  });
});
