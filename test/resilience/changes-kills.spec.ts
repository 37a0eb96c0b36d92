import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CohortChangeDto, type CohortChangesDto } from '../../src/cohorts/changes/changes.dto.js';
import { type WebhookDto } from '../../src/webhooks/webhook.dto.js';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';
import {
  bootstrapFile,
  type Env,
  freePort,
  removeDir,
  start,
  tempDir,
  terminate,
  untilReady,
} from '../support/process.js';
import { TestReceiver } from '../support/webhooks/receiver.js';
import { ask, type Scene } from './cohorts.fixture.js';

const kills = Number(process.env.CHANGE_KILLS ?? 3);
const persons = 40;
const victims = ['service', 'postgres', 'clickhouse'] as const;

let dataDir: string;
let clickhousePort: number;
let clickhouse: ClickHouseServer;
let receiver: TestReceiver;
let scene: Scene;

const startClickHouse = () => startClickHouseServer({ path: join(dataDir, 'server'), port: clickhousePort });

beforeAll(async () => {
  dataDir = await tempDir();
  clickhousePort = await freePort();
  clickhouse = await startClickHouse();
  receiver = await TestReceiver.start();
  const env: Env = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    CLICKHOUSE_URL: new URL('/kohort', clickhouse.url).href,
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_PRIVATE: '1',
  };
  const service = await start(env);
  scene = { env, service, file: await bootstrapFile(dataDir) };
});
afterAll(async () => {
  await terminate(scene.service);
  await clickhouse.close();
  await receiver.stop();
  await removeDir(dataDir);
});

/** Repeats a request that an outage has interrupted. */
const persistently = async (method: string, path: string, body?: object): Promise<Response> => {
  for (const end = Date.now() + 60_000; ; await sleep(100)) {
    const answer = await ask(scene, method, path, body).catch(() => null);
    if (answer && answer.status < 500) return answer;
    if (Date.now() > end) throw new Error(`${method} ${path}: ${answer?.status ?? 'no answer'}`);
  }
};

const made = async <T>(path: string, body: object): Promise<T> => {
  const answer = await persistently('POST', path, body);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
};

const feedOf = async (cohort: number, after: string): Promise<CohortChangesDto> =>
  (await (
    await persistently('GET', `cohorts/${cohort}/changes?after=${after}&limit=10000`)
  ).json()) as CohortChangesDto;

/** The whole feed after a cursor. */
const changesOf = async (cohort: number, cursor: string): Promise<CohortChangeDto[]> => {
  const changes: CohortChangeDto[] = [];
  for (let after = cursor; ;) {
    const page = await feedOf(cohort, after);
    changes.push(...page.results);
    if (!page.has_more) return changes;
    after = page.cursor;
  }
};

const membersOf = async (cohort: number): Promise<number[]> => {
  const answer = await persistently('GET', `cohorts/${cohort}/persons?limit=1000`);
  return ((await answer.json()) as { results: { id: number }[] }).results.map(({ id }) => id).sort((a, b) => a - b);
};

/** The members that the changes lead to. A person that enters was not in, and one that leaves was. */
const replayed = (changes: readonly CohortChangeDto[]): number[] => {
  const members = new Set<number>();
  for (const { change, person, cursor } of changes) {
    const isIn = members.has(person.id);
    if (isIn === (change === 'entered')) throw new Error(`${change} twice: person ${person.id}, ${cursor}`);
    if (isIn) members.delete(person.id);
    else members.add(person.id);
  }
  return [...members].sort((a, b) => a - b);
};

/** The cursor of one change can be written in several ways: it counts from where its reader began. */
const withoutCursors = (changes: readonly CohortChangeDto[]): object[] =>
  changes.map((change) => ({ ...change, cursor: null }));

const kill = async (victim: (typeof victims)[number]): Promise<void> => {
  if (victim === 'service') {
    scene.service.child.kill('SIGKILL');
    await scene.service.exited;
    scene.service = await start(scene.env);
    return;
  }
  if (victim === 'clickhouse') {
    await clickhouse.close();
    await sleep(Math.random() * 1_000);
    clickhouse = await startClickHouse();
  } else {
    const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(file, 10), 'SIGKILL');
    await sleep(200);
  }
  await untilReady(scene.service);
};

describe('a service that is killed, or whose stores are killed, while cohorts change', () => {
  it(`loses and repeats no change, and sends each at least once, in order and without a gap (${kills} kills)`, async () => {
    const { personal_api_key: key, project_id: project } = scene.file;
    const lines = Array.from({ length: persons }, (_, n) => ({
      ...{ type: 'person', distinct_ids: [`kill-${n}`] },
      properties: { plan: n % 2 ? 'pro' : 'free' },
    }));
    await fetch(`${scene.service.url}/api/projects/${project}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    const found = await persistently('GET', 'persons?search=kill-&limit=1000');
    const ids = ((await found.json()) as { results: { id: number }[] }).results.map(({ id }) => id);
    expect(ids).toHaveLength(persons);
    const plan = { properties: { type: 'AND', values: [{ type: 'person', key: 'plan', value: 'pro' }] } };
    const dynamic = await made<{ id: number }>('cohorts?wait=30', { name: 'Pros', filters: plan });
    const fixed = await made<{ id: number }>('cohorts?wait=30', { name: 'List', is_static: true, person_ids: [] });
    const cohorts = await Promise.all(
      [dynamic, fixed].map(async ({ id }) => ({ id, members: await membersOf(id), ...(await feedOf(id, 'latest')) })),
    );
    const hook = { url: receiver.url, cohorts: cohorts.map(({ id }) => id), batch_size: 3 };
    const { secret } = await made<WebhookDto>('webhooks', hook);
    receiver.secret = secret ?? '';
    receiver.answering = (nth) => (nth % 40 === 13 ? 500 : 200);

    const stop = new AbortController();
    const again = async (step: (n: number) => Promise<unknown>): Promise<void> => {
      for (let n = 0; !stop.signal.aborted; n += 1) await step(n).catch(() => sleep(100));
    };
    const person = (n: number) => ids[(n * 7) % ids.length] as number;
    const changing = [
      again(async (n) => {
        await ask(scene, 'PATCH', `persons/${person(n)}`, { properties: { plan: n % 3 ? 'pro' : 'free' } });
        await sleep(20);
      }),
      again(() => ask(scene, 'POST', `cohorts/${dynamic.id}/recalculate?wait=5`)),
      again(async (n) => {
        const edit = n % 2 ? 'remove_person_from_static_cohort' : 'add_persons_to_static_cohort';
        const of = n % 2 ? { person_id: person(n - 1) } : { person_ids: [person(n)] };
        await ask(scene, 'PATCH', `cohorts/${fixed.id}/${edit}`, of);
        await sleep(20);
      }),
    ];
    for (let nth = 0; nth < kills; nth += 1) {
      const before = receiver.messages.length;
      await receiver.until(before + 3, 60_000);
      await sleep(Math.random() * 400);
      await kill(victims[nth % victims.length] ?? 'service');
    }
    stop.abort();
    await Promise.all(changing);
    const last = await persistently('POST', `cohorts/${dynamic.id}/recalculate?wait=60`);
    expect(await last.json()).toMatchObject({ is_calculating: false, calculation_error: null });

    let count = 0;
    for (const { id, members, cursor } of cohorts) {
      const entered = members.map((member) => ({ change: 'entered', person: { id: member } }) as CohortChangeDto);
      const changes = await changesOf(id, cursor);
      count += changes.length;
      expect(replayed([...entered, ...changes])).toEqual(await membersOf(id));
      expect(changes.length).toBeGreaterThan(0);
    }
    expect(count).toBeGreaterThan(2 * kills);
    await receiver.untilChanges(count, 120_000);
    for (const { id, cursor } of cohorts) {
      const sent = receiver.accepted.filter(({ body }) => body.data.cohort.id === id);
      expect(withoutCursors(sent.flatMap(({ body }) => body.data.changes))).toEqual(
        withoutCursors(await changesOf(id, cursor)),
      );
    }
    expect(receiver.unverified).toEqual([]);
  }, 1_800_000);
});
