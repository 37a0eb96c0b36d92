import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapFile, freePort, launch, removeDir, type RunningProcess, tempDir } from '../support/process.js';
import { terminate, untilReady } from '../support/process.js';
import { TestReceiver } from '../support/webhooks/receiver.js';
import { personsTold } from '../support/webhooks/told-persons.js';

/** How often the process is killed while persons change and messages tell of it. */
const kills = Number(process.env.KILLS ?? 4);
const batchSize = 20;

let dataDir: string;
let port: string;
let service: RunningProcess;
let receiver: TestReceiver;
let headers: Record<string, string>;
let token: string;
let project: string;

const open = async (): Promise<void> => {
  const own = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'error', WEBHOOK_ALLOW_PRIVATE: '1' };
  service = await launch(own);
  await untilReady(service);
};

beforeAll(async () => {
  dataDir = await tempDir();
  port = String(await freePort());
  receiver = await TestReceiver.start();
  await open();
  const { personal_api_key, project_token, project_id } = await bootstrapFile(dataDir);
  headers = { authorization: `Bearer ${personal_api_key}`, 'content-type': 'application/json' };
  token = project_token;
  project = `http://127.0.0.1:${port}/api/projects/${project_id}`;
});
afterAll(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) await terminate(service);
  await receiver.stop();
  await removeDir(dataDir);
});

const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await fetch(project + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (answer.status >= 300) throw new Error(await answer.text());
  return (answer.status === 204 ? null : await answer.json()) as T;
};

interface Persons {
  readonly count: number;
  readonly results: readonly { readonly id: number }[];
}

it('a receiver knows the persons that exist, however often the process is killed', async () => {
  await call('POST', '/webhooks', {
    ...{ url: receiver.url, events: ['person.created', 'person.merged', 'person.deleted'], batch_size: batchSize },
  });
  let isEnding = false;
  let nth = 0;
  const load = async (): Promise<void> => {
    while (!isEnding) {
      const [a, b, c] = [nth, Math.floor(nth / 2), Math.floor(nth / 3)].map((n) => `p${n}`);
      nth += 1;
      const batch = [
        { event: 'seen', distinct_id: a },
        { event: '$merge_dangerously', distinct_id: b, properties: { alias: c } },
      ];
      const body = JSON.stringify({ api_key: token, batch });
      await fetch(`http://127.0.0.1:${port}/batch`, { method: 'POST', body }).catch(() => sleep(20));
      if (nth % 7 !== 0) continue;
      const { results } = await call<Persons>('GET', '/persons?limit=1').catch(() => ({ results: [] }));
      for (const { id } of results) await call('DELETE', `/persons/${id}`).catch(() => undefined);
    }
  };
  const loads = [load(), load()];
  for (let kill = 0; kill < kills; kill += 1) {
    const before = receiver.messages.length;
    const end = Date.now() + 3000;
    while (receiver.messages.length < before + 5 && Date.now() < end) await sleep(5);
    await sleep((kill * 13) % 50);
    service.child.kill('SIGKILL');
    await service.exited;
    await open();
  }
  await sleep(500);
  isEnding = true;
  await Promise.all(loads);

  const exist = new Set<number>();
  for (let offset = 0; ; offset += 100) {
    const { results } = await call<Persons>('GET', `/persons?limit=100&offset=${offset}`);
    for (const { id } of results) exist.add(id);
    if (results.length < 100) break;
  }
  const sorted = (ids: Set<number>) => [...ids].sort((a, b) => a - b);
  const isAllTold = () => String(sorted(personsTold(receiver.accepted, batchSize))) === String(sorted(exist));
  for (let tries = 0; tries < 300 && !isAllTold(); tries += 1) await sleep(100);
  expect(sorted(personsTold(receiver.accepted, batchSize))).toEqual(sorted(exist));
  expect(exist.size).toBeGreaterThan(kills);
}, 300_000);
