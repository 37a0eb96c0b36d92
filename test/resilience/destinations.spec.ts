import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CohortChangesDto } from '../../src/cohorts/changes/changes.dto.js';
import { type WebhookDto } from '../../src/webhooks/webhook.dto.js';
import { bootstrapFile, type Env, freePort, removeDir, start, tempDir, terminate } from '../support/process.js';
import { DestinationReceiver } from '../support/webhooks/destination-receiver.js';
import { until } from '../support/until.js';
import { ask, type Scene } from './cohorts.fixture.js';

const isWhole = process.env.EVERY_CASE !== undefined;
const members = Number(process.env.DESTINATION_MEMBERS ?? (isWhole ? 100_000 : 3000));
const kills = Number(process.env.KILLS ?? 3);
const batch = isWhole ? 1000 : 100;

let scene: Scene;
let dataDir: string;
let receivers: readonly DestinationReceiver[];

beforeAll(async () => {
  dataDir = await tempDir();
  receivers = await Promise.all(
    (['mixpanel', 'amplitude', 'segment'] as const).map((format) => DestinationReceiver.start(format)),
  );
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
  await Promise.all(receivers.map(({ http }) => http.stop()));
  await removeDir(dataDir);
});

const made = async <T>(path: string, body: object): Promise<T> => {
  const answer = await ask(scene, 'POST', path, body);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
};

const importPersons = async (): Promise<void> => {
  const { personal_api_key: key, project_id: project } = scene.file;
  const pieces = Math.ceil(members / 10_000);
  for (let piece = 0; piece < pieces; piece += 1) {
    const count = Math.min(10_000, members - piece * 10_000);
    const lines = Array.from({ length: count }, (_, n) =>
      JSON.stringify({ type: 'person', distinct_ids: [`p${piece * 10_000 + n}`], properties: { all: 'yes' } }),
    );
    const answer = await fetch(`${scene.service.url}/api/projects/${project}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
  }
};

interface Cohort {
  readonly id: number;
  readonly name: string;
}

/** The uuids of the members of now. */
const membersOf = async ({ id }: Cohort): Promise<string[]> => {
  const uuids: string[] = [];
  for (let after = ''; ;) {
    const answer = await ask(scene, 'GET', `cohorts/${id}/changes?limit=10000${after}`);
    const { results, cursor, has_more: hasMore } = (await answer.json()) as CohortChangesDto;
    uuids.push(...results.map(({ person }) => person.uuid ?? ''));
    if (!hasMore) return uuids.sort();
    after = `&after=${cursor}`;
  }
};

/** Adds and removes persons until the service is gone. */
const change = async ({ id }: Cohort, ids: readonly number[], seed: number): Promise<void> => {
  for (let n = seed; ; n += 1) {
    const person = ids[n % ids.length];
    await ask(scene, 'PATCH', `cohorts/${id}/add_persons_to_static_cohort`, { person_ids: [person] });
    if (n % 3 === 0) await ask(scene, 'PATCH', `cohorts/${id}/remove_person_from_static_cohort`, { person_id: person });
  }
};

const received = () => receivers.reduce((sum, { http }) => sum + http.messages.length, 0);

describe('a service that is killed while it sends members to destinations', () => {
  it(
    `has told each receiver the members in the end (${members} members, ${kills} kills)`,
    async () => {
      await importPersons();
      const filters = { properties: { type: 'AND', values: [{ type: 'person', key: 'all', value: 'yes' }] } };
      const large = await made<Cohort>('cohorts?wait=60', { name: 'Large', filters });
      const found = await ask(scene, 'GET', 'persons?limit=30');
      const ids = ((await found.json()) as { results: { id: number }[] }).results.map(({ id }) => id);
      const small = await made<Cohort>('cohorts?wait=30', {
        name: 'Small',
        is_static: true,
        person_ids: ids.slice(0, 9),
      });
      await until(async () => (await membersOf(large)).length === members, { withinMs: 120_000 });
      const webhooks: number[] = [];
      for (const [at, receiver] of receivers.entries()) {
        receiver.http.answering = (nth) => (nth % 23 === 7 ? 503 : 200);
        receiver.headers = { 'retry-after': '1' };
        const hook = { cohorts: [large.id, small.id], identifier: 'uuid', batch_size: batch };
        webhooks[at] = (await made<WebhookDto>('webhooks', receiver.webhook(hook))).id;
      }
      for (let kill = 0; kill < kills; kill += 1) {
        const changing = change(small, ids, kill * 7).catch(() => undefined);
        const before = received();
        await until(() => received() >= before + 6, { withinMs: 60_000 });
        // One of them begins again, in the middle of its pages.
        if (kill % 2 === 1) await made(`webhooks/${webhooks[kill % 3]}/resync`, {});
        await sleep(Math.random() * 300);
        scene.service.child.kill('SIGKILL');
        await once(scene.service.child, 'exit').catch(() => undefined);
        await changing;
        scene.service = await start(scene.env);
      }
      for (const cohort of [large, small]) {
        const expected = (await membersOf(cohort)).join();
        for (const receiver of receivers)
          await until(() => receiver.members(cohort).join() === expected, {
            withinMs: 60_000 + members * 3,
            everyMs: 500,
            failure: () =>
              `${receiver.format}: ${receiver.members(cohort).length} of ${expected.split(',').length} members of ${cohort.name}`,
          });
      }
      // No receiver is told anything else afterwards.
      const quiet = received();
      await sleep(1500);
      expect(received()).toBe(quiet);
      for (const { faults } of receivers) expect(faults).toEqual([]);
    },
    300_000 + kills * 60_000 + members * 6,
  );
});
