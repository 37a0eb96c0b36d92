import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromBody } from '../../src/kernel/projection/blocks/block-body.js';
import { pick } from '../support/crash/writers.js';
import { KilledService } from '../support/killed-service.js';
import { bootstrapFile, cli, commandLine, type BootstrapFile } from '../support/process.js';

const kills = Number(process.env.KILLS ?? 4);
const eventsInBatch = 100;

let service: KilledService;
let project: BootstrapFile;

beforeAll(async () => {
  service = await KilledService.start();
  project = await bootstrapFile(service.dataDir);
});
afterAll(() => service?.remove());

const archiveAll = ['events', 'archive', '--before', '2100-01-01'] as const;
const key = () => ({ authorization: `Bearer ${project.personal_api_key}` });
const path = (rest: string): string => `${service.url}/api/projects/${project.project_id}/${rest}`;

/** Sends a batch until it is acknowledged: the same events, while the service is away. */
const capture = async (distinctId: string, known: Map<string, object>): Promise<void> => {
  const batch = Array.from({ length: eventsInBatch }, (_, n) => ({
    uuid: randomUUID(),
    event: 'seen',
    distinct_id: distinctId,
    properties: { n, at: distinctId, text: '🙂'.repeat(n) },
  }));
  const body = JSON.stringify({ api_key: project.project_token, batch });
  await again(() =>
    fetch(`${service.url}/batch`, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
  );
  for (const { uuid, properties } of batch) known.set(uuid, properties);
};

const again = async (send: () => Promise<Response>): Promise<Response> => {
  for (;;) {
    const answer = await send().catch(() => null);
    if (answer?.ok) return answer;
    await sleep(50);
  }
};

const deletePerson = async (distinctId: string): Promise<void> => {
  for (let wasSent = false; ; await sleep(50)) {
    const query = new URLSearchParams({ distinct_id: distinctId });
    const found = await again(() => fetch(path(`persons?${query.toString()}`), { headers: key() }));
    const [person] = ((await found.json()) as { results: { id: number }[] }).results;
    // Not yet in ClickHouse; or deleted by a request of which the answer was lost.
    if (!person && !wasSent) continue;
    if (!person) return;
    wasSent = true;
    const url = path(`persons/${person.id}?delete_events=true`);
    const answer = await fetch(url, { method: 'DELETE', headers: key() }).catch(() => null);
    if (answer?.ok) return;
  }
};

/** Runs a command, which is killed after a while unless it has ended. */
const killedCommand = async (...words: readonly string[]): Promise<void> => {
  const [program, args, options] = commandLine(service.env, words);
  const child = spawn(program, args, options);
  const closed = once(child, 'close');
  await Promise.race([closed, sleep(300 + pick(2500))]);
  child.kill('SIGKILL');
  await closed;
};

const exported = async (): Promise<Map<string, object>> => {
  const answer = await again(() => fetch(path('export/events'), { headers: key() }));
  const lines = (await answer.text()).trim().split('\n');
  const events = lines.map(
    (line) => JSON.parse(line) as { uuid: string; properties: { n: number; at: string; text: string } },
  );
  expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(events.length);
  return new Map(events.map(({ uuid, properties: { n, at, text } }) => [uuid, { n, at, text }]));
};

describe(`${kills} kills while events are compressed, archived and deleted`, () => {
  it('lose no property, give none to another event, and leave nothing of deleted events and no file', async () => {
    const [kept, deleted] = [new Map<string, object>(), new Map<string, object>()];
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n += 1) {
        await capture(`kept-${n % 7}`, kept);
        await capture(`gone-${n}`, deleted);
        await deletePerson(`gone-${n}`);
        await sleep(20);
      }
    })();
    for (let n = 0; n < kills; n += 1) {
      const deletions = killedCommand('deletions', 'run');
      await killedCommand('events', 'compress');
      await killedCommand(...archiveAll);
      await deletions;
      await service.kill();
    }
    isOver = true;
    await writing;

    for (const words of [['events', 'compress'], archiveAll, ['deletions', 'run']]) {
      const { code, stderr } = await cli(service.env, ...words);
      expect([words, stderr, code]).toEqual([words, '', 0]);
    }
    expect(await exported()).toEqual(kept);
    await service.withPool(async (pool) => {
      const places = await pool.query<{ in_rows: number; lost: number }>(
        `SELECT count(e.properties)::integer AS in_rows, count(*) FILTER (WHERE e.properties IS NULL AND b.id IS NULL)::integer AS lost
         FROM events AS e LEFT JOIN event_blocks AS b ON b.project_id = e.project_id AND b.id = e.block`,
      );
      expect(places.rows).toEqual([{ in_rows: 0, lost: 0 }]);
      const { rows: blocks } = await pool.query<{ body: Buffer }>(
        'SELECT body FROM event_blocks WHERE body IS NOT NULL',
      );
      const inBlocks = (await Promise.all(blocks.map(({ body }) => fromBody(body)))).flat();
      expect(inBlocks.filter(({ uuid }) => deleted.has(uuid))).toEqual([]);
      const { rows: archives } = await pool.query<{ id: string }>('SELECT id FROM event_archives');
      const known = new Set(archives.map(({ id }) => `${id}.parquet`));
      const files = await readdir(join(service.dataDir, 'event-archive'), { recursive: true });
      const names = files.map((file) => file.split('/').at(-1) ?? '').filter((name) => name.includes('.parquet'));
      expect(names.filter((name) => !known.has(name.replace('.draft', '')))).toEqual([]);
    });
    console.log(
      `${kept.size} events kept and ${deleted.size} deleted, ${kills} kills of the service, ${3 * kills} of commands`,
    );
  }, 3_600_000);
});
