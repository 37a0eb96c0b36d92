import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapFile, freePort, launch, removeDir, type RunningProcess, tempDir } from '../support/process.js';
import { terminate, untilReady } from '../support/process.js';
import { TestReceiver } from '../support/webhooks/receiver.js';

/** How often the process is killed while events come, are compared and told of. */
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
  service = await launch({ DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'error', WEBHOOK_ALLOW_PRIVATE: '1' });
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

const call = async <T>(method: string, path: string, body: object): Promise<T> => {
  const answer = await fetch(project + path, { method, headers, body: JSON.stringify(body) });
  if (answer.status >= 300) throw new Error(await answer.text());
  return (await answer.json()) as T;
};

/** Each message that was accepted, once, and its events. */
const told = (): string[] =>
  receiver.accepted.flatMap(({ text }) =>
    (JSON.parse(text) as { data: { events: { uuid: string }[] } }).data.events.map(({ uuid }) => uuid),
  );

it('tells of each event that matches an action once, however often the process is killed', async () => {
  const steps = [{ event: 'paid', properties: [{ key: 'amount', value: 100, operator: 'gte' }] }];
  const { id } = await call<{ id: number }>('POST', '/actions', { name: 'Large payment', steps });
  await call('POST', '/webhooks', {
    ...{ url: receiver.url, events: ['action.matched'], action: id, batch_size: batchSize },
  });
  const matching: string[] = [];
  let isEnding = false;
  const load = async (): Promise<void> => {
    while (!isEnding) {
      const batch = Array.from({ length: 10 }, (_, n) => ({
        ...{ event: 'paid', distinct_id: `u${n}`, uuid: randomUUID() },
        properties: { amount: n % 2 === 0 ? 100 : 1 },
      }));
      const body = JSON.stringify({ api_key: token, batch });
      // Sent again until it is stored, under the same uuids.
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${port}/batch`, { method: 'POST', body }).catch(() => null);
        if (answer?.status === 200) break;
        await sleep(50);
      }
      matching.push(...batch.filter(({ properties }) => properties.amount === 100).map(({ uuid }) => uuid));
      await sleep(10);
    }
  };
  const loads = [load(), load()];
  for (let kill = 0; kill < kills; kill += 1) {
    const before = receiver.messages.length;
    const end = Date.now() + 4000;
    while (receiver.messages.length < before + 4 && Date.now() < end) await sleep(5);
    await sleep((kill * 13) % 50);
    service.child.kill('SIGKILL');
    await service.exited;
    await open();
  }
  await sleep(500);
  isEnding = true;
  await Promise.all(loads);
  for (let tries = 0; tries < 600 && told().length < matching.length; tries += 1) await sleep(100);
  await sleep(1000);
  expect(told().sort()).toEqual(matching.sort());
  expect(matching.length).toBeGreaterThan(kills * 10);
}, 300_000);
