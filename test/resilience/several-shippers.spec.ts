import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  findRebuild,
  RebuildsRepository,
  requestRebuild,
} from '../../src/kernel/projection/rebuild/rebuilds.repository.js';
import { projectsIn, type Shipment } from '../../src/kernel/projection/shipping/shipment.js';
import { Shipper } from '../../src/kernel/projection/shipping/shipper.js';
import { LeaseLost } from '../../src/platform/postgres/lease.js';
import { Scene } from '../support/projection-scene.js';
import { startShipping } from '../support/workers.js';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
afterEach(async () => {
  await scene.pool.query('DELETE FROM leases');
  await scene.shipAll();
});

const now = () => new Date();

/** A shipper whose shipments end when the test lets them. */
const heldShipper = () => {
  let letGo: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const opened: Shipment[] = [];
  class Held extends Shipper {
    protected override async open(at: Date): Promise<Shipment | null> {
      const shipment = await super.open(at);
      if (shipment) opened.push(shipment);
      return shipment;
    }

    protected override async put(...given: Parameters<Shipper['put']>): Promise<void> {
      await super.put(...given);
      await held;
    }
  }
  return { ...scene.shipper(Held), opened, letGo: () => letGo?.() };
};

const untilOpened = async ({ opened }: { opened: readonly Shipment[] }): Promise<Shipment> => {
  for (let tries = 0; tries < 500 && opened.length === 0; tries += 1) await sleep(10);
  if (!opened[0]) throw new Error('No shipment was opened');
  return opened[0];
};

describe('several processes that ship', () => {
  let projects: number[];

  beforeEach(async () => {
    projects = [];
    for (let n = 0; n < 4; n += 1) projects.push(await scene.newProject());
  });

  const addToAll = async (): Promise<void> => {
    for (const project of projects) await scene.addEvents(project, [{}, {}]);
  };
  const counts = () => Promise.all(projects.map((project) => scene.eventCount(project)));

  it('take equal shares of the projects, those that wait longest first, and ship them at the same time', async () => {
    await addToAll();
    const [first, second] = [heldShipper(), heldShipper()];
    await first.lease.acquire();
    await second.lease.acquire();
    const shipping = [first.shipper.ship(now)];
    expect(projectsIn(await untilOpened(first))).toEqual(projects.slice(0, 2));
    shipping.push(second.shipper.ship(now));
    expect(projectsIn(await untilOpened(second))).toEqual(projects.slice(2));
    first.letGo();
    second.letGo();
    await Promise.all(shipping);
    expect(await scene.outboxSize()).toBe(0);
    expect(await counts()).toEqual([2, 2, 2, 2]);
    await first.lease.release();
    await second.lease.release();
  });

  it('leave what comes later to the process that ships the project', async () => {
    const [first, second] = [heldShipper(), scene.shipper()];
    await first.lease.acquire();
    await second.lease.acquire();
    await scene.addEvents(projects[0] as number, [{}]);
    const shipping = first.shipper.ship(now);
    await untilOpened(first);
    await scene.addEvents(projects[0] as number, [{}]);
    expect(await second.shipper.ship(now)).toBe(null);
    first.letGo();
    await shipping;
    expect(await second.shipper.ship(now)).not.toBe(null);
    expect(await counts()).toEqual([2, 0, 0, 0]);
    await first.lease.release();
    await second.lease.release();
  });

  it('take over the shipments that a dead one has started, under its number, and nothing of a living one', async () => {
    await addToAll();
    const [dead, living, third] = [heldShipper(), heldShipper(), scene.shipper()];
    for (const { lease } of [dead, living, third]) await lease.acquire();
    const died = dead.shipper.ship(now).catch((error: unknown) => error);
    const { number } = await untilOpened(dead);
    const lives = living.shipper.ship(now);
    await untilOpened(living);
    await scene.pool.query(`UPDATE leases SET expires_at = '2000-01-01' WHERE holder = $1`, [dead.lease.holder]);
    expect((await third.shipper.ship(now))?.number).toBe(number);
    dead.letGo();
    expect(await died).toBeInstanceOf(LeaseLost);
    const { rows } = await scene.pool.query('SELECT holder FROM shipments');
    expect(rows).toEqual([{ holder: living.lease.holder }]);
    living.letGo();
    await lives;
    while (await third.shipper.ship(now));
    expect(await counts()).toEqual([2, 2, 2, 2]);
    await living.lease.release();
    await third.lease.release();
  });

  it('begin nothing while a rebuild waits for the shipments that are under way', async () => {
    await addToAll();
    const [first, second] = [heldShipper(), scene.shipper()];
    await first.lease.acquire();
    await second.lease.acquire();
    const { number } = await requestRebuild(scene.pool, new Date());
    await scene.pool.query(`UPDATE projection_rebuilds SET phase = 'copying', outbox_ids = '{}' WHERE number = $1`, [
      number,
    ]);
    const shipping = first.shipper.ship(now);
    await untilOpened(first);
    await scene.pool.query(`UPDATE projection_rebuilds SET phase = 'draining' WHERE number = $1`, [number]);
    expect(await second.shipper.ship(now)).toBe(null);
    const log = new RebuildsRepository(scene.postgres, second.lease);
    expect(await log.swap(number)).toBe(false);
    first.letGo();
    await shipping;
    const { rows } = await scene.pool.query('SELECT project_id FROM outbox_replay ORDER BY id');
    expect(rows.map(({ project_id }: { project_id: number }) => project_id)).toEqual(projects.slice(0, 2));
    expect(await log.swap(number)).toBe(true);
    expect(await scene.outboxSize()).toBe(4);
    await scene.pool.query(`UPDATE projection_rebuilds SET phase = 'failed' WHERE number = $1`, [number]);
    await scene.pool.query(`DELETE FROM outbox WHERE kind = 'events'`);
    await first.lease.release();
    await second.lease.release();
  });

  it('deliver nothing while a rebuild exchanges the tables, not even what was parked and is tried again', async () => {
    await scene.addEvents(projects[0] as number, [{}]);
    const dead = heldShipper();
    await dead.lease.acquire();
    const died = dead.shipper.ship(now).catch((error: unknown) => error);
    const { number } = await untilOpened(dead);
    await dead.lease.release();
    dead.letGo();
    await scene.pool.query('UPDATE shipments SET holder = gen_random_uuid()');
    expect(await died).toBeInstanceOf(LeaseLost);
    const rebuild = await requestRebuild(scene.pool, new Date());
    const enter = (phase: string) =>
      scene.pool.query('UPDATE projection_rebuilds SET phase = $1 WHERE number = $2', [phase, rebuild.number]);
    const other = scene.shipper();
    await other.lease.acquire();
    await enter('swapping');
    expect(await other.shipper.ship(now)).toBe(null);
    await enter('draining');
    expect((await other.shipper.ship(now))?.number).toBe(number);
    await enter('failed');
    await scene.pool.query('DELETE FROM outbox_replay');
    expect(await counts()).toEqual([1, 0, 0, 0]);
    await other.lease.release();
  });

  it('ship each event once while the projection is rebuilt again and again and processes come and go', async () => {
    const start = () => startShipping(scene, { sole: false });
    const workers = [start(), start(), start()];
    const expected = new Map(projects.map((project) => [project, new Set<string>()]));
    let writing = true;
    const writers = projects.map(async (project) => {
      while (writing) {
        for (const uuid of await scene.addEvents(project, [{}, {}])) expected.get(project)?.add(uuid);
        await sleep(2);
      }
    });
    for (let round = 0; round < 3; round += 1) {
      const { number } = await requestRebuild(scene.pool, new Date());
      await workers.shift()?.stop();
      workers.push(start());
      for (let phase = ''; phase !== 'done'; await sleep(20)) {
        phase = (await findRebuild(scene.pool, number))?.phase ?? '';
        expect(phase).not.toBe('failed');
      }
    }
    writing = false;
    await Promise.all(writers);
    await scene.untilShipped(20_000);
    for (const worker of workers) await worker.stop();
    for (const [project, uuids] of expected) {
      expect(await scene.eventCount(project)).toBe(uuids.size);
      expect(new Set((await scene.actors(project)).keys())).toEqual(uuids);
    }
  });
});
