import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { profilelessActor } from '../../src/kernel/projection/actors.sql.js';
import { type Shipment } from '../../src/kernel/projection/shipping/shipment.js';
import { Shipper } from '../../src/kernel/projection/shipping/shipper.js';
import { LeaseLost } from '../../src/platform/postgres/lease.js';
import { sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { addEvents, newProject, Scene } from '../support/projection-scene.js';
import { freshStores } from '../support/fresh-stores.js';
import { eventsCargo } from '../../src/kernel/projection/cargo/events.cargo.js';
import { RecentEvents } from '../../src/kernel/projection/cargo/recent-events.js';
import { startShippingProcess, transpileSources } from './projection.fixture.js';

const kills = Number(process.env.KILLS ?? 3);

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
  await scene.shipAll();
});

class Killed extends Error {}

/** Ends at one of its steps, as a process does that is killed there. */
const dyingAt = (step: 'after open' | 'before put' | 'after put' | 'before complete', at = 1): typeof Shipper =>
  class extends Shipper {
    private puts = 0;

    protected override async open(now: Date): Promise<Shipment | null> {
      const shipment = await super.open(now);
      if (step === 'after open') throw new Killed();
      return shipment;
    }

    protected override async put(...given: Parameters<Shipper['put']>): Promise<void> {
      this.puts += 1;
      if (step === 'before put' && this.puts === at) throw new Killed();
      await super.put(...given);
      if (step === 'after put' && this.puts === at) throw new Killed();
    }

    protected override complete(shipment: Shipment, now: Date): Promise<void> {
      if (step === 'before complete') throw new Killed();
      return super.complete(shipment, now);
    }
  };

const moreThanOneChunk = Array.from({ length: 24 }, (_, n) => ({
  distinctId: `d${n % 7}`,
  properties: { text: 'x'.repeat(400_000) + n },
}));

describe('a shipper that is killed', () => {
  it.each([
    ['after open', 1],
    ['before put', 1],
    ['after put', 1],
    ['before put', 2],
    ['after put', 2],
    ['after put', 3],
    ['before complete', 1],
  ] as const)('%s (%i) leaves every event in ClickHouse exactly once', async (step, at) => {
    await scene.addPerson(project, ['d1'], { plan: 'pro' });
    const uuids = await scene.addEvents(project, moreThanOneChunk);
    const dying = scene.shipper(dyingAt(step, at));
    await expect(dying.shipAll()).rejects.toThrow(Killed);
    // Changes after the keys between two attempts must not move the borders of the chunks.
    await scene.pool.query(`UPDATE events SET properties = '{}' WHERE project_id = $1 AND distinct_id < 'd4'`, [
      project,
    ]);
    await scene.shipAll();
    expect(await scene.outboxSize()).toBe(0);
    expect(await scene.eventCount(project)).toBe(uuids.length);
    expect(new Set((await scene.actors(project)).keys())).toEqual(new Set(uuids));
  });

  it('before it is done for the tenth time has still shipped each event once', async () => {
    const uuids = await scene.addEvents(project, [{}, {}, {}]);
    for (let n = 0; n < 10; n += 1) {
      await expect(scene.shipper(dyingAt('before complete')).shipAll()).rejects.toThrow(Killed);
    }
    await scene.shipAll();
    expect(await scene.eventCount(project)).toBe(uuids.length);
  });
});

describe('two shippers at once', () => {
  it('ship each event once while events keep arriving', async () => {
    const expected = new Set<string>();
    const end = Date.now() + 1500;
    const writing = (async () => {
      while (Date.now() < end) {
        for (const uuid of await scene.addEvents(project, [{}, {}])) expected.add(uuid);
        await sleep(5);
      }
    })();
    const shipping = [0, 1, 2].map(async () => {
      while (Date.now() < end) {
        await scene.shipAll();
        await sleep(Math.random() * 10);
      }
    });
    await Promise.all([writing, ...shipping]);
    await scene.shipAll();
    expect(await scene.eventCount(project)).toBe(expected.size);
    expect(new Set((await scene.actors(project)).keys())).toEqual(expected);
  });

  it('of which one slept through its lease do not undo or double what the other did', async () => {
    let woken: (() => void) | undefined;
    const asleep = new Promise<void>((resolve) => (woken = resolve));
    class Sleeping extends Shipper {
      protected override async put(...given: Parameters<Shipper['put']>): Promise<void> {
        await super.put(...given);
        await asleep;
      }
    }
    const uuids = await scene.addEvents(project, [{}, {}]);
    const sleeper = scene.shipper(Sleeping, 300);
    expect(await sleeper.lease.acquire()).toBe(true);
    const slept = sleeper.shipper.ship(() => new Date()).catch((error: unknown) => error);
    await scene.pool.query(`UPDATE leases SET holder = gen_random_uuid(), expires_at = '2000-01-01'`);
    const later = await scene.addEvents(project, [{}]);
    await scene.shipAll();
    woken?.();
    expect(await slept).toBeInstanceOf(LeaseLost);
    expect(await scene.eventCount(project)).toBe(uuids.length + later.length);
    expect(await scene.outboxSize()).toBe(0);
  });
});

describe('the actor of an event', () => {
  const actorOf = async (uuid: string | undefined) => (await scene.actors(project)).get(uuid ?? '');

  it('is the person its distinct id belonged to when it was shipped', async () => {
    const person = await scene.addPerson(project, ['ada']);
    const [uuid] = await scene.addEvents(project, [{ distinctId: 'ada' }]);
    await scene.shipAll();
    expect(await actorOf(uuid)).toBe(person);
  });

  it('follows a merge, for past events too, and a second one', async () => {
    const [first, second] = [await scene.addPerson(project, ['anonymous']), await scene.addPerson(project, ['ada'])];
    const uuids = await scene.addEvents(project, [{ distinctId: 'anonymous' }, { distinctId: 'ada' }]);
    await scene.shipAll();
    await scene.giveDistinctIds(project, ['anonymous'], second);
    await scene.shipAll();
    expect([await actorOf(uuids[0]), await actorOf(uuids[1])]).toEqual([second, second]);
    await scene.giveDistinctIds(project, ['anonymous'], first);
    const [after] = await scene.addEvents(project, [{ distinctId: 'anonymous' }]);
    await scene.shipAll();
    expect([await actorOf(uuids[0]), await actorOf(after)]).toEqual([first, first]);
  });

  it('is below zero without a person, and the person as soon as there is one', async () => {
    const [uuid] = await scene.addEvents(project, [{ distinctId: 'guest' }]);
    await scene.shipAll();
    const nobody = profilelessActor(project, 'guest');
    expect(BigInt(nobody)).toBeLessThan(0n);
    expect(await actorOf(uuid)).toBe(nobody);
    const person = await scene.addPerson(project, []);
    await scene.giveDistinctIds(project, ['guest'], person);
    await scene.shipAll();
    expect(await actorOf(uuid)).toBe(person);
  });

  it('is nobody again after the person is deleted, and what a later event says stays what it was', async () => {
    const person = await scene.addPerson(project, ['ada']);
    const [past] = await scene.addEvents(project, [{ distinctId: 'ada' }]);
    await scene.shipAll();
    await scene.deletePerson(project, person);
    await scene.shipAll();
    expect(await actorOf(past)).toBe(profilelessActor(project, 'ada'));
    const next = await scene.addPerson(project, ['ada']);
    const [later] = await scene.addEvents(project, [{ distinctId: 'ada' }]);
    await scene.shipAll();
    expect([await actorOf(past), await actorOf(later)]).toEqual([profilelessActor(project, 'ada'), next]);
  });

  it('of one project is not touched by a merge of the same distinct id in another', async () => {
    const other = await scene.newProject();
    const [mine, theirs] = [await scene.addPerson(project, ['ada']), await scene.addPerson(other, ['bob'])];
    const [uuid] = await scene.addEvents(project, [{ distinctId: 'ada' }]);
    await scene.giveDistinctIds(other, ['ada'], theirs);
    await scene.shipAll();
    expect(await actorOf(uuid)).toBe(mine);
  });
});

describe('a person', () => {
  const persons = () =>
    scene.clickhouse.query<{ id: number; plan: string | null }>(
      sql`SELECT id, getSubcolumn(properties, 'plan')::Nullable(String) AS plan
        FROM persons FINAL WHERE project_id = ${unsigned(project)} ORDER BY id`,
      { project: 'system' },
    );

  it('is in ClickHouse as Postgres has it, and gone when it is deleted', async () => {
    const id = await scene.addPerson(project, ['ada'], { plan: 'free' });
    await scene.shipAll();
    expect(await persons()).toEqual([{ id: Number(id), plan: 'free' }]);
    await scene.write(async (client) => {
      await client.query(`UPDATE persons SET properties = '{"plan":"pro"}' WHERE project_id = $1`, [project]);
      await scene.tell(client, project, { kind: 'persons', refs: [id] });
    });
    await scene.shipAll();
    expect(await persons()).toEqual([{ id: Number(id), plan: 'pro' }]);
    await scene.deletePerson(project, id);
    await scene.shipAll();
    expect(await persons()).toEqual([]);
  });
});

describe('an event that Postgres has no longer', () => {
  it('is removed by telling the outbox its key', async () => {
    const [gone, kept] = await scene.addEvents(project, [{}, {}]);
    await scene.shipAll();
    await scene.write(async (client) => {
      await client.query('DELETE FROM events WHERE project_id = $1 AND uuid = $2', [project, gone]);
      await scene.tell(client, project, { kind: 'events', refs: [gone ?? ''] });
    });
    await scene.shipAll();
    expect([...(await scene.actors(project)).keys()]).toEqual([kept]);
  });
});

describe('fairness', () => {
  it('ships a small project in the first shipment beside a backlog of another', async () => {
    const small = await scene.newProject();
    const backlog = Array.from({ length: 5000 }, () => ({}));
    for (let n = 0; n < 6; n += 1) await scene.addEvents(project, backlog);
    await scene.addEvents(small, [{}, {}]);
    const { shipper, lease } = scene.shipper();
    await scene.pool.query('DELETE FROM leases');
    expect(await lease.acquire()).toBe(true);
    const shipped = await shipper.ship(() => new Date());
    expect(shipped?.rows.get('events')).toBeLessThanOrEqual(25_000);
    expect(await scene.eventCount(small)).toBe(2);
    expect(await scene.outboxSize()).toBeGreaterThan(0);
    await lease.release();
  });

  it('looks up the events of a project that came after the last count of rows by their key', async () => {
    await scene.addEvents(
      project,
      Array.from({ length: 3000 }, () => ({})),
    );
    await scene.pool.query('ANALYZE events');
    const later = await scene.newProject();
    for (let n = 0; n < 4; n += 1)
      await scene.addEvents(
        later,
        Array.from({ length: 5000 }, () => ({})),
      );
    const { rows } = await scene.pool.query<{ uuid: string }>('SELECT uuid FROM events WHERE project_id = $1', [later]);
    const uuids = rows.map(({ uuid }) => uuid);
    const started = performance.now();
    const sizes = await eventsCargo(new RecentEvents()).sizes?.(scene.pool, later, uuids);
    expect(sizes).toHaveLength(20_000);
    // Each key reading the whole project takes a minute.
    expect(performance.now() - started).toBeLessThan(5000);
    await scene.shipAll();
  });
});

describe('kill -9', () => {
  it(`of the process that ships, ${kills} times at any moment, loses and doubles nothing`, async () => {
    const fresh = await freshStores();
    const sources = await mkdtemp(join(tmpdir(), 'kohort-shipping-'));
    await transpileSources(sources);
    const pool = new Pool({ connectionString: fresh.databaseUrl.href });
    const expected: string[] = [];
    for (let n = 0; n < kills; n += 1) {
      const shipping = await startShippingProcess(sources, fresh.env);
      const mine = n === 0 ? await newProject(pool) : 1;
      const end = Date.now() + 100 + Math.random() * 400;
      while (Date.now() < end) {
        const events = Array.from({ length: 300 }, (_, at) => ({ distinctId: `d${at}`, properties: { at } }));
        expected.push(...(await addEvents(pool, mine, events)));
      }
      await shipping.kill();
    }
    await pool.end();
    // Only one process can have the folder, and now it is this one; the stores of the other tests have to go first.
    await scene.close();
    scene = await Scene.at(fresh.env, async () => {
      await fresh.remove();
      await rm(sources, { recursive: true, force: true });
    });
    await scene.pool.query('DELETE FROM leases');
    await scene.shipAll();
    expect(await scene.eventCount(1)).toBe(expected.length);
    expect(new Set((await scene.actors(1)).keys())).toEqual(new Set(expected));
  });
});
