import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ImportJobDto } from '../../src/events/import/jobs/job.dto.js';
import {
  bootstrapFile,
  freePort,
  launch,
  removeDir,
  type RunningProcess,
  tempDir,
  terminate,
  untilReady,
} from '../support/process.js';

const events = 60_000;

let dataDir: string;
let port: string;
let service: RunningProcess;
let headers: Record<string, string>;
let project: string;

const open = async (): Promise<void> => {
  service = await launch({ DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'warn' });
  await untilReady(service);
};

beforeAll(async () => {
  dataDir = await tempDir();
  port = String(await freePort());
  await open();
  const { personal_api_key, project_id } = await bootstrapFile(dataDir);
  headers = { authorization: `Bearer ${personal_api_key}` };
  project = `http://127.0.0.1:${port}/api/projects/${project_id}`;
});
afterAll(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) await terminate(service);
  await removeDir(dataDir);
});

const get = async <T>(path: string): Promise<T> => (await (await fetch(project + path, { headers })).json()) as T;

describe('an import in the background', () => {
  it('goes on after the process is killed and stopped, and stores each line once, though no line has a uuid', async () => {
    const line = (n: number) =>
      JSON.stringify({ type: 'event', event: 'imported', distinct_id: `user-${n % 50}`, properties: { n } });
    const answer = await fetch(`${project}/import?wait=0`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: Array.from({ length: events }, (_, n) => line(n)).join('\n'),
    });
    const { id, status } = (await answer.json()) as ImportJobDto;
    expect([answer.status, status]).toEqual([202, 'queued']);
    const until = async (rows: number): Promise<ImportJobDto> => {
      for (let tries = 0; tries < 3000; tries += 1) {
        const job = await get<ImportJobDto>(`/import/${id}`);
        if (job.rows_read >= rows) return job;
        await sleep(20);
      }
      throw new Error('the import makes no progress');
    };
    expect((await until(1)).rows_read).toBeLessThan(events);
    service.child.kill('SIGKILL');
    await service.exited;
    await open();
    const resumed = await get<ImportJobDto>(`/import/${id}`);
    expect([resumed.events, resumed.finished_at]).toEqual([resumed.rows_read, null]);
    await until(resumed.rows_read + 1);
    await terminate(service);
    await open();
    await until(events);
    for (let tries = 0; tries < 100 && (await get<ImportJobDto>(`/import/${id}`)).status !== 'done'; tries += 1)
      await sleep(50);
    expect(await get(`/import/${id}`)).toMatchObject({ status: 'done', rows: events, events, duplicates: 0 });
    const counted = async () => (await get<{ count: number }>('/events?event=imported&limit=1')).count;
    for (let tries = 0; tries < 100 && (await counted()) < events; tries += 1) await sleep(100);
    expect(await counted()).toBe(events);
  }, 180_000);
});
