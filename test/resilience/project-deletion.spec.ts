import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, type PoolClient } from 'pg';
import { Signal } from '../../src/platform/work/signal.js';
import { WorkEnded } from '../../src/platform/errors/work-ended.js';
import { isOfDeletedProject } from '../../src/platform/errors/store-errors.js';
import { type EraserParts, ProjectEraser } from '../../src/deletions/projects/project-eraser.js';
import { requestRebuild } from '../../src/kernel/projection/rebuild/rebuilds.repository.js';
import { openProjectDeletions } from '../../src/kernel/projects/project-deletions.repository.js';
import { requestProjectDeletion } from '../../src/projects/deletion/project-deletions.js';
import { sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { Lease } from '../../src/platform/postgres/lease.js';
import { KilledService } from '../support/killed-service.js';
import { bootstrapFile, cli } from '../support/process.js';
import { addEvents, newProject, Scene, silentLogger } from '../support/projection-scene.js';
import { startShipping } from '../support/workers.js';

const kills = Number(process.env.KILLS ?? 2);
const byOperator = () => ({ userId: null, requestId: null, now: new Date() });

describe('the removal of a deleted project', () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await Scene.open();
  });
  afterAll(() => scene.close());
  afterEach(async () => {
    await scene.pool.query('UPDATE project_deletions SET settled_at = now() WHERE settled_at IS NULL');
    await scene.pool.query(`UPDATE projection_rebuilds SET phase = 'failed' WHERE phase <> 'done'`);
  });

  const request = async (project: number) => {
    const { rows } = await scene.pool.query<{ name: string }>('SELECT name FROM projects WHERE id = $1', [project]);
    return requestProjectDeletion(scene.postgres, project, rows[0]?.name ?? '', byOperator());
  };

  /** One attempt to remove everything; `stopAfter` is the number of steps after which the process ends. */
  const attempt = async (id: string, more: Partial<EraserParts> = {}, stopAfter = Infinity) => {
    const deletion = (await openProjectDeletions(scene.postgres, new Date())).find((open) => open.id === id);
    if (!deletion) throw new Error('the deletion has no work to do');
    const lease = new Lease(scene.postgres, 'project deletions');
    if (!(await lease.acquire())) throw new Error('the lease is taken');
    let steps = 0;
    const { postgres, clickhouse } = scene;
    const parts = {
      postgres,
      clickhouse,
      lease,
      logger: silentLogger,
      rowsAtOnce: 10,
      isStopping: () => (steps += 1) > stopAfter,
    };
    try {
      await new ProjectEraser({ ...parts, ...more }, deletion).execute();
      return 'ended';
    } catch (error) {
      if (error instanceof WorkEnded) return 'stopped';
      throw error;
    } finally {
      await lease.release();
    }
  };

  const receipt = async (id: string) =>
    (await scene.pool.query<Record<string, unknown>>('SELECT * FROM project_deletions WHERE id = $1', [id])).rows[0];

  const rowsIn = async (table: string, project: number) =>
    (await scene.pool.query(`SELECT 1 FROM ${table} WHERE project_id = $1`, [project])).rowCount;

  it('may end after any step, and the receipt counts each row once', async () => {
    const [project, other] = [await scene.newProject(), await scene.newProject()];
    const some = (count: number) => Array.from({ length: count }, (_, n) => ({ distinctId: `id ${n % 7}` }));
    for (const each of [project, other]) await scene.addPerson(each, ['id 0', 'id 1']);
    await scene.addEvents(project, some(45));
    await scene.addEvents(other, some(5));
    // More rows with one key than one piece has.
    for (const each of [project, other])
      await scene.pool.query(
        `INSERT INTO definitions (project_id, kind, name, description, hidden, updated_at)
         SELECT $1, 'event', 'name ' || n, '', false, now() FROM generate_series(1, 25) AS n`,
        [each],
      );
    await scene.shipAll();
    const id = await request(project);
    let stops = 0;
    while ((await attempt(id, {}, 1 + stops)) === 'stopped') stops += 1;
    expect(stops).toBeGreaterThan(3);
    expect(await receipt(id)).toMatchObject({
      state: 'completed',
      removed_from_postgresql: { definitions: 25, events: 45, persons: 1, person_distinct_ids: 2 },
      removed_from_clickhouse: { events: 45, persons: 1 },
      error: null,
    });
    expect([await scene.eventCount(project), await scene.eventCount(other)]).toEqual([0, 5]);
    const kept = ['events', 'persons', 'definitions'].map((table) => rowsIn(table, other));
    expect(await Promise.all(kept)).toEqual([5, 1, 25]);
    expect((await scene.pool.query('SELECT 1 FROM projects WHERE id = $1', [project])).rowCount).toBe(0);
  });

  it('waits for a write that began before, and a later write fails', async () => {
    const project = await scene.newProject();
    const [written, commit] = [new Signal(), new Signal()];
    const early = scene.write(async (client) => {
      await client.query(`INSERT INTO events SELECT $1, gen_random_uuid(), 'e', 'ada', now(), now(), '{}'`, [project]);
      await scene.tell(client, project, { kind: 'distinct_ids', refs: ['ada'] });
      written.notify();
      await commit.waitForNext(10_000, 0);
    });
    await written.waitForNext(10_000, 0);
    const id = await request(project);
    const late = scene.write((client) => scene.tell(client, project, { kind: 'distinct_ids', refs: ['bob'] }));
    expect(await late.catch((error: unknown) => isOfDeletedProject(error))).toBe(true);
    let hasEnded = false;
    const removed = attempt(id).finally(() => (hasEnded = true));
    removed.catch(() => undefined);
    await sleep(300);
    expect(hasEnded).toBe(false);
    commit.notify();
    await early;
    expect(await removed).toBe('ended');
    expect(await receipt(id)).toMatchObject({ removed_from_postgresql: { events: 1 } });
    expect(await rowsIn('events', project)).toBe(0);
  });

  it('leaves the rows of a shipment under way to it, so that the other projects in it lose nothing', async () => {
    const [project, other] = [await scene.newProject(), await scene.newProject()];
    for (const each of [project, other]) await scene.addEvents(each, [{}, {}, {}]);
    const first = scene.shipper();
    await first.lease.acquire();
    // Recorded, and not delivered: the process ends here.
    await (first.shipper as unknown as { open(now: Date): Promise<unknown> }).open(new Date());
    await first.lease.release();
    await scene.addEvents(project, [{}]);
    const id = await request(project);
    await expect(attempt(id, { shippedWithinMs: 200 })).rejects.toThrow('a shipment to ClickHouse');
    expect(await rowsIn('outbox', project)).toBe(1);
    await scene.shipAll();
    expect(await attempt(id)).toBe('ended');
    expect([await scene.eventCount(project), await scene.eventCount(other)]).toEqual([0, 3]);
  });

  it('empties ClickHouse only when no rebuild can copy the project there', async () => {
    const project = await scene.newProject();
    await scene.addEvents(project, [{}]);
    await scene.shipAll();
    await requestRebuild(scene.postgres, new Date());
    await scene.pool.query(`UPDATE projection_rebuilds SET phase = 'copying' WHERE phase = 'requested'`);
    const id = await request(project);
    await expect(attempt(id, { shippedWithinMs: 200 })).rejects.toThrow('the projection is being rebuilt');
    expect(await scene.eventCount(project)).toBe(1);
    await scene.pool.query(`UPDATE projection_rebuilds SET phase = 'failed'`);
    expect(await attempt(id)).toBe('ended');
    expect(await scene.eventCount(project)).toBe(0);
  });

  it('goes on while the projection ships other projects', async () => {
    const [project, other] = [await scene.newProject(), await scene.newProject()];
    const projection = startShipping(scene);
    try {
      const uuids: string[] = [];
      for (let n = 0; n < 20; n += 1) {
        await scene.addEvents(project, [{}, {}, {}]);
        uuids.push(...(await scene.addEvents(other, [{}])));
      }
      const id = await request(project);
      const removed = attempt(id, { rowsAtOnce: 3 });
      removed.catch(() => undefined);
      for (let n = 0; n < 20; n += 1) uuids.push(...(await scene.addEvents(other, [{}])));
      expect(await removed).toBe('ended');
      while ((await rowsIn('outbox', other)) !== 0) await sleep(20);
      expect([await scene.eventCount(project), await scene.eventCount(other)]).toEqual([0, uuids.length]);
    } finally {
      await projection.stop();
    }
  });
});

/** Locks a row, so that the removal cannot get past it: a fast machine would have completed it before the first kill. */
const lockSomeEvent = async (pool: Pool, project: number): Promise<PoolClient> => {
  const client = await pool.connect();
  client.on('error', () => undefined);
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM events WHERE project_id = $1 ORDER BY random() LIMIT 1 FOR UPDATE', [project]);
  return client;
};

const isHeldUp = async (pool: Pool): Promise<boolean> =>
  (await pool.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%chosen%'`)).rows
    .length > 0;

describe(`${kills} kills of the service while it removes a deleted project`, () => {
  let service: KilledService;

  beforeAll(async () => {
    service = await KilledService.start();
  });
  afterAll(() => service.remove());

  const deletion = () =>
    service.withPool(
      async (pool) =>
        (
          await pool.query<{ state: string; rows: object; error: string | null }>(
            'SELECT state, removed_from_postgresql AS rows, error FROM project_deletions',
          )
        ).rows[0],
    );

  it('leave nothing of it in either store, and everything of another project', async () => {
    const { project_id: other } = await bootstrapFile(service.dataDir);
    const perBatch = 500;
    const batches = 40;
    const events = Array.from({ length: perBatch }, (_, n) => ({ distinctId: `id ${n % 50}` }));
    const project = await service.withPool(async (pool) => {
      const made = await newProject(pool);
      for (let n = 0; n < batches; n += 1) await addEvents(pool, made, events);
      await addEvents(pool, other, events);
      await pool.query(`UPDATE projects SET name = 'Big' WHERE id = $1`, [made]);
      return made;
    });
    const refused = await cli(service.env, 'project', 'delete', String(project), '--name', 'big', '--json');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--name must be the name of project')]);
    await service.withPool(async (pool) => {
      const lock = await lockSomeEvent(pool, project);
      const requested = await cli(service.env, 'project', 'delete', String(project), '--name', 'Big', '--json');
      expect([requested.code, JSON.parse(requested.stdout)]).toEqual([
        0,
        expect.objectContaining({ project, name: 'Big' }),
      ]);
      while (!(await isHeldUp(pool))) await sleep(20);
      await service.kill();
      lock.release(true);
    });
    for (let n = 1; n < kills; n += 1) {
      await sleep(100 + Math.random() * 500);
      await service.kill();
    }
    while ((await deletion())?.state !== 'completed') await sleep(200);
    expect(await deletion()).toEqual({
      state: 'completed',
      rows: expect.objectContaining({ events: batches * perBatch }),
      error: null,
    });
    const listed = await cli(service.env, 'project', 'deletions', '--json');
    expect(JSON.parse(listed.stdout)).toEqual([expect.objectContaining({ project, state: 'completed', error: null })]);
    expect((await service.terminate()).code).toBe(0);
    const scene = await Scene.at(service.env, () => Promise.resolve());
    try {
      await scene.shipAll();
      const counts = [project, other].map(async (id) => {
        const { rowCount } = await scene.pool.query('SELECT 1 FROM events WHERE project_id = $1', [id]);
        const [counted] = await scene.clickhouse.query<{ n: number }>(
          sql`SELECT count() AS n FROM events WHERE project_id = ${unsigned(id)}`,
          { project: 'system' },
        );
        return [rowCount, counted?.n];
      });
      expect(await Promise.all(counts)).toEqual([
        [0, 0],
        [perBatch, perBatch],
      ]);
    } finally {
      await scene.close();
    }
  }, 600_000);
});
