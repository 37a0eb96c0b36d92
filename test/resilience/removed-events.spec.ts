import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type ShipmentsRepository } from '../../src/kernel/projection/shipping/shipments.repository.js';
import { Shipper } from '../../src/kernel/projection/shipping/shipper.js';
import { Scene } from '../support/projection-scene.js';

let scene: Scene;
let project: number;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  project = await scene.newProject();
});

const remove = (uuid: string) =>
  scene.write(async (client) => {
    await client.query('DELETE FROM events WHERE project_id = $1 AND uuid = $2', [project, uuid]);
    await scene.tell(client, project, { kind: 'removed_events', refs: [uuid] });
  });

const reported = (uuid: string) => scene.addEvents(project, [{ uuid }]);

class Interrupted extends Shipper {
  protected override complete(): ReturnType<ShipmentsRepository['complete']> {
    return Promise.reject(new Error('killed before the shipment was crossed off'));
  }
}

describe('an event that is removed from the log', () => {
  it('is gone from ClickHouse', async () => {
    const uuid = randomUUID();
    await reported(uuid);
    await scene.shipAll();
    await remove(uuid);
    await scene.shipAll();
    expect([await scene.eventCount(project), await scene.outboxSize()]).toEqual([0, 0]);
  });

  it('never gets there when it is removed before it was shipped', async () => {
    const uuid = randomUUID();
    await reported(uuid);
    await remove(uuid);
    await scene.shipAll();
    expect(await scene.eventCount(project)).toBe(0);
  });

  it.each([0, 1, 2, 3])('and sent again is there once, shipped after step %i or only at the end', async (shipAfter) => {
    const uuid = randomUUID();
    const steps = [
      () => reported(uuid),
      () => remove(uuid),
      () => reported(uuid),
      () => remove(uuid),
      () => reported(uuid),
    ];
    for (const [at, step] of steps.entries()) {
      await step();
      if (at === shipAfter) await scene.shipAll();
    }
    await scene.shipAll();
    expect(await scene.eventCount(project)).toBe(1);
  });

  it('and sent again is there once when the shipment of both is repeated', async () => {
    const uuid = randomUUID();
    await reported(uuid);
    await scene.shipAll();
    await remove(uuid);
    await reported(uuid);
    const { shipper, lease } = scene.shipper(Interrupted);
    await lease.acquire();
    await expect(shipper.ship(() => new Date())).rejects.toThrow(/killed/);
    await lease.release();
    await scene.shipAll();
    expect(await scene.eventCount(project)).toBe(1);
  });
});
