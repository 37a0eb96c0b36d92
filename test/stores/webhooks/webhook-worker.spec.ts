import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { silentLogger } from '../../support/projection-scene.js';
import { insertProject } from '../../support/insert-project.js';
import { until } from '../../support/until.js';
import { newWorkers } from '../../support/workers.js';
import { type Workers } from '../../../src/platform/work/workers.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { Postgres } from '../../../src/platform/postgres/postgres.js';
import { type Deliverer } from '../../../src/webhooks/deliveries/deliverer.js';
import { forgetOldDeliveries } from '../../../src/webhooks/deliveries/deliveries.repository.js';
import { noteNewChanges, type WebhookKey } from '../../../src/webhooks/deliveries/new-changes.js';
import { webhookLimits, WebhookWorker } from '../../../src/webhooks/deliveries/webhook-worker.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;
let postgres: Postgres;
let workers: Workers[];
/** Turns in progress, and those that ended, by webhook. */
let running: Map<string, number>;
let ended: Map<string, number>;
let overlaps: number;

beforeAll(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href, max: 12 });
  postgres = new Postgres(pool);
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});
beforeEach(async () => {
  for (const table of ['webhook_deliveries', 'webhook_positions', 'webhooks', 'cohort_changes', 'leases'])
    await pool.query(`DELETE FROM ${table}`);
  workers = [];
  running = new Map();
  ended = new Map();
  overlaps = 0;
});
afterEach(() => Promise.all(workers.map((worker) => worker.stop())));

/** A webhook with a cohort that has something to send. */
const dueWebhook = async (
  projectId: number,
  { host = 'a.example.com', isFailing = false, failures = 0, in: delay = '0' } = {},
): Promise<string> => {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO webhooks (project_id, url, secret, kinds, batch_size, seen_change, created_at)
     VALUES ($1, $2, 'whsec_', '{entered}', 1, 0, now()) RETURNING id`,
    [projectId, `https://${host}/`],
  );
  const id = rows[0]?.id ?? 0;
  await pool.query(
    `INSERT INTO webhook_positions (project_id, webhook_id, cohort_id, change_id, change_offset, failures, failing_since, next_attempt_at)
     VALUES ($1, $2, 1, 0, 0, $3, $4, now() + $5::interval)`,
    [projectId, id, failures, isFailing ? new Date() : null, delay],
  );
  return `${projectId}:${id}`;
};

const count = (map: Map<string, number>, name: string, by: number) => map.set(name, (map.get(name) ?? 0) + by);

/** A delivery takes as long as `ms` says, and leaves the webhook due. */
const startWorker = (ms: (name: string) => number): void => {
  const deliver = async ({ projectId, id }: WebhookKey, _: unknown, signal: AbortSignal) => {
    const name = `${projectId}:${id}`;
    count(running, name, 1);
    if ((running.get(name) ?? 0) > 1) overlaps += 1;
    await sleep(ms(name), undefined, { signal }).catch(() => undefined);
    count(running, name, -1);
    count(ended, name, 1);
  };
  const own = newWorkers();
  // Other processes can send as well.
  const config = loadConfig({ DATABASE_URL: stores.databaseUrl.href });
  new WebhookWorker(own, config, postgres, { deliver } as unknown as Deliverer, silentLogger);
  workers.push(own);
  own.start();
};

const failure = () => JSON.stringify([[...running], [...ended]]);

describe('several workers', () => {
  it('never work on the same webhook at the same time, and share the work', async () => {
    const project = await insertProject(pool);
    const names = await Promise.all(Array.from({ length: 6 }, () => dueWebhook(project)));
    for (let n = 0; n < 3; n += 1) startWorker(() => 30);
    await until(() => names.every((name) => (ended.get(name) ?? 0) >= 4), { failure });
    expect(overlaps).toBe(0);
  });
});

describe('a worker', () => {
  it('does not wait for a time that only a clock can have set that has been set back since', async () => {
    const project = await insertProject(pool);
    const [waiting, failing] = [
      await dueWebhook(project, { in: '1 hour' }),
      await dueWebhook(project, { in: '1 hour', isFailing: true, failures: 9 }),
    ];
    startWorker(() => 10);
    await until(() => (ended.get(waiting) ?? 0) > 1, { failure });
    expect(ended.get(failing)).toBeUndefined();
  });

  const hanging = 60_000;

  it('keeps half of its permits for webhooks that do not fail', async () => {
    for (let project = 0; project < 4; project += 1) {
      const id = await insertProject(pool);
      for (let n = 0; n < 16; n += 1) await dueWebhook(id, { host: `${project}-${n}.example.com`, isFailing: true });
    }
    startWorker(() => hanging);
    await until(() => [...running.values()].length === webhookLimits.slow, { failure });
    await sleep(700);
    expect(running.size).toBe(webhookLimits.slow);
    const healthy = await dueWebhook(await insertProject(pool));
    await until(() => running.has(healthy), { failure });
  });

  it('works on few webhooks of one project and of one host at the same time', async () => {
    const [many, one] = [await insertProject(pool), await insertProject(pool)];
    for (let n = 0; n < 20; n += 1) await dueWebhook(many, { host: `${n}.example.com` });
    for (let n = 0; n < 12; n += 1) await dueWebhook(one, { host: 'same.example.com' });
    startWorker(() => hanging);
    const of = (project: number) => [...running.keys()].filter((name) => name.startsWith(`${project}:`)).length;
    await until(() => of(many) === webhookLimits.project && of(one) === webhookLimits.host, { failure });
    await sleep(700);
    expect([of(many), of(one)]).toEqual([webhookLimits.project, webhookLimits.host]);
  });

  it('leaves paused webhooks alone', async () => {
    const project = await insertProject(pool);
    const [paused, other] = [await dueWebhook(project), await dueWebhook(project)];
    await pool.query('UPDATE webhooks SET paused_at = now() WHERE id = $1', [paused.split(':')[1]]);
    startWorker(() => 5);
    await until(() => (ended.get(other) ?? 0) > 2, { failure });
    expect(ended.has(paused)).toBe(false);
  });
});

describe('the log of deliveries', () => {
  it('forgets what is older than 30 days, but no message that waits', async () => {
    const project = await insertProject(pool);
    const [, webhook] = (await dueWebhook(project)).split(':');
    const add = (days: number, status: string) =>
      pool.query(
        `INSERT INTO webhook_deliveries (project_id, webhook_id, id, from_change, from_offset, to_change, to_offset, read_limit,
           changes, status, attempts, created_at)
         VALUES ($1, $2, gen_random_uuid(), 0, 0, 1, 0, 1, $3::integer, $4, 1, now() - $3::integer * interval '1 day')`,
        [project, webhook, days, status],
      );
    await add(29, 'delivered');
    await add(31, 'delivered');
    await add(32, 'dropped');
    await add(33, 'waiting');
    await forgetOldDeliveries(postgres, new Date());
    const { rows } = await pool.query('SELECT changes FROM webhook_deliveries ORDER BY 1');
    expect(rows).toEqual([{ changes: 29 }, { changes: 33 }]);
  });
});

describe('new changes', () => {
  it('make due the cohorts that webhooks name, each from where the webhook had seen everything', async () => {
    const [project, other] = [await insertProject(pool), await insertProject(pool)];
    const webhook = async (cohorts: number[] | null, seen: number, paused = false) => {
      const { rows } = await pool.query<{ id: number }>(
        `INSERT INTO webhooks (project_id, url, secret, cohorts, kinds, batch_size, seen_change, paused_at, created_at)
         VALUES ($1, 'https://a.example.com/', 'whsec_', $2, '{entered}', 1, $3, $4, now()) RETURNING id`,
        [project, cohorts, seen, paused ? new Date() : null],
      );
      return rows[0]?.id ?? 0;
    };
    const ids: number[] = [];
    for (const [of, cohort] of [
      [project, 1],
      [project, 2],
      [other, 3],
      [project, 1],
    ] as const) {
      await pool.query(
        `INSERT INTO cohorts (project_id, id, name, description, groups, is_static, deleted, is_calculating, pending_version,
           attempted_version, errors_calculating, created_at, updated_at)
         VALUES ($1, $2, '', '', '[]', true, false, false, 0, 0, 0, now(), now()) ON CONFLICT DO NOTHING`,
        [of, cohort],
      );
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO cohort_changes (project_id, cohort_id, at, reason, entered, count, persons) VALUES ($1, $2, now(), 'added', true, 1, '\\x01')
         RETURNING id`,
        [of, cohort],
      );
      ids.push(Number(rows[0]?.id));
    }
    const [first = 0, second = 0, , last = 0] = ids;
    const all = await webhook(null, first);
    const one = await webhook([2], 0);
    await webhook(null, 0, true);
    const upToDate = await webhook(null, last);
    expect(await noteNewChanges(postgres, new Date())).toBe(2);
    expect(await noteNewChanges(postgres, new Date())).toBe(0);
    const { rows } = await pool.query(
      'SELECT webhook_id, cohort_id, change_id::integer FROM webhook_positions ORDER BY webhook_id, cohort_id',
    );
    expect(rows).toEqual([
      { webhook_id: all, cohort_id: 1, change_id: first },
      { webhook_id: all, cohort_id: 2, change_id: first },
      { webhook_id: one, cohort_id: 2, change_id: 0 },
    ]);
    const seen = await pool.query('SELECT id FROM webhooks WHERE seen_change = $1 ORDER BY id', [last]);
    expect(seen.rows).toEqual([{ id: all }, { id: one }, { id: upToDate }]);
    expect(second).toBeLessThan(last);
  });
});
