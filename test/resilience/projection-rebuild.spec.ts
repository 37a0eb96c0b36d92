import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Loader } from '../../src/kernel/projection/shipping/loader.js';
import { Workers } from '../../src/platform/work/workers.js';
import { rebuildProjection } from '../../src/kernel/projection/rebuild/follow.js';
import { giveUpRebuilds } from '../../src/kernel/projection/identity/recorded-identity.js';
import { requestRebuild, findRebuild, type Rebuild } from '../../src/kernel/projection/rebuild/rebuilds.repository.js';
import { Rebuilder } from '../../src/kernel/projection/rebuild/rebuilder.js';
import { ShadowTables } from '../../src/kernel/projection/rebuild/shadow-tables.js';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { Projection } from '../../src/kernel/projection/projection.js';
import { type ClickHouse } from '../../src/platform/clickhouse/client.js';
import { sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { type Lease } from '../../src/platform/postgres/lease.js';
import { Scene, silentLogger } from '../support/projection-scene.js';
import { rebuildAlone } from '../support/workers.js';
import { applyIdentity } from '../../src/kernel/identity/apply-identity.js';
import { members } from '../support/identity-database.js';
import { merging } from '../support/identity-events.js';

let scene: Scene;
let project: number;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  project = await scene.newProject();
});
afterEach(async () => {
  await scene.pool.query('DELETE FROM leases');
});

const persons = async () =>
  scene.clickhouse.query<{ id: number; plan: string | null }>(
    sql`SELECT id, getSubcolumn(properties, 'plan')::Nullable(String) AS plan
      FROM persons FINAL WHERE project_id = ${unsigned(project)} ORDER BY id`,
    { project: 'system' },
  );

/** Persons, merges, a split, a deletion, personless events: what overrides and tombstones are made of. */
const populate = async (): Promise<{ uuids: string[]; persons: string[] }> => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push(await scene.addPerson(project, [`d${n}`, `e${n}`], { plan: `p${n}` }));
  const uuids = await scene.addEvents(
    project,
    Array.from({ length: 300 }, (_, n) => ({
      distinctId: `${n % 2 ? 'd' : 'guest'}${n % 8}`,
      properties: { n, list: [n] },
      timestamp: new Date(Date.UTC(1950 + n, 0, 1)),
    })),
  );
  await scene.shipAll();
  await scene.giveDistinctIds(project, ['d1', 'guest2'], ids[0] ?? '');
  await scene.deletePerson(project, ids[3] ?? '');
  // As a merge by hand does: without an event, and also by an id that had no person.
  const byHand = ['d4', 'guest6'].map((other) => merging('merge_dangerously', 'd2', other));
  await scene.postgres.transaction((client) =>
    applyIdentity(client, project, byHand, new Date(), { members, inLog: false }),
  );
  await scene.shipAll();
  return { uuids, persons: ids };
};

const shadowTables = () =>
  scene.clickhouse.query(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE '%rebuild%'`,
    { project: 'system' },
  );

const rebuilderFor = (clickhouse: ClickHouse, lease: Lease, onCopied: () => void = () => undefined) =>
  new Rebuilder({
    postgres: scene.postgres,
    clickhouse,
    lease,
    loader: new Loader(clickhouse, silentLogger),
    logger: silentLogger,
    onCopied,
  });

/** Goes on with a rebuild as the worker does, until it is over. */
const finish = async (rebuilder: Rebuilder, number: string): Promise<Rebuild | null> => {
  for (;;) {
    await rebuilder.advance(new Date());
    const rebuild = await findRebuild(scene.pool, number);
    if (rebuild?.phase === 'done' || rebuild?.phase === 'failed') return rebuild;
    await sleep(5);
  }
};

describe('a rebuild', () => {
  it('shows what the live projection shows: the same events with the same actors, the same persons', async () => {
    const { uuids } = await populate();
    const [before, personsBefore] = [await scene.actors(project), await persons()];
    expect(before.size).toBe(uuids.length);
    const phases = new Set<string>();
    const done = await rebuildAlone(scene, ({ phase }) => phases.add(phase));
    expect(await scene.actors(project)).toEqual(before);
    expect(await persons()).toEqual(personsBefore);
    expect(done).toMatchObject({
      phase: 'done',
      attempt: 1,
      eventsDone: done.eventsTotal,
      personsDone: done.personsTotal,
    });
    expect(done.eventsTotal).toBeGreaterThanOrEqual(uuids.length);
    const overrides = await scene.clickhouse.query(sql`SELECT * FROM distinct_id_overrides`, { project: 'system' });
    expect([overrides, await shadowTables()]).toEqual([[], []]);
  });

  it('brings back what ClickHouse has lost, and drops what it should not have', async () => {
    const { uuids } = await populate();
    const expected = await scene.actors(project);
    await scene.clickhouse.command(sql`TRUNCATE TABLE events`);
    await scene.clickhouse.insert('events', [{ project_id: project, event: 'made up', actor: '1', version: '1' }]);
    await rebuildAlone(scene);
    expect(await scene.actors(project)).toEqual(expected);
    expect(expected.size).toBe(uuids.length);
  });

  it('beside the running service loses and doubles nothing that arrives meanwhile, and questions stay fresh', async () => {
    const { uuids, persons: ids } = await populate();
    const expected = new Set(uuids);
    const config = loadConfig({ NODE_ENV: 'test', ...scene.env });
    const workers = new Workers(config, silentLogger);
    const projection = new Projection(workers, config, scene.postgres, scene.clickhouse, silentLogger, new Metrics());
    workers.start();
    let running = true;
    const writer = (async () => {
      for (let n = 0; running; n += 1) {
        for (const uuid of await scene.addEvents(project, [{ distinctId: `d${n % 5}` }])) expected.add(uuid);
        if (n % 10 === 0) await scene.giveDistinctIds(project, [`guest${n % 8}`], ids[n % 3] ?? '');
        await sleep(2);
      }
    })();
    const questions = (async () => {
      while (running) {
        const had = expected.size;
        expect((await projection.waitUntilFresh(project, new Date())).complete).toBe(true);
        expect(await scene.eventCount(project)).toBeGreaterThanOrEqual(had);
        await sleep(20);
      }
    })();
    try {
      for (let n = 0; n < 3; n += 1) await rebuildProjection(scene.postgres, new Date());
      running = false;
      await Promise.all([writer, questions]);
      await scene.untilShipped();
    } finally {
      running = false;
      await workers.stop();
    }
    expect(await scene.eventCount(project)).toBe(expected.size);
    const live = await scene.actors(project);
    expect(new Set(live.keys())).toEqual(expected);
    const { rows } = await scene.pool.query<{ uuid: string; person_id: string }>(
      `SELECT e.uuid, d.person_id FROM events e JOIN person_distinct_ids d USING (project_id, distinct_id) WHERE project_id = $1`,
      [project],
    );
    for (const { uuid, person_id } of rows) expect([uuid, live.get(uuid)]).toEqual([uuid, person_id]);
  });

  it('contains what waited in the outbox, which then is not shipped a second time, and not what came after', async () => {
    const waiting = await scene.addEvents(project, [{}, {}]);
    const { number } = await requestRebuild(scene.pool, new Date());
    const { lease } = scene.shipper();
    await lease.acquire();
    const rebuilder = rebuilderFor(scene.clickhouse, lease);
    await rebuilder.advance(new Date());
    const after = await scene.addEvents(project, [{}]);
    await finish(rebuilder, number);
    await lease.release();
    expect(new Set((await scene.actors(project)).keys())).toEqual(new Set(waiting));
    await scene.shipAll();
    expect(await scene.eventCount(project)).toBe(waiting.length + after.length);
  });

  it('makes tables that are what migrations have made', async () => {
    // Members and redirects name persons by ids that no rebuild changes, so they stay as they are.
    const columns = (of: 'live' | 'new') =>
      scene.clickhouse.query(
        sql`SELECT replaceOne(table, '_rebuild_0_0', '') AS of, name, type, is_in_primary_key FROM system.columns
          WHERE database = currentDatabase()
            AND replaceRegexpOne(table, '_local$', '') NOT IN ('schema_migrations', 'cohort_members', 'person_redirects')
            AND ${of === 'new' ? sql`table LIKE '%rebuild%'` : sql`table NOT LIKE '%rebuild%'`} ORDER BY of, position`,
        { project: 'system' },
      );
    const live = await columns('live');
    await new ShadowTables(scene.clickhouse, { number: '0', attempt: 0 }).create();
    expect(await columns('new')).toEqual(live);
    const { lease } = scene.shipper();
    await rebuilderFor(scene.clickhouse, lease).tidy();
    expect(await shadowTables()).toEqual([]);
  });
});

/** ClickHouse up to a certain command, as a process sees it that ends there. */
class Ended extends Error {}
const endingAt = (nth: number, kind: RegExp): ClickHouse => {
  let seen = 0;
  return new Proxy(scene.clickhouse, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        const text = name === 'command' ? (given[0] as { pieces: unknown[] }).pieces.join('') : String(name);
        if (kind.test(text) && (seen += 1) > nth) return Promise.reject(new Ended());
        return (member as (...all: unknown[]) => unknown).apply(target, given);
      };
    },
  });
};

describe('a rebuild whose process ends', () => {
  it.each([0, 1, 2])(
    'in the middle of the exchange, after %i tables, is finished by the next before it ships',
    async (nth) => {
      await populate();
      const expected = await scene.actors(project);
      const { number } = await requestRebuild(scene.pool, new Date());
      const dying = scene.shipper();
      await dying.lease.acquire();
      const rebuilder = rebuilderFor(endingAt(nth, /EXCHANGE|RENAME/), dying.lease);
      await expect(finish(rebuilder, number)).rejects.toThrow(Ended);
      await dying.lease.release();
      expect((await findRebuild(scene.pool, number))?.phase).toBe('swapping');
      const late = await scene.addEvents(project, [{ distinctId: 'd0' }]);
      const next = scene.shipper();
      await next.lease.acquire();
      expect((await finish(rebuilderFor(scene.clickhouse, next.lease), number))?.phase).toBe('done');
      await next.lease.release();
      await scene.shipAll();
      const live = await scene.actors(project);
      for (const uuid of late) expect(live.delete(uuid)).toBe(true);
      expect(live).toEqual(expected);
      expect(await scene.eventCount(project)).toBe(expected.size + late.length);
      expect(await shadowTables()).toEqual([]);
    },
  );

  it('while copying begins again, and is given up when that keeps happening', async () => {
    const { uuids } = await populate();
    const { number } = await requestRebuild(scene.pool, new Date());
    for (let n = 0; n < 3; n += 1) {
      const dying = scene.shipper();
      await dying.lease.acquire();
      const rebuilder = rebuilderFor(scene.clickhouse, dying.lease);
      while (!rebuilder.hasCopy) await rebuilder.advance(new Date());
      await scene.pool.query('DELETE FROM leases');
      // The process is gone for good; its copy must end before the next test, though.
      await rebuilder.stop();
      await scene.pool.query(`UPDATE projection_rebuilds SET phase = 'copying' WHERE number = $1`, [number]);
    }
    const last = scene.shipper();
    await last.lease.acquire();
    const rebuild = await finish(rebuilderFor(scene.clickhouse, last.lease), number);
    expect(rebuild).toMatchObject({ phase: 'failed', error: expect.stringContaining('3 times') });
    await last.lease.release();
    expect(await scene.eventCount(project)).toBe(uuids.length);
  });

  it('by request, in a clean stop, is asked for again by itself', async () => {
    await populate();
    const { number } = await requestRebuild(scene.pool, new Date());
    const first = scene.shipper();
    await first.lease.acquire();
    const rebuilder = rebuilderFor(scene.clickhouse, first.lease);
    await rebuilder.advance(new Date());
    await rebuilder.stop();
    await first.lease.release();
    expect((await findRebuild(scene.pool, number))?.phase).toBe('requested');
    expect(await rebuildAlone(scene)).toMatchObject({ number, phase: 'done', attempt: 2 });
  });

  it('or whose tables are lost with their database, is given up, and another one is made', async () => {
    const { uuids } = await populate();
    const { number } = await requestRebuild(scene.pool, new Date());
    const { lease } = scene.shipper();
    await lease.acquire();
    const rebuilder = rebuilderFor(scene.clickhouse, lease);
    await rebuilder.advance(new Date());
    await scene.write((client) => giveUpRebuilds(client, new Date()));
    const next = await requestRebuild(scene.pool, new Date());
    expect(await finish(rebuilder, next.number)).toMatchObject({ phase: 'done' });
    expect(await findRebuild(scene.pool, number)).toMatchObject({ phase: 'failed' });
    await lease.release();
    expect(await scene.eventCount(project)).toBe(uuids.length);
    expect(await shadowTables()).toEqual([]);
  });

  it('or fails for good says why, and the old tables stay', async () => {
    const { uuids } = await populate();
    const { number } = await requestRebuild(scene.pool, new Date());
    const { lease } = scene.shipper();
    await lease.acquire();
    const failing = rebuilderFor(endingAt(0, /^insert$/), lease);
    const rebuild = await finish(failing, number);
    expect(rebuild?.phase).toBe('failed');
    await lease.release();
    expect(await scene.eventCount(project)).toBe(uuids.length);
    expect([await shadowTables(), (await scene.pool.query('SELECT 1 FROM outbox_replay')).rows]).toEqual([[], []]);
  });
});
