import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { freshStores } from '../support/fresh-stores.js';
import { LiveClient } from '../support/live.js';
import {
  cli,
  removeDir,
  start,
  tempDir,
  terminate,
  type BootstrapFile,
  type RunningProcess,
} from '../support/process.js';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';

let dir: string;
let stores: Awaited<ReturnType<typeof freshStores>>;
let clickhouse: ClickHouseServer;
let made: BootstrapFile;
let processes: RunningProcess[] = [];

beforeAll(async () => {
  dir = await tempDir();
  stores = await freshStores();
  clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse') });
  const env = {
    ...stores.env,
    CLICKHOUSE_URL: new URL('/kohort', clickhouse.url).href,
    DATA_DIR: join(dir, 'data'),
  };
  const { code, stdout, stderr } = await cli(
    env,
    'bootstrap',
    '--email',
    'ada@example.test',
    '--project',
    'Test',
    '--json',
  );
  if (code !== 0) throw new Error(stderr);
  made = JSON.parse(stdout) as BootstrapFile;
  processes = [
    await start({ ...env, ROLE: 'api', DATA_DIR: join(dir, 'one') }),
    await start({ ...env, ROLE: 'api', DATA_DIR: join(dir, 'two') }),
  ];
});
afterAll(async () => {
  for (const { child, exited } of processes) {
    child.kill('SIGKILL');
    await exited;
  }
  await clickhouse.close();
  await stores.remove();
  await removeDir(dir);
});

const first = (): RunningProcess => processes[0] as RunningProcess;
const second = (): RunningProcess => processes[1] as RunningProcess;

const watch = ({ url }: RunningProcess, headers: Record<string, string> = {}): Promise<LiveClient> =>
  LiveClient.open({ url, key: made.personal_api_key, projectId: made.project_id, headers });

const capture = async ({ url }: RunningProcess, ...names: string[]): Promise<void> => {
  const batch = names.map((event) => ({ event, distinct_id: 'ada' }));
  const body = JSON.stringify({ api_key: made.project_token, batch });
  const answer = await fetch(`${url}/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(200);
};

describe('live streams of several api processes', () => {
  it('show what any of them has taken in, once, without a worker', async () => {
    const [one, two] = [await watch(first()), await watch(second())];
    await Promise.all([...Array.from({ length: 10 }, (_, n) => capture(n % 2 ? first() : second(), `event ${n}`))]);
    for (const client of [one, two]) expect(await client.until(() => client.events.length === 10)).toBeLessThan(1500);
    const names = Array.from({ length: 10 }, (_, n) => `event ${n}`);
    for (const client of [one, two]) {
      expect(client.names().sort()).toEqual(names);
      client.close();
    }
  });

  it('end when their process stops, and are resumed in another one without a gap', async () => {
    const client = await watch(first());
    await capture(second(), 'before');
    await client.until(() => client.events.length === 1);
    const stopping = terminate(first());
    await client.until(() => client.hasEnded);
    const { code, ms } = await stopping;
    expect([code, ms < 5000]).toEqual([0, true]);
    await capture(second(), 'meanwhile');
    const resumed = await watch(second(), { 'last-event-id': client.lastId });
    await capture(second(), 'after');
    await resumed.until(() => resumed.events.length === 2);
    expect(resumed.names()).toEqual(['meanwhile', 'after']);
    resumed.close();
  });
});
