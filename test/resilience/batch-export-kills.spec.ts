import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BatchExportRunDto } from '../../src/exports/batch/batch-export.dto.js';
import { sha256Of } from '../../src/platform/objects/object-store.js';
import { BucketServer } from '../support/bucket-server.js';
import { bootstrapFile, freePort, launch, removeDir, type RunningProcess, tempDir } from '../support/process.js';
import { terminate, untilReady } from '../support/process.js';
import { until } from '../support/until.js';

/** How often the process is killed while it writes partitions. */
const kills = Number(process.env.KILLS ?? 4);
const hours = 12 + kills * 3;
const hourMs = 3_600_000;

let dataDir: string;
let port: string;
let service: RunningProcess;
let bucket: BucketServer;
let headers: Record<string, string>;
let project: string;

const open = async (): Promise<void> => {
  service = await launch({
    ...{ DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'error', NODE_ENV: 'test' },
    ...{ ALLOW_TEST_CLOCK: '1', WEBHOOK_ALLOW_PRIVATE: '1' },
  });
  await untilReady(service);
};

beforeAll(async () => {
  dataDir = await tempDir();
  port = String(await freePort());
  bucket = await BucketServer.start();
  await open();
  const { personal_api_key, project_id } = await bootstrapFile(dataDir);
  headers = { authorization: `Bearer ${personal_api_key}`, 'content-type': 'application/json' };
  project = `http://127.0.0.1:${port}/api/projects/${project_id}`;
});
afterAll(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) await terminate(service);
  await bucket.stop();
  await removeDir(dataDir);
});

const call = async <T>(method: string, path: string, body?: string | object, more: object = {}): Promise<T> => {
  const answer = await fetch(project + path, {
    method,
    headers: { ...headers, ...more },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(await answer.text());
  return (await answer.json()) as T;
};

interface Manifest {
  readonly period: { readonly start: string };
  readonly files: readonly { path: string; late: boolean; bytes: number; sha256: string }[];
}

describe('a batch export', () => {
  it('has each event in one partition, however often the process is killed', async () => {
    const start = (Math.floor((Date.now() - 120_000) / hourMs) - hours) * hourMs;
    const expected = new Map<string, string>();
    for (let nth = 0; nth < hours; nth += 1) {
      const arrived = new Date(start + nth * hourMs + 1_800_000).toISOString();
      // Two of them are on time.
      const lines = [0, 60_000, -7_200_000, -90_000_000].map((offset) => {
        const uuid = randomUUID();
        expected.set(uuid, `${nth}${offset < 0 ? ' late' : ''}`);
        const timestamp = new Date(Date.parse(arrived) + offset).toISOString();
        return JSON.stringify({ type: 'event', event: 'signed up', distinct_id: `u${nth}`, uuid, timestamp });
      });
      const kind = { 'content-type': 'application/x-ndjson', 'x-test-now': arrived };
      await call('POST', '/import', lines.join('\n'), kind);
    }
    // It is made as if the service had been off since then: it writes all hours afterwards.
    const made = { 'x-test-now': new Date(start + hourMs).toISOString() };
    const body = { name: 'Warehouse', destination: bucket.destination('k') };
    const { id } = await call<{ id: number }>('POST', '/batch_exports', body, made);
    for (let kill = 0; kill < kills; kill += 1) {
      const before = bucket.writes.length;
      const end = Date.now() + 3000;
      while (bucket.writes.length < before + 2 + (kill % 5) && Date.now() < end) await sleep(1);
      await sleep((kill * 7) % 20);
      service.child.kill('SIGKILL');
      await service.exited;
      await open();
    }
    await until(
      async () => {
        const { results } = await call<{ results: BatchExportRunDto[] }>('GET', `/batch_exports/${id}/runs?limit=1000`);
        return results.filter(({ status }) => status === 'Completed').length >= hours;
      },
      { withinMs: 120_000, everyMs: 200 },
    );
    const found = new Map<string, string>();
    const objects = bucket.below('k');
    for (const [name, bytes] of objects) {
      if (!name.includes('_manifests/')) continue;
      const { period, files } = JSON.parse(bytes.toString()) as Manifest;
      for (const { path, late, sha256 } of files) {
        const content = objects.get(path) ?? Buffer.alloc(0);
        expect([path, sha256Of(content)]).toEqual([path, sha256]);
        for (const line of content.toString().trimEnd().split('\n')) {
          const { uuid } = JSON.parse(line) as { uuid: string };
          expect([uuid, found.has(uuid)]).toEqual([uuid, false]);
          found.set(uuid, `${(Date.parse(period.start) - start) / hourMs}${late ? ' late' : ''}`);
        }
      }
    }
    expect(found).toEqual(expected);
  }, 600_000);
});
