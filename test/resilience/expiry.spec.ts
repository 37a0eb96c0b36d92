import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Signal } from '../../src/platform/work/signal.js';
import { expiryReceipts } from '../../src/deletions/expiry/expiry-receipts.js';
import { openRun, requestRun } from '../../src/deletions/job/deletion-runs.repository.js';
import { type RunnerParts } from '../../src/deletions/run-steps.js';
import { DeletionRunner } from '../../src/deletions/job/runner.js';
import { WorkEnded } from '../../src/platform/errors/work-ended.js';
import { type Worker } from '../../src/platform/work/worker.js';
import { FreshnessGate } from '../../src/kernel/projection/freshness.js';
import { sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { Lease } from '../../src/platform/postgres/lease.js';
import { KilledService } from '../support/killed-service.js';
import { bootstrapFile, cli } from '../support/process.js';
import { addEvents, Scene, silentLogger } from '../support/projection-scene.js';
import { rebuildAlone, startShipping } from '../support/workers.js';

const kills = Number(process.env.KILLS ?? 2);
const dayMs = 24 * 60 * 60_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs);

describe('the removal of expired events', () => {
  let scene: Scene;
  let projection: Worker;
  let gate: FreshnessGate;
  let projects: number[];

  const startProjection = () => {
    const [work, shipped] = [new Signal(), new Signal()];
    gate = new FreshnessGate(scene.postgres, { work, shipped }, () => true, 20_000);
    projection = startShipping(scene, { work, waiting: () => gate.waiting, onShipped: () => shipped.notify() });
  };

  beforeAll(async () => {
    scene = await Scene.open();
    startProjection();
  });
  afterAll(async () => {
    await projection.stop();
    await scene.close();
  });
  beforeEach(async () => {
    projects = [await scene.newProject(), await scene.newProject(), await scene.newProject()];
  });
  afterEach(async () => {
    await scene.pool.query(`UPDATE deletion_runs SET finished_at = $1 WHERE finished_at IS NULL`, [new Date()]);
    await scene.pool.query(`UPDATE projects SET events_ttl_days = NULL, events_ttl_days_by_name = '{}'`);
  });

  const keep = (project: number, days: number | null, byName: object = {}) =>
    scene.pool.query('UPDATE projects SET events_ttl_days = $2, events_ttl_days_by_name = $3 WHERE id = $1', [
      project,
      days,
      JSON.stringify(byName),
    ]);

  const some = (event: string, ages: readonly number[]) =>
    ages.map((age, at) => ({ event, timestamp: ago(age), distinctId: `id ${at % 4}` }));
  const times = (number: number, age: number) => Array.from({ length: number }, () => age);

  const attempt = async (more: Partial<RunnerParts> = {}) => {
    const run = await openRun(scene.pool);
    if (!run) return 'nothing to do';
    const all: RunnerParts = {
      postgres: scene.postgres,
      clickhouse: scene.clickhouse,
      logger: silentLogger,
      lease: new Lease(scene.pool, 'deletions', { ttlMs: 2000 }),
      isFresh: async (project) => (await gate.wait(project, new Date())).complete,
      isStopping: () => false,
      onDeleted: () => undefined,
      limits: { events: 5, distinctIds: 2, walked: 7 },
      ...more,
    };
    expect(await all.lease.acquire()).toBe(true);
    try {
      await new DeletionRunner(all, run).execute();
      return 'finished';
    } finally {
      await all.lease.release();
    }
  };
  const request = () => requestRun(scene.pool, 'operator', new Date());

  const inBothStores = async (project: number) => {
    const { rows } = await scene.pool.query<{ uuid: string }>('SELECT uuid FROM events WHERE project_id = $1', [
      project,
    ]);
    await gate.wait(project, new Date());
    return [rows.map(({ uuid }) => uuid).sort(), [...(await scene.actors(project)).keys()].sort()];
  };
  const receiptsOf = (project: number) => expiryReceipts(scene.pool, project, { limit: 100, offset: 0 });

  it('ended at any step and begun again removes what it must, once, and its receipts say so', async () => {
    for (let round = 0; round < 3; round += 1) {
      const sceneries: { project: number; stay: string[] }[] = [];
      for (const project of projects.slice(0, 2)) {
        await scene.addEvents(project, some('viewed', times(23, 31)), ago(31));
        await scene.addEvents(project, some('paid', times(6, 401)), ago(100));
        const old = await scene.addEvents(project, some('kept', times(9, 500)), ago(100));
        const young = await scene.addEvents(project, some('viewed', times(12, 29)), ago(20));
        await keep(project, 30, { paid: 400, kept: null });
        sceneries.push({ project, stay: [...old, ...young].sort() });
      }
      const foreign = await scene.addEvents(projects[2] ?? 0, some('viewed', times(5, 500)), ago(100));
      await request();
      let [interruptions, outcome] = [0, ''];
      while (outcome !== 'finished') {
        let steps = 1 + Math.floor(Math.random() * 12);
        // As many steps as are sure to be enough, lest it never ends.
        if (interruptions > 12) steps = Infinity;
        outcome = await attempt({ isStopping: () => (steps -= 1) < 0 }).catch((error: unknown) => {
          if (!(error instanceof WorkEnded)) throw error;
          interruptions += 1;
          return 'stopped';
        });
      }
      expect(interruptions).toBeGreaterThan(0);
      for (const { project, stay } of sceneries) {
        expect(await inBothStores(project)).toEqual([stay, stay]);
        expect(await receiptsOf(project)).toEqual([
          expect.objectContaining({
            state: 'done',
            eventsDeleted: '29',
            eventsLeft: '0',
            error: null,
            events: [
              { event: 'viewed', count: 23 },
              { event: 'paid', count: 6 },
            ],
          }),
        ]);
        const { rows } = await scene.pool.query('SELECT 1 FROM activity_log WHERE project_id = $1', [project]);
        expect(rows.length).toBe(1);
      }
      expect(await inBothStores(projects[2] ?? 0)).toEqual([[...foreign].sort(), [...foreign].sort()]);
      expect(await receiptsOf(projects[2] ?? 0)).toEqual([]);
      const progress = await scene.pool.query('SELECT 1 FROM expiry_runs WHERE swept_until IS NOT NULL');
      expect(progress.rowCount).toBe(0);
      for (const project of projects) await keep(project, null);
      projects = [await scene.newProject(), await scene.newProject(), await scene.newProject()];
    }
  });

  it('gives every project its turn: a large removal does not hold up a small one', async () => {
    const [large = 0, small = 0] = projects;
    await scene.addEvents(large, some('viewed', times(200, 50)), ago(50));
    await scene.addEvents(small, some('viewed', [50]), ago(50));
    for (const project of [large, small]) await keep(project, 30);
    await request();
    const count = async (project: number) =>
      (await scene.pool.query('SELECT 1 FROM events WHERE project_id = $1', [project])).rowCount ?? 0;
    let chunks = 0;
    const afterFour = { onExpired: (events: number) => (chunks += Math.sign(events)), isStopping: () => chunks >= 4 };
    await expect(attempt(afterFour)).rejects.toThrow(WorkEnded);
    expect([await count(large), await count(small)]).toEqual([185, 0]);
    expect(await attempt({})).toBe('finished');
    expect([await count(large), await count(small)]).toEqual([0, 0]);
  });

  it('stops once the settings are changed, and the next run follows the new ones', async () => {
    const [project = 0] = projects;
    await scene.addEvents(project, some('viewed', times(40, 50)), ago(50));
    await keep(project, 30);
    await request();
    let removed = 0;
    const count = (events: number) => (removed += events);
    await attempt({ onExpired: count, isStopping: () => removed >= 15 }).catch(() => undefined);
    await keep(project, 60);
    expect(await attempt({})).toBe('finished');
    expect((await inBothStores(project)).map(({ length }) => length)).toEqual([25, 25]);
    expect(await receiptsOf(project)).toEqual([
      expect.objectContaining({
        state: 'stopped',
        ttlDays: 30,
        eventsDeleted: '15',
        eventsLeft: null,
        verifiedAt: null,
        error: expect.stringMatching(/settings were changed/),
      }),
    ]);
    await keep(project, 40);
    await request();
    expect(await attempt({})).toBe('finished');
    expect((await receiptsOf(project))[0]).toMatchObject({ state: 'done', ttlDays: 40, eventsDeleted: '25' });
  });

  it('removes what only ClickHouse has, and does not lose an event of which it has an older form', async () => {
    const [project = 0] = projects;
    const [young = ''] = await scene.addEvents(project, some('viewed', [3]), ago(3));
    await gate.wait(project, new Date());
    const stray = {
      project_id: project,
      event: 'viewed',
      distinct_id: 'id 0',
      actor: '1',
      properties: {},
      version: '1',
    };
    const old = { timestamp: '2020-01-01 00:00:00.000', received_at: '2020-01-01 00:00:00.000' };
    await scene.clickhouse.insert('events', [
      { ...stray, ...old, uuid: randomUUID() },
      { ...stray, ...old, uuid: young },
    ]);
    await keep(project, 30);
    await request();
    expect(await attempt({})).toBe('finished');
    expect(await inBothStores(project)).toEqual([[young], [young]]);
    expect(await scene.eventCount(project)).toBe(1);
    expect((await receiptsOf(project))[0]).toMatchObject({ state: 'done', eventsDeleted: '0', eventsLeft: '0' });
  });

  it('is not undone by a rebuild of the projection', async () => {
    const [project = 0] = projects;
    await scene.addEvents(project, some('viewed', times(10, 50)), ago(50));
    const stay = await scene.addEvents(project, some('viewed', [3, 4]), ago(3));
    await keep(project, 30);
    await request();
    expect(await attempt({})).toBe('finished');
    await projection.stop();
    await rebuildAlone(scene);
    startProjection();
    expect(await inBothStores(project)).toEqual([[...stay].sort(), [...stay].sort()]);
  });
});

describe(`${kills} kills of the service while it removes expired events`, () => {
  const perBatch = 500;
  let service: KilledService;

  beforeAll(async () => {
    service = await KilledService.start();
  });
  afterAll(() => service.remove());

  it('leave both stores without the expired and with everything else, and a receipt that is right', async () => {
    const { project_id: project } = await bootstrapFile(service.dataDir);
    const events = (event: string, age: number) =>
      Array.from({ length: perBatch }, (_, n) => ({ event, distinctId: `id ${n % 50}`, timestamp: ago(age) }));
    const stay: string[] = [];
    await service.withPool(async (pool) => {
      for (let n = 0; n < 24; n += 1) await addEvents(pool, project, events('viewed', 40 + n), ago(40));
      stay.push(...(await addEvents(pool, project, events('viewed', 20), ago(20))));
      stay.push(...(await addEvents(pool, project, events('kept', 400), ago(40))));
      stay.push(...(await addEvents(pool, project, events('viewed', 400), new Date())));
      await pool.query(`UPDATE projects SET events_ttl_days = 30, events_ttl_days_by_name = '{"kept": null}'`);
      await requestRun(pool, 'operator', new Date());
    });
    let interrupted = 0;
    for (let n = 0; n < kills; n += 1) {
      await sleep(100 + Math.random() * 700);
      if (await service.withPool((pool) => openRun(pool))) interrupted += 1;
      await service.kill();
    }
    expect(interrupted).toBeGreaterThan(0);
    const { code, stderr } = await cli(service.env, 'deletions', 'run', '--json');
    expect([code, stderr]).toEqual([0, '']);
    const listed = await cli(service.env, 'retention', 'list', '--json');
    const receipts = JSON.parse(listed.stdout) as { events_deleted: number }[];
    // The operator's second run begins a removal of its own, unless it has taken up the first.
    expect(receipts.reduce((sum, { events_deleted }) => sum + events_deleted, 0)).toBe(24 * perBatch);
    for (const receipt of receipts) expect(receipt).toMatchObject({ state: 'done', events_left: 0, error: null });
    expect((await service.terminate()).code).toBe(0);
    const scene = await Scene.at(service.env, () => Promise.resolve());
    try {
      await scene.shipAll();
      const { rows } = await scene.pool.query<{ uuid: string }>('SELECT uuid FROM events WHERE project_id = $1', [
        project,
      ]);
      const seen = await scene.clickhouse.query<{ id: string }>(
        sql`SELECT toString(uuid) AS id FROM events WHERE project_id = ${unsigned(project)}`,
        { project: 'system' },
      );
      stay.sort();
      expect(rows.map(({ uuid }) => uuid).sort()).toEqual(stay);
      expect(seen.map(({ id }) => id).sort()).toEqual(stay);
    } finally {
      await scene.close();
    }
  }, 600_000);
});
