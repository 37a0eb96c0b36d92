import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CohortChangesDto } from '../../src/cohorts/changes/changes.dto.js';
import { type WebhookDto } from '../../src/webhooks/webhook.dto.js';
import { bootstrapFile, cli, type Env, freePort, removeDir, start, tempDir, terminate } from '../support/process.js';
import { type ReceivedMessage, TestReceiver } from '../support/webhooks/receiver.js';
import { ask, type Scene } from './cohorts.fixture.js';

const kills = Number(process.env.WEBHOOK_KILLS ?? 1);
const persons = 30;

let scene: Scene;
let dataDir: string;
let receiver: TestReceiver;

beforeAll(async () => {
  dataDir = await tempDir();
  receiver = await TestReceiver.start();
  const env: Env = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_PRIVATE: '1',
  };
  const service = await start(env);
  scene = { env, service, file: await bootstrapFile(dataDir) };
});
afterAll(async () => {
  await terminate(scene.service);
  await receiver.stop();
  await removeDir(dataDir);
});

const made = async <T>(path: string, body: object): Promise<T> => {
  const answer = await ask(scene, 'POST', path, body);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
};

const feed = async (cohort: number, after: string): Promise<CohortChangesDto> => {
  const answer = await ask(scene, 'GET', `cohorts/${cohort}/changes?after=${after}&limit=10000`);
  return (await answer.json()) as CohortChangesDto;
};

/** The whole feed after a cursor. */
const wholeFeed = async (cohort: number, after: string): Promise<CohortChangesDto['results']> => {
  const { results, cursor, has_more: hasMore } = await feed(cohort, after);
  return hasMore ? [...results, ...(await wholeFeed(cohort, cursor))] : results;
};

/** Adds and removes persons until the service is gone. */
const change = async (cohort: number, ids: readonly number[], seed: number): Promise<void> => {
  for (let n = seed; ; n += 1) {
    const person = ids[n % ids.length];
    await ask(scene, 'PATCH', `cohorts/${cohort}/add_persons_to_static_cohort`, { person_ids: [person] });
    if (n % 3 === 0)
      await ask(scene, 'PATCH', `cohorts/${cohort}/remove_person_from_static_cohort`, { person_id: person });
  }
};

const about = (cohort: number): ReceivedMessage[] =>
  receiver.messages.filter(({ body }) => body.data.cohort?.id === cohort);

const withoutRepetitions = (ids: readonly string[]): string[] => ids.filter((id, at) => id !== ids[at - 1]);

describe('a service that is killed while it sends to webhooks', () => {
  it(
    `sends each change at least once, in order and without a gap (${kills} kills)`,
    async () => {
      const { personal_api_key: key, project_id: project } = scene.file;
      const lines = Array.from({ length: persons }, (_, n) => ({ type: 'person', distinct_ids: [`kill-${n}`] }));
      await fetch(`${scene.service.url}/api/projects/${project}/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
        body: lines.map((line) => JSON.stringify(line)).join('\n'),
      });
      const found = await ask(scene, 'GET', 'persons?search=kill-&limit=1000');
      const ids = ((await found.json()) as { results: { id: number }[] }).results.map(({ id }) => id);
      expect(ids).toHaveLength(persons);
      const cohorts = await Promise.all(
        ['one', 'two'].map(async (name) => {
          const { id } = await made<{ id: number }>('cohorts?wait=30', { name, is_static: true, person_ids: [] });
          return { id, cursor: (await feed(id, 'latest')).cursor };
        }),
      );
      const hook = { url: receiver.url, cohorts: cohorts.map(({ id }) => id), batch_size: 2 };
      const { id: webhook, secret } = await made<WebhookDto>('webhooks', hook);
      receiver.secret = secret ?? '';
      // Some messages fail, and are sent again.
      receiver.answering = (nth) => (nth % 40 === 13 ? 500 : 200);
      for (let kill = 0; kill < kills; kill += 1) {
        const changing = cohorts.map(({ id }, at) => change(id, ids, kill * 7 + at).catch(() => undefined));
        const before = receiver.messages.length;
        await receiver.until(before + 3);
        await sleep(Math.random() * 300);
        scene.service.child.kill('SIGKILL');
        await once(scene.service.child, 'exit').catch(() => undefined);
        await Promise.all(changing);
        scene.service = await start(scene.env);
      }
      const feeds = await Promise.all(cohorts.map(({ id, cursor }) => wholeFeed(id, cursor)));
      const count = feeds.reduce((sum, { length }) => sum + length, 0);
      await receiver.untilChanges(count, 60_000);
      for (const [at, { id }] of cohorts.entries()) {
        const accepted = receiver.accepted.filter(({ body }) => body.data.cohort.id === id);
        expect(accepted.flatMap(({ body }) => body.data.changes)).toEqual(feeds[at]);
        // A message comes again only until the next one comes.
        const order = withoutRepetitions(about(id).map((message) => message.id));
        expect(new Set(order).size).toBe(order.length);
      }
      expect(count).toBeGreaterThan(kills * 3);
      expect(receiver.unverified).toEqual([]);

      const listed = await cli(scene.env, 'webhooks', 'list', '--project', String(project), '--json');
      expect([listed.stderr, JSON.parse(listed.stdout)]).toEqual([
        '',
        [expect.objectContaining({ id: webhook, url: receiver.url, paused: false })],
      ]);
      const tested = await cli(scene.env, 'webhooks', 'test', String(webhook), '--project', String(project), '--json');
      expect(JSON.parse(tested.stdout)).toMatchObject({ type: 'webhook.test', attempts: 1 });
      const first = receiver.accepted[0];
      const replayed = await cli(
        ...([
          scene.env,
          'webhooks',
          'replay',
          String(webhook),
          first?.id ?? '',
          '--project',
          String(project),
          '--json',
        ] as const),
      );
      expect(JSON.parse(replayed.stdout)).toMatchObject({ delivery: first?.id, status: 'delivered', attempts: 2 });
      expect(receiver.messages.at(-1)?.text).toBe(first?.text);
    },
    120_000 + kills * 30_000,
  );

  it('tells of a webhook that is named wrongly before it starts anything', async () => {
    expect(await cli(scene.env, 'webhooks', 'test', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('name the webhook by its id'),
    });
    expect((await cli(scene.env, 'webhooks', 'replay', '1', 'x')).stderr).toContain('name the delivery by its id');
  });
});
