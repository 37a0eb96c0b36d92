import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FreshnessGate } from '../../src/kernel/projection/freshness.js';
import { retryParked } from '../../src/kernel/projection/shipping/parked-shipments.js';
import { projectionStatus } from '../../src/kernel/projection/status.js';
import { Signal } from '../../src/platform/work/signal.js';
import { Scene } from '../support/projection-scene.js';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Ships until nothing more can be shipped, and returns how many attempts have failed. */
const shipWhatCanBe = async (): Promise<number> => {
  const { shipper, lease } = scene.shipper();
  await lease.acquire();
  let failures = 0;
  for (let attempt = 0, empty = 0; attempt < 30 && empty < 2; attempt += 1) {
    const shipped = await shipper.ship(() => new Date()).catch(() => 'failed' as const);
    if (shipped === 'failed') failures += 1;
    empty = shipped === null ? empty + 1 : 0;
  }
  await lease.release();
  return failures;
};

const parked = async () => (await projectionStatus(scene.postgres)).parked;

describe('a shipment that fails again and again for its own reason', () => {
  it('is parked with its project, while the other projects go on, and arrives once when it is tried again', async () => {
    const [ill, well, other] = [await scene.newProject(), await scene.newProject(), await scene.newProject()];
    for (const project of [well, ill, other]) await scene.addEvents(project, [{}, {}]);
    // Not the id of a person: PostgreSQL refuses to look it up, after the events of the shipment were inserted.
    await scene.write((client) => scene.tell(client, ill, { kind: 'redirects', refs: ['nobody'] }));

    // Four repetitions of all together, and four of the part of the ill project.
    expect(await shipWhatCanBe()).toBe(8);
    expect([await scene.eventCount(well), await scene.eventCount(other)]).toEqual([2, 2]);
    expect(await parked()).toEqual([
      {
        number: expect.stringMatching(/^\d+$/),
        projectId: ill,
        since: expect.any(Date),
        failures: 5,
        error: expect.stringContaining('nobody'),
        keys: 3,
      },
    ]);

    await scene.addEvents(well, [{}]);
    const [written] = [new Date(Date.now() - 60_000), await scene.addEvents(ill, [{}])];
    expect(await shipWhatCanBe()).toBe(0);
    expect(await scene.eventCount(well)).toBe(3);
    const { waitingKeys, openShipment } = await projectionStatus(scene.postgres);
    expect({ waitingKeys, openShipment }).toEqual({ waitingKeys: 4, openShipment: null });

    const signals = { work: new Signal(), shipped: new Signal() };
    const gate = new FreshnessGate(scene.postgres, signals, () => false, 5_000);
    const requested = performance.now();
    const { asOf, complete } = await gate.wait(ill, new Date());
    expect(complete).toBe(false);
    expect(asOf.getTime()).toBeGreaterThan(written.getTime());
    expect(performance.now() - requested).toBeLessThan(1_000);

    expect(await retryParked(scene.postgres, well)).toEqual([]);
    await scene.pool.query(`UPDATE outbox SET refs = '["1"]' WHERE project_id = $1 AND kind = 'redirects'`, [ill]);
    expect(await retryParked(scene.postgres, ill)).toHaveLength(1);
    expect(await shipWhatCanBe()).toBe(0);
    const counts = await Promise.all([ill, well, other].map((project) => scene.eventCount(project)));
    expect(counts).toEqual([3, 3, 2]);
    expect([await parked(), await scene.outboxSize()]).toEqual([[], 0]);
  });

  it('is parked again when nothing has changed', async () => {
    const project = await scene.newProject();
    await scene.write((client) => scene.tell(client, project, { kind: 'redirects', refs: ['nobody'] }));
    expect(await shipWhatCanBe()).toBe(4);
    expect(await retryParked(scene.postgres, null)).toHaveLength(1);
    expect(await shipWhatCanBe()).toBe(4);
    expect(await parked()).toMatchObject([{ projectId: project, failures: 5 }]);
    await scene.pool.query('DELETE FROM outbox WHERE project_id = $1', [project]);
    await retryParked(scene.postgres, null);
    await shipWhatCanBe();
    expect(await parked()).toEqual([]);
  });
});
