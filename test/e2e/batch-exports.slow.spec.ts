import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { type BatchExportDto, type BatchExportRunDto } from '../../src/exports/batch/batch-export.dto.js';
import { BatchExportWorker } from '../../src/exports/batch/batch-export-worker.js';
import { BucketRequests } from '../../src/platform/objects/bucket-requests.js';
import { WorkEnded } from '../../src/platform/errors/work-ended.js';
import { sha256Of } from '../../src/platform/objects/object-store.js';
import { BucketServer } from '../support/bucket-server.js';
import { readParquet } from '../support/exports.js';
import { hasS3Server, S3Server } from '../support/s3-server.js';
import { startTestService, type TestService } from '../support/service.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

const hourMs = 3_600_000;
const graceMs = 60_000;
const start = Date.parse('2026-03-02T22:00:00Z');
const hour = (nth: number) => new Date(start + nth * hourMs);

let service: TestService;
let worker: BatchExportWorker;
let bucket: BucketServer;
let of: WebhooksOf;

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' });
  worker = service.app.get(BatchExportWorker);
  // Each test says when time goes on.
  await worker.worker.stop();
});
afterAll(() => service.stop());
beforeEach(async () => {
  of = new WebhooksOf(service, (await service.newProject()).id);
  bucket = await BucketServer.start();
});
afterEach(async () => {
  await service.pool.query('DELETE FROM batch_exports');
  await bucket.stop();
});

const made = async (body: object, at = hour(1)): Promise<BatchExportDto> => {
  const headers = { 'x-test-now': at.toISOString() };
  const answer = await of.call('POST', 'batch_exports', { body: { name: 'Warehouse', ...body }, headers });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as BatchExportDto;
};

/** Writes what is due at a moment. */
const pass = async (at: Date, { signal } = new AbortController()) => {
  while ((await worker.round(at, signal)) !== null);
};

const closed = (nth: number) => new Date(hour(nth + 1).getTime() + graceMs);

interface Sent {
  readonly uuid: string;
  readonly at: number;
}

/** Events arrive at a moment. */
const arrive = async (at: Date, ...times: readonly number[]): Promise<Sent[]> => {
  const sent = times.map((time) => ({ uuid: randomUUID(), at: time }));
  const lines = sent.map(({ uuid, at: time }) =>
    JSON.stringify({
      ...{ type: 'event', uuid, event: 'signed "up"\n', distinct_id: 'zoë', properties: { n: 1, list: ['ä', null] } },
      timestamp: new Date(time).toISOString(),
    }),
  );
  const headers = { 'content-type': 'application/x-ndjson', 'x-test-now': at.toISOString() };
  const answer = await of.call('POST', 'import', { body: lines.join('\n'), headers });
  if (answer.status !== 200) throw new Error(answer.text);
  return sent;
};

interface Manifest {
  readonly period: { readonly start: string };
  readonly records: number;
  readonly files: readonly { path: string; late: boolean; records: number; bytes: number; sha256: string }[];
}

const manifestsIn = (objects: ReadonlyMap<string, Buffer>): Manifest[] =>
  [...objects].flatMap(([path, bytes]) =>
    path.includes('_manifests/') ? [JSON.parse(bytes.toString()) as Manifest] : [],
  );

type Row = Record<string, unknown>;

const rowsOf = async (bytes: Buffer): Promise<readonly Row[]> =>
  bytes.subarray(0, 4).equals(Buffer.from('PAR1'))
    ? readParquet(bytes)
    : bytes
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);

/** The events that a reader of the manifests gets: hour by hour, on time and late. */
const readBy = async (objects: ReadonlyMap<string, Buffer>): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  for (const { period, files, records } of manifestsIn(objects)) {
    expect(files.reduce((sum, file) => sum + file.records, 0)).toBe(records);
    for (const file of files) {
      const bytes = objects.get(file.path) ?? Buffer.alloc(0);
      expect([bytes.length, sha256Of(bytes)]).toEqual([file.bytes, file.sha256]);
      for (const row of await rowsOf(bytes)) {
        const uuid = String(row.uuid);
        if (found.has(uuid)) throw new Error(`${uuid} came twice`);
        found.set(uuid, `${(Date.parse(period.start) - start) / hourMs}${file.late ? ' late' : ''}`);
      }
    }
  }
  return found;
};

const runs = async (id: number) =>
  ((await of.call('GET', `batch_exports/${id}/runs`)).body as { results: BatchExportRunDto[] }).results;

describe('a batch export of events', () => {
  it('writes each hour when it has ended, late events apart, and its manifest last', async () => {
    const first = await arrive(hour(0), hour(0).getTime() + 1000, hour(0).getTime() - 5 * hourMs);
    const { id } = await made({ destination: bucket.destination('k') });
    await pass(new Date(closed(0).getTime() - 1));
    expect(bucket.writes).toEqual([]);
    await pass(closed(0));
    expect(bucket.writes).toEqual([
      'k/events/late=0/dt=2026-03-02/hour=22/part-00001.jsonl',
      'k/events/late=1/dt=2026-03-02/hour=22/part-00001.jsonl',
      'k/events/_manifests/dt=2026-03-02/hour=22.json',
    ]);
    const [line] = await rowsOf(bucket.objects.get(bucket.writes[0] ?? '') ?? Buffer.alloc(0));
    expect(line).toEqual({
      ...{ uuid: first[0]?.uuid, event: 'signed "up"\n', distinct_id: 'zoë', person_id: expect.any(Number) },
      ...{ timestamp: '2026-03-02T22:00:01.000Z', received_at: '2026-03-02T22:00:00.000Z' },
      properties: { n: 1, list: ['ä', null] },
    });
    // One hour is empty; in the next one an event comes that had arrived before, but was committed later.
    await pass(closed(1));
    const late = await arrive(hour(0), hour(0).getTime() + 2000);
    await pass(closed(2));
    const read = await readBy(bucket.below('k'));
    expect([...read]).toEqual([
      [first[0]?.uuid, '0'],
      [first[1]?.uuid, '0 late'],
      [late[0]?.uuid, '2 late'],
    ]);
    expect((await runs(id)).map(({ status, records, files, manifest }) => [status, records, files, manifest])).toEqual([
      ['Completed', 1, 1, 'k/events/_manifests/dt=2026-03-03/hour=00.json'],
      ['Completed', 0, 0, 'k/events/_manifests/dt=2026-03-02/hour=23.json'],
      ['Completed', 2, 2, 'k/events/_manifests/dt=2026-03-02/hour=22.json'],
    ]);
  });

  it.each([['JSONLines'], ['Parquet']] as const)(
    'has each event of random streams once, and the same bytes when it was killed, as %s',
    async (format) => {
      const minutes = fc.integer({ min: -600, max: 200 });
      const stream = fc.array(fc.array(minutes, { maxLength: 4 }), { minLength: 3, maxLength: 5 });
      const kills = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(stream, kills, async (hours, killed) => {
          of = new WebhooksOf(service, (await service.newProject()).id);
          bucket.objects.clear();
          await made({ destination: bucket.destination('plain', format) });
          await made({ destination: bucket.destination('killed', format) });
          const expected = new Map<string, string>();
          const [left] = [[...killed]];
          for (const [nth, offsets] of hours.entries()) {
            const at = new Date(hour(nth).getTime() + 30 * 60_000);
            for (const { uuid, at: time } of await arrive(
              at,
              ...offsets.map((offset) => at.getTime() + offset * 60_000),
            ))
              expected.set(uuid, `${nth}${Math.floor((time - start) / hourMs) === nth ? '' : ' late'}`);
            for (const after of left.splice(0, 2)) {
              const ending = new AbortController();
              let writes = 0;
              bucket.onPut = (path) => {
                if (path.startsWith('killed/') && (writes += 1) === after) ending.abort(new WorkEnded('killed'));
                return null;
              };
              await pass(closed(nth), ending).catch((error: unknown) => {
                if (!(error instanceof WorkEnded)) throw error;
              });
              bucket.onPut = () => null;
            }
            await pass(closed(nth));
          }
          const [plain, other] = [bucket.below('plain'), bucket.below('killed')];
          expect(await readBy(plain)).toEqual(expected);
          expect(await readBy(other)).toEqual(expected);
          for (const [path, bytes] of plain)
            if (!path.includes('_manifests/')) expect([path, other.get(path)?.equals(bytes)]).toEqual([path, true]);
          const counted = await of.call('GET', 'export/events', { query: { format: 'ndjson' } });
          expect(counted.text.split('\n').filter(Boolean)).toHaveLength(expected.size);
        }),
        { numRuns: format === 'Parquet' ? 1 : 4, seed: 3 },
      );
    },
  );
});

const manyPersons = 3;

describe('a batch export of persons', () => {
  it.each([['JSONLines'], ['Parquet']] as const)('writes them, and the members of a cohort, as %s', async (format) => {
    await of.withPersons(manyPersons);
    const cohort = await of.list();
    await of.add(cohort, 'p0', 'p2');
    await made({ model: 'persons', interval: 'day', destination: bucket.destination('k', format) });
    await made({ model: 'cohort', cohort_id: cohort, destination: bucket.destination('k', format) });
    await pass(closed(5));
    const objects = bucket.below('k');
    const extension = format === 'Parquet' ? 'parquet' : 'jsonl';
    expect([...objects.keys()].sort()).toEqual([
      `cohorts/${cohort}/_manifests/dt=2026-03-03/hour=03.json`,
      `cohorts/${cohort}/dt=2026-03-03/hour=03/part-00001.${extension}`,
      'persons/_manifests/dt=2026-03-02.json',
      `persons/dt=2026-03-02/part-00001.${extension}`,
    ]);
    const idsIn = async (path: string) =>
      (await rowsOf(objects.get(path) ?? Buffer.alloc(0))).map(({ distinct_ids }) => distinct_ids);
    expect(await idsIn(`persons/dt=2026-03-02/part-00001.${extension}`)).toEqual([['p0'], ['p1'], ['p2']]);
    expect(await idsIn(`cohorts/${cohort}/dt=2026-03-03/hour=03/part-00001.${extension}`)).toEqual([['p0'], ['p2']]);
  });

  it('is paused when its cohort is deleted', async () => {
    const cohort = await of.list();
    const { id } = await made({ model: 'cohort', cohort_id: cohort, destination: bucket.destination('k') });
    expect((await of.call('PATCH', `cohorts/${cohort}`, { body: { deleted: true } })).status).toBe(200);
    await pass(closed(0));
    expect((await of.call('GET', `batch_exports/${id}`)).body).toMatchObject({
      paused: true,
      paused_reason: `Cohort ${cohort} is deleted: restore it, or delete this batch export`,
      next_run_at: null,
    });
  });
});

const makeDue = () => service.pool.query(`UPDATE batch_exports SET next_attempt_at = '2026-01-01'`);
const shown = async (id: number) => (await of.call('GET', `batch_exports/${id}`)).body as BatchExportDto;

describe('a batch export', () => {
  it('is tried again where its bucket refuses, then paused, and goes on when it is resumed', async () => {
    await arrive(hour(0), hour(0).getTime());
    const { id } = await made({ destination: bucket.destination('k') });
    bucket.onPut = () => 403;
    await pass(closed(0));
    const failed = await shown(id);
    expect(failed).toMatchObject({ paused: false, failing_since: expect.any(String) });
    expect(Date.parse(failed.next_run_at ?? '') - Date.now()).toBeGreaterThan(30_000);
    expect(await runs(id)).toMatchObject([
      {
        ...{ status: 'Failed', attempts: 1, manifest: null },
        error: 'the bucket warehouse refuses (status 403): check endpoint_url and region',
      },
    ]);
    await service.pool.query(`UPDATE batch_exports SET failing_since = now() - interval '3 days'`);
    await makeDue();
    await pass(closed(0));
    expect(await shown(id)).toMatchObject({ paused: true, paused_reason: expect.stringContaining('refuses') });
    bucket.onPut = () => null;
    expect((await of.call('PATCH', `batch_exports/${id}`, { body: { paused: false } })).body).toMatchObject({
      ...{ paused: false, paused_reason: null, failing_since: null },
      next_run_at: closed(0).toISOString(),
    });
    await pass(closed(0));
    expect(await runs(id)).toMatchObject([{ status: 'Completed', attempts: 3, error: null, records: 1 }]);
    const log = (await of.call('GET', 'activity', { query: { scope: 'Export' } })).body as {
      results: { activity: string }[];
    };
    expect(log.results.map(({ activity }) => activity)).toEqual(['resumed', 'paused', 'created']);
    expect(JSON.stringify(log)).not.toContain('a-secret');
  });

  it('never shows its secret, and sends it to no other server', async () => {
    const { id } = await made({ destination: bucket.destination('k') });
    const read = await shown(id);
    expect(JSON.stringify(read)).not.toContain('a-secret');
    const patch = (destination: unknown) => of.call('PATCH', `batch_exports/${id}`, { body: { destination } });
    expect((await of.call('PATCH', `batch_exports/${id}`, { body: read })).body).toEqual(read);
    const { config } = read.destination as { config: object };
    expect((await patch({ type: 'S3', config: { ...config, prefix: 'other' } })).status).toBe(200);
    const moved = await patch({ type: 'S3', config: { ...config, endpoint_url: 'http://127.0.0.1:1' } });
    expect([moved.status, (moved.body as { attr: string }).attr]).toEqual([
      400,
      'destination.config.aws_secret_access_key',
    ]);
  });

  it('is refused where it makes no sense, by the name of its field', async () => {
    const destination = bucket.destination('k');
    const other = (config: object) => ({
      destination: { ...destination, config: { ...destination.config, ...config } },
    });
    const cases: [object, string][] = [
      [{ destination: undefined }, 'destination'],
      [{ destination: { ...destination, type: 'BigQuery' } }, 'destination.type'],
      [other({ bucket_name: 'A_B' }), 'destination.config.bucket_name'],
      [other({ bucket_name: 'evil.com/' }), 'destination.config.bucket_name'],
      [other({ prefix: 'a\nb' }), 'destination.config.prefix'],
      [other({ region: 'x.evil.com/' }), 'destination.config.region'],
      [other({ endpoint_url: 'file:///etc' }), 'destination.config.endpoint_url'],
      [other({ endpoint_url: 'http://a:b@host' }), 'destination.config.endpoint_url'],
      [other({ aws_secret_access_key: null }), 'destination.config.aws_secret_access_key'],
      [other({ file_format: 'Avro' }), 'destination.config.file_format'],
      [other({ role: 'x' }), 'destination.config.role'],
      [{ model: 'sessions' }, 'model'],
      [{ model: 'cohort' }, 'cohort_id'],
      [{ cohort_id: 1 }, 'cohort_id'],
      [{ model: 'cohort', cohort_id: 987_654 }, 'cohort_id'],
      [{ interval: 'week' }, 'interval'],
    ];
    for (const [more, attr] of cases) {
      const answer = await of.call('POST', 'batch_exports', { body: { name: 'W', destination, ...more } });
      expect([more, answer.status, (answer.body as { attr: string }).attr]).toEqual([more, 400, attr]);
    }
    const { id } = await made({ destination });
    expect((await of.call('PATCH', `batch_exports/${id}`, { body: { interval: 'day' } })).status).toBe(400);
  });

  it('writes to a server that checks signatures', async () => {
    if (!hasS3Server()) return;
    const server = await S3Server.start();
    try {
      const { keyId, secret, endpoint } = server.s3;
      await new BucketRequests('warehouse', server.s3).send({ method: 'PUT', key: '' });
      await arrive(hour(0), hour(0).getTime());
      const config = {
        ...{ bucket_name: 'warehouse', prefix: 'k/a+b=c', endpoint_url: endpoint?.href },
        ...{ aws_access_key_id: keyId, aws_secret_access_key: secret, file_format: 'JSONLines' },
      };
      const { id } = await made({ destination: { type: 'S3', config } });
      await pass(closed(0));
      expect(await runs(id)).toMatchObject([{ status: 'Completed', records: 1, error: null }]);
    } finally {
      await server.stop();
    }
  });
});
