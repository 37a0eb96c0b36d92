import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/common/logging/logger.js';
import { loadConfig } from '../../src/config/config.js';
import { entities } from '../../src/entities.js';
import { eventsWithActor } from '../../src/projection/actors.sql.js';
import { openStores } from '../../src/stores/open-stores.js';
import { sql } from '../../src/stores/clickhouse/sql.js';
import { integer, unsigned } from '../../src/stores/clickhouse/values.js';
import {
  bootstrapFile,
  freePort,
  launch,
  removeDir,
  tempDir,
  terminate,
  untilReady,
  type RunningProcess,
} from '../support/process.js';

const kills = Number(process.env.CRASH_KILLS ?? 2);
const wanted = Number(process.env.CRASH_EVENTS ?? 4000);
const writers = 6;
const eventsPerRequest = 50;
const people = 200;

interface Sent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly properties: object;
}

let dataDir: string;
let port: string;
let service: RunningProcess;
let token: string;

const env = () => ({ DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'warn', UV_THREADPOOL_SIZE: '16' });

beforeAll(async () => {
  dataDir = await tempDir();
  port = String(await freePort());
  service = await launch(env());
  await untilReady(service);
  token = (await bootstrapFile(dataDir)).project_token;
});
afterAll(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) await terminate(service);
  await removeDir(dataDir);
});

const pick = (n: number) => Math.floor(Math.random() * n);

/** Mostly ordinary events; now and then one that merges persons, so that the projection has something to get wrong. */
const makeEvent = (): Sent => {
  const distinct_id = `user-${pick(people)}`;
  const merges = Math.random() < 0.02;
  return {
    uuid: randomUUID(),
    event: merges ? '$merge_dangerously' : 'seen',
    distinct_id,
    properties: merges ? { alias: `user-${pick(people)}` } : { n: pick(1000), $set: { last: pick(1000) } },
  };
};

interface Tally {
  readonly acknowledged: Set<string>;
  refused: number;
  stop: boolean;
}

/** Sends a request until it is acknowledged, as SDKs do, and sometimes once more for no reason. */
const writer = async (tally: Tally): Promise<void> => {
  while (!tally.stop || tally.acknowledged.size < wanted) {
    const batch = Array.from({ length: eventsPerRequest }, makeEvent);
    const body = JSON.stringify({ api_key: token, batch });
    const again = Math.random() < 0.1 ? 2 : 1;
    for (let done = 0; done < again;) {
      const reply = await post(body);
      if (!reply) {
        tally.refused += 1;
        await sleep(20);
        continue;
      }
      expect([reply.accepted + reply.duplicates, reply.rejected]).toEqual([batch.length, []]);
      if (done > 0) expect(reply.accepted).toBe(0);
      done += 1;
    }
    for (const { uuid } of batch) tally.acknowledged.add(uuid);
  }
};

interface Reply {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: unknown[];
}

const post = async (body: string): Promise<Reply | null> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/batch/`, { method: 'POST', body });
    return answer.status === 200 ? ((await answer.json()) as Reply) : null;
  } catch {
    return null;
  }
};

/** False where there is none to be killed, because the last kill was a moment ago. */
const killPostgres = async (): Promise<boolean> => {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  try {
    return pid > 1 && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
};

const killSomething = async (): Promise<string> => {
  if (Math.random() < 0.35 && (await killPostgres())) return 'postgres';
  service.child.kill('SIGKILL');
  await service.exited;
  await sleep(pick(300));
  service = await launch(env());
  await untilReady(service, 30_000);
  return 'service';
};

const untilShipped = async (): Promise<void> => {
  for (let n = 0; n < 1200; n += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/_readyz`).catch(() => null);
    const report = (await answer?.json().catch(() => null)) as { checks: { projection: { detail: string } } } | null;
    if (report?.checks.projection.detail.includes(' 0 changes waiting')) return;
    await sleep(100);
  }
  throw new Error(`the projection did not catch up:\n${service.output().slice(-3000)}`);
};

describe(`${kills} kills of service and PostgreSQL under load`, () => {
  it('lose and double nothing: the log holds what was acknowledged, ClickHouse equals the log', async () => {
    const tally: Tally = { acknowledged: new Set(), refused: 0, stop: false };
    const load = Array.from({ length: writers }, () => writer(tally));
    const killed: string[] = [];
    for (let n = 0; n < kills; n += 1) {
      await sleep(200 + pick(1500));
      killed.push(await killSomething());
    }
    tally.stop = true;
    await Promise.all(load);
    await untilShipped();
    expect((await terminate(service)).code).toBe(0);

    const config = loadConfig({ DATA_DIR: dataDir });
    const stores = await openStores(config, createLogger({ logLevel: 'warn' }), entities);
    try {
      const log = await stores.dataSource.query<{ uuid: string; person: string }[]>(
        `SELECT e.uuid, d.person_id AS person FROM events e
         LEFT JOIN person_distinct_ids d ON d.project_id = 1 AND d.distinct_id = e.distinct_id WHERE e.project_id = 1`,
      );
      const inLog = new Map(log.map(({ uuid, person }) => [uuid, person]));
      const lost = [...tally.acknowledged].filter((uuid) => !inLog.has(uuid));
      expect([lost.length, inLog.size]).toEqual([0, tally.acknowledged.size]);

      const seen = new Map<string, string>();
      let doubled = 0;
      for (let shard = 0; shard < 16; shard += 1) {
        const rows = await stores.clickhouse.query<{ id: string; actor: string }>(
          sql`SELECT toString(uuid) AS id, toString(actor) AS actor FROM ${eventsWithActor(1)}
              WHERE cityHash64(uuid) % 16 = ${integer(shard)} LIMIT ${unsigned(100_000)}`,
          { project: 'system' },
        );
        for (const { id, actor } of rows) {
          if (seen.has(id)) doubled += 1;
          seen.set(id, actor);
        }
      }
      const missing = [...inLog.keys()].filter((uuid) => !seen.has(uuid)).length;
      const strangers = [...seen].filter(([uuid]) => !inLog.has(uuid)).length;
      const misattributed = [...seen].filter(([uuid, actor]) => inLog.get(uuid) !== actor).length;
      expect({ doubled, missing, strangers, misattributed }).toEqual({
        doubled: 0,
        missing: 0,
        strangers: 0,
        misattributed: 0,
      });
      const [people] = await stores.dataSource.query<{ lonely: string; waiting: string }[]>(
        `SELECT (SELECT count(*) FROM persons p WHERE NOT EXISTS (SELECT 1 FROM person_distinct_ids d
                  WHERE d.project_id = p.project_id AND d.person_id = p.id)) AS lonely,
                (SELECT count(*) FROM outbox) AS waiting`,
      );
      expect(people).toEqual({ lonely: '0', waiting: '0' });
      console.log(
        `${tally.acknowledged.size} acknowledged events, ${killed.length} kills (${killed.filter((what) => what === 'postgres').length} of PostgreSQL), ` +
          `${tally.refused} requests refused and sent again: 0 lost, 0 doubled, 0 misattributed`,
      );
    } finally {
      await stores.close();
    }
  }, 900_000);
});
