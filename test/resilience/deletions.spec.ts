import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { loadConfig } from '../../src/platform/config/config.js';
import {
  openRun,
  recordOccurrence,
  requestRun,
  runDeletions,
} from '../../src/deletions/job/deletion-runs.repository.js';
import { receiptsOf } from '../../src/deletions/job/deletion-requests.repository.js';
import { type RunnerParts } from '../../src/deletions/run-steps.js';
import { DeletionRunner } from '../../src/deletions/job/runner.js';
import { DeletionWorker, type DeletionWorkerParts } from '../../src/deletions/job/worker.js';
import { DeletionRecorder } from '../../src/kernel/deletions/deletion-recorder.js';
import { latestOccurrence } from '../../src/platform/time/schedule.js';
import { WorkEnded } from '../../src/platform/errors/work-ended.js';
import { type Worker } from '../../src/platform/work/worker.js';
import { Signal } from '../../src/platform/work/signal.js';
import { FreshnessGate } from '../../src/kernel/projection/freshness.js';
import { ClickHouseUnavailable } from '../../src/platform/clickhouse/errors.js';
import { sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { Lease } from '../../src/platform/postgres/lease.js';
import { deletePersonWithEvents } from '../support/deletions.js';
import { KilledService } from '../support/killed-service.js';
import { bootstrapFile, cli } from '../support/process.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { Scene, silentLogger } from '../support/projection-scene.js';
import { newWorkers, startShipping } from '../support/workers.js';

const kills = Number(process.env.KILLS ?? 2);
const schedule = '0 5 * * 0';
const deletionsIn = (pool: Pool) => new DeletionRecorder(loadConfig({}), new Postgres(pool));

describe('the job', () => {
  let scene: Scene;
  let projection: Worker;
  let gate: FreshnessGate;
  let projects: number[];
  const workers: Worker[] = [];

  beforeAll(async () => {
    scene = await Scene.open();
    const [work, shipped] = [new Signal(), new Signal()];
    gate = new FreshnessGate(scene.postgres, { work, shipped }, () => true, 20_000);
    projection = startShipping(scene, { work, waiting: () => gate.waiting, onShipped: () => shipped.notify() });
  });
  afterAll(async () => {
    await projection.stop();
    await scene.close();
  });
  beforeEach(async () => {
    projects = [await scene.newProject(), await scene.newProject()];
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await scene.pool.query(`UPDATE deletion_runs SET finished_at = $1 WHERE finished_at IS NULL`, [new Date()]);
  });

  const remove = (project: number, distinctId: string) =>
    deletePersonWithEvents(deletionsIn(scene.pool), scene.pool, project, distinctId);

  const parts = (more: Partial<DeletionWorkerParts> = {}): DeletionWorkerParts => ({
    postgres: scene.postgres,
    clickhouse: scene.clickhouse,
    logger: silentLogger,
    schedule,
    lease: new Lease(scene.pool, 'deletions', { ttlMs: 2000 }),
    isFresh: async (project) => (await gate.wait(project, new Date())).complete,
    onDeleted: () => undefined,
    onFailure: () => undefined,
    limits: { events: 10, distinctIds: 2, walked: 100 },
    ...more,
  });
  const worker = (more: Partial<DeletionWorkerParts> = {}) => {
    const { worker: made } = new DeletionWorker(newWorkers(), parts(more));
    workers.push(made);
    return made;
  };

  /** Events before and after the request, of the person that goes and of those that stay. */
  const populate = async (project: number) => {
    await scene.addPerson(project, ['a1', 'a2', 'a3', 'a4', 'a5']);
    await scene.addPerson(project, ['b1']);
    const some = (distinctId: string, number: number) => Array.from({ length: number }, () => ({ distinctId }));
    const go = await scene.addEvents(
      project,
      ['a1', 'a2', 'a3', 'a5'].flatMap((id, n) => some(id, 7 + 8 * n)),
    );
    const before = await scene.addEvents(project, some('b1', 9));
    const { request } = await remove(project, 'a3');
    const after = await scene.addEvents(project, [...some('a1', 5), ...some('a4', 3), ...some('b1', 2)]);
    return { project, request, go, stay: [...before, ...after].sort() };
  };
  type Scenery = Awaited<ReturnType<typeof populate>>;

  const inBothStores = async (project: number) => {
    const { rows } = await scene.pool.query<{ uuid: string }>('SELECT uuid FROM events WHERE project_id = $1', [
      project,
    ]);
    await gate.wait(project, new Date());
    return [rows.map(({ uuid }) => uuid).sort(), [...(await scene.actors(project)).keys()].sort()];
  };

  const expectDeleted = async (sceneries: readonly Scenery[]) => {
    for (const { project, request, go, stay } of sceneries) {
      expect(await inBothStores(project)).toEqual([stay, stay]);
      const receipt = (await receiptsOf(scene.pool, null, 1000)).find(({ id }) => id === request);
      expect(receipt).toMatchObject({ state: 'done', eventsDeleted: String(go.length), eventsLeft: '0', error: null });
    }
  };

  const attempt = async (more: Partial<RunnerParts>) => {
    const run = await openRun(scene.pool);
    if (!run) return 'nothing to do';
    const all = { ...parts(), isStopping: () => false, ...more };
    expect(await all.lease.acquire()).toBe(true);
    try {
      await new DeletionRunner(all, run).execute();
      return 'finished';
    } finally {
      await all.lease.release();
    }
  };

  it('ended at any step and begun again deletes what it must, once, and its receipts say so', async () => {
    for (let round = 0; round < 3; round += 1) {
      const sceneries = [await populate(projects[0] ?? 0), await populate(projects[1] ?? 0)];
      await requestRun(scene.pool, 'operator', new Date());
      let interruptions = 0;
      for (let outcome = ''; outcome !== 'finished';) {
        let steps = 1 + Math.floor(Math.random() * 6);
        outcome = await attempt({ isStopping: () => (steps -= 1) < 0 }).catch((error: unknown) => {
          if (!(error instanceof WorkEnded)) throw error;
          interruptions += 1;
          return 'stopped';
        });
        // As many steps as are sure to be enough, lest it never ends.
        if (interruptions > 12 && outcome === 'stopped') outcome = await attempt({});
      }
      expect(interruptions).toBeGreaterThan(0);
      await expectDeleted(sceneries);
      projects = [await scene.newProject(), await scene.newProject()];
    }
  });

  it('gives every project its turn: a large deletion does not hold up a small one', async () => {
    const [large = 0, small = 0] = projects;
    await scene.addEvents(
      large,
      Array.from({ length: 200 }, () => ({ distinctId: 'ada' })),
    );
    await scene.addEvents(small, [{ distinctId: 'ada' }]);
    await remove(large, 'ada');
    await remove(small, 'ada');
    await requestRun(scene.pool, 'operator', new Date());
    const count = async (project: number) =>
      (await scene.pool.query('SELECT 1 FROM events WHERE project_id = $1', [project])).rowCount ?? 0;
    let chunks = 0;
    const afterFour = { onDeleted: (events: number) => (chunks += Math.sign(events)), isStopping: () => chunks >= 4 };
    await expect(attempt(afterFour)).rejects.toThrow(WorkEnded);
    expect([await count(large), await count(small)]).toEqual([170, 0]);
    expect(await attempt({})).toBe('finished');
    expect([await count(large), await count(small)]).toEqual([0, 0]);
  });

  it('is done by one process when two want to', async () => {
    const sceneries = [await populate(projects[0] ?? 0), await populate(projects[1] ?? 0)];
    let deleted = 0;
    let [working, most] = [0, 0];
    for (let n = 0; n < 2; n += 1) {
      worker({
        onDeleted: (events) => (deleted += events),
        isFresh: async (project) => {
          working += 1;
          most = Math.max(most, working);
          await sleep(20);
          working -= 1;
          return (await gate.wait(project, new Date())).complete;
        },
      }).start();
    }
    await runDeletions(scene.pool, new Date());
    await expectDeleted(sceneries);
    expect([deleted, most]).toEqual([sceneries.reduce((sum, { go }) => sum + go.length, 0), 1]);
  });

  it('does nothing any more once another process has its lease', async () => {
    const { project } = await populate(projects[0] ?? 0);
    await requestRun(scene.pool, 'operator', new Date());
    const lease = new Lease(scene.pool, 'deletions');
    const before = (await inBothStores(project))[0];
    const usurp = async () => {
      await scene.pool.query('UPDATE leases SET holder = $1 WHERE name = $2', [randomUUID(), 'deletions']);
      return true;
    };
    await lease.acquire();
    await usurp();
    const run = await openRun(scene.pool);
    if (!run) throw new Error('there is a run');
    const runner = new DeletionRunner({ ...parts({ lease }), isStopping: () => false }, run);
    await expect(runner.execute()).rejects.toThrow(/belongs to another process/);
    expect((await inBothStores(project))[0]).toEqual(before);
    await scene.pool.query('DELETE FROM leases WHERE name = $1', ['deletions']);
  });

  it('catches up at the start on the moment it has missed, and does not take what was requested since', async () => {
    const now = new Date();
    const missed = latestOccurrence(schedule, now) ?? now;
    await recordOccurrence(scene.pool, new Date(missed.getTime() - 7 * 24 * 60 * 60_000), now);
    await scene.pool.query('DELETE FROM deletion_runs WHERE scheduled_for = $1', [missed]);
    const [due = 0, later = 0] = projects;
    const old = new Date(missed.getTime() - 60_000);
    await scene.addEvents(due, [{ distinctId: 'ada' }], new Date(old.getTime() - 1000));
    await scene.addEvents(later, [{ distinctId: 'ada' }]);
    await deletePersonWithEvents(deletionsIn(scene.pool), scene.pool, due, 'ada', old);
    await remove(later, 'ada');
    worker().start();
    const states = async () =>
      new Map((await receiptsOf(scene.pool, null, 1000)).map(({ projectId, state }) => [projectId, state]));
    for (let n = 0; n < 300 && (await states()).get(due) !== 'done'; n += 1) await sleep(100);
    const seen = await states();
    expect([seen.get(due), seen.get(later)]).toEqual(['done', 'pending']);
    expect((await inBothStores(due))[0]).toEqual([]);
    expect((await inBothStores(later))[0]?.length).toBe(1);
  });

  it('goes on after ClickHouse was away, and says meanwhile what is wrong', async () => {
    const scenery = await populate(projects[0] ?? 0);
    let away = true;
    let failures = 0;
    const clickhouse = new Proxy(scene.clickhouse, {
      get: (target, name) =>
        away && name === 'query'
          ? () => Promise.reject(new ClickHouseUnavailable('ClickHouse is away'))
          : (Reflect.get(target, name, target) as unknown),
    });
    worker({ clickhouse, onFailure: () => (failures += 1) }).start();
    const done = runDeletions(scene.pool, new Date());
    const error = async () =>
      (await receiptsOf(scene.pool, null, 1000)).find(({ id }) => id === scenery.request)?.error;
    for (let n = 0; n < 300 && failures === 0; n += 1) await sleep(100);
    expect(await error()).toMatch(/ClickHouse is away/);
    away = false;
    await done;
    await expectDeleted([scenery]);
  });

  it('removes what only ClickHouse has', async () => {
    const scenery = await populate(projects[0] ?? 0);
    await scene.clickhouse.insert('events', [
      {
        project_id: scenery.project,
        uuid: randomUUID(),
        event: 'stray',
        distinct_id: 'a2',
        actor: '1',
        timestamp: '2026-01-01 00:00:00.000',
        received_at: '2026-01-01 00:00:00.000',
        properties: {},
        version: '1',
      },
    ]);
    await requestRun(scene.pool, 'operator', new Date());
    expect(await attempt({})).toBe('finished');
    await expectDeleted([scenery]);
  });
});

describe(`${kills} kills of the service while it deletes`, () => {
  const perBatch = 500;
  const batches = 24;
  let service: KilledService;

  beforeAll(async () => {
    service = await KilledService.start();
  });
  afterAll(() => service.remove());

  const capture = async (token: string, distinctId: (n: number) => string): Promise<string[]> => {
    const batch = Array.from({ length: perBatch }, (_, n) => ({
      event: 'seen',
      uuid: randomUUID(),
      distinct_id: distinctId(n),
      properties: { n },
    }));
    const body = JSON.stringify({ api_key: token, batch });
    const answer = await fetch(`${service.url}/batch/`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    return batch.map(({ uuid }) => uuid);
  };

  it('leave both stores without the deleted and with everything else, and a receipt that is right', async () => {
    const { project_id: project, project_token: token } = await bootstrapFile(service.dataDir);
    const go: string[] = [];
    const stay: string[] = [];
    for (let n = 0; n < batches; n += 1) go.push(...(await capture(token, (at) => `goes-${at % 5}`)));
    stay.push(...(await capture(token, (at) => `stays-${at % 5}`)));
    const requests: string[] = [];
    await service.withPool(async (pool) => {
      for (let n = 0; n < 5; n += 1) {
        requests.push((await deletePersonWithEvents(deletionsIn(pool), pool, project, `goes-${n}`)).request);
      }
      await requestRun(pool, 'operator', new Date());
    });
    stay.push(...(await capture(token, (at) => `goes-${at % 5}`)));
    let interrupted = 0;
    for (let n = 0; n < kills; n += 1) {
      await sleep(100 + Math.random() * 700);
      if (await service.withPool((pool) => openRun(pool))) interrupted += 1;
      await service.kill();
    }
    expect(interrupted).toBeGreaterThan(0);
    // Beside the running service, which alone can hold ClickHouse.
    const { code, stderr } = await cli(service.env, 'deletions', 'run', '--json');
    expect([code, stderr]).toEqual([0, '']);
    const listed = await cli(service.env, 'deletions', 'list', '--json');
    const receipts = JSON.parse(listed.stdout) as Record<string, unknown>[];
    for (const id of requests) {
      expect(receipts.find((receipt) => receipt.id === id)).toMatchObject({
        state: 'done',
        events_deleted: go.length / 5,
        events_left: 0,
        error: null,
      });
    }
    expect((await service.terminate()).code).toBe(0);
    const scene = await Scene.at(service.env, () => Promise.resolve());
    try {
      await scene.shipAll();
      const { rows } = await scene.pool.query<{ uuid: string }>('SELECT uuid FROM events WHERE project_id = $1', [
        project,
      ]);
      const deleted = new Set(go);
      const kept = new Set(rows.map(({ uuid }) => uuid));
      const seen = await scene.clickhouse.query<{ id: string }>(
        sql`SELECT toString(uuid) AS id FROM events WHERE project_id = ${unsigned(project)}`,
        { project: 'system' },
      );
      const projected = seen.map(({ id }) => id);
      expect({
        undead: [...kept].filter((uuid) => deleted.has(uuid)).length,
        undeadInClickHouse: projected.filter((uuid) => deleted.has(uuid)).length,
        lost: stay.filter((uuid) => !kept.has(uuid)).length,
        lostInClickHouse: stay.filter((uuid) => !projected.includes(uuid)).length,
        doubled: projected.length - new Set(projected).size,
      }).toEqual({ undead: 0, undeadInClickHouse: 0, lost: 0, lostInClickHouse: 0, doubled: 0 });
    } finally {
      await scene.close();
    }
  }, 600_000);
});
