import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Scene, silentLogger } from '../../support/projection-scene.js';
import { isOfDeletedProject } from '../../../src/platform/errors/store-errors.js';
import { Signal } from '../../../src/platform/work/signal.js';
import { citusTopology } from '../../../src/platform/postgres/citus/citus-topology.js';
import { holdCollecting } from '../../../src/platform/postgres/lease.js';
import { topology, useTopology } from '../../../src/platform/postgres/topology.js';
import { FreshnessGate } from '../../../src/kernel/projection/freshness.js';
import { findRebuild, requestRebuild } from '../../../src/kernel/projection/rebuild/rebuilds.repository.js';
import { Rebuilder } from '../../../src/kernel/projection/rebuild/rebuilder.js';
import { Loader } from '../../../src/kernel/projection/shipping/loader.js';
import { collectOutbox } from '../../../src/kernel/projection/outbox/outbox.js';

let scene: Scene;
let project: number;
const usual = topology();

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly refs: readonly string[];
}

beforeAll(async () => {
  scene = await Scene.open();
  // The statements are the same on a PostgreSQL without nodes.
  useTopology(citusTopology);
});
afterAll(async () => {
  useTopology(usual);
  await scene.close();
});
beforeEach(async () => {
  project = await scene.newProject();
});

const rowsOf = async (table: 'outbox' | 'node_outbox'): Promise<Row[]> => {
  const { rows } = await scene.pool.query<Row>(
    `SELECT id, kind, refs FROM ${table} WHERE project_id = $1 ORDER BY id`,
    [project],
  );
  return rows;
};
const arrivals = async (): Promise<string[]> => {
  const { rows } = await scene.pool.query<{ uuid: string }>(
    'SELECT unnest(uuids) AS uuid FROM arrivals WHERE project_id = $1 ORDER BY xid, id',
    [project],
  );
  return rows.map(({ uuid }) => uuid);
};
const tell = (ref: string): Promise<void> =>
  scene.write((client) => scene.tell(client, project, { kind: 'persons', refs: [ref] }));

describe('the outbox on Citus', () => {
  it('gets what was committed on the nodes when it is collected, under the same ids', async () => {
    const [fresh, known] = [randomUUID(), randomUUID()];
    await scene.write(async (client) => {
      await scene.tell(client, project, { kind: 'events', refs: [fresh], isArrival: true });
      await scene.tell(client, project, { kind: 'events', refs: [known] });
      await scene.tell(client, project, { kind: 'persons', refs: ['7'] });
    });
    const waiting = await rowsOf('node_outbox');
    expect(waiting.map(({ kind, refs }) => [kind, refs])).toEqual([
      ['events', [fresh]],
      ['events', [known]],
      ['persons', ['7']],
    ]);
    expect([await rowsOf('outbox'), await arrivals()]).toEqual([[], []]);
    await collectOutbox(scene.postgres);
    expect(await rowsOf('outbox')).toEqual(waiting);
    expect([await rowsOf('node_outbox'), await arrivals()]).toEqual([[], [fresh]]);
  });

  it('gets each row once, however many processes collect', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, at) => tell(String(at))));
    await Promise.all(Array.from({ length: 6 }, () => collectOutbox(scene.postgres)));
    expect(new Set((await rowsOf('outbox')).map(({ refs }) => refs[0])).size).toBe(60);
    expect([(await rowsOf('outbox')).length, await rowsOf('node_outbox')]).toEqual([60, []]);
  });

  it('gets a long list in pieces', async () => {
    await scene.pool.query(
      `INSERT INTO node_outbox (project_id, kind, refs, size, created_at, is_arrival)
       SELECT $1, 'persons', jsonb_build_array(n::text), 1, now(), false FROM generate_series(1, 12001) AS n`,
      [project],
    );
    await collectOutbox(scene.postgres);
    expect([(await rowsOf('outbox')).length, await rowsOf('node_outbox')]).toEqual([12_001, []]);
  });

  it('gets nothing while a rebuild takes its snapshot', async () => {
    await tell('1');
    let collecting: Promise<void> = Promise.resolve();
    await scene.write(async (client) => {
      await holdCollecting(client);
      collecting = collectOutbox(scene.postgres);
      await sleep(200);
      expect((await rowsOf('outbox')).length).toBe(0);
    });
    await collecting;
    expect((await rowsOf('outbox')).length).toBe(1);
  });

  it('is waited for by a question together with what is on the nodes', async () => {
    const signals = { work: new Signal(), shipped: new Signal() };
    const gate = new FreshnessGate(scene.postgres, signals, () => false, 10_000);
    const person = await scene.addPerson(project, ['ada']);
    await scene.addEvents(project, [{ distinctId: 'ada' }]);
    const fresh = gate.wait(project, new Date());
    await scene.shipAll();
    expect(await fresh).toMatchObject({ complete: true });
    expect([...(await scene.actors(project)).values()]).toEqual([person]);
  });

  it('has nothing left of what a rebuild contains, also if it was not collected meanwhile', async () => {
    const waiting = await scene.addEvents(project, [{}, {}]);
    const { number } = await requestRebuild(scene.postgres, new Date());
    const { lease } = scene.shipper();
    await lease.acquire();
    const { postgres, clickhouse } = scene;
    const loader = new Loader(clickhouse, silentLogger);
    const rebuilder = new Rebuilder({
      postgres,
      clickhouse,
      lease,
      loader,
      logger: silentLogger,
      onCopied: () => undefined,
    });
    while ((await findRebuild(postgres, number))?.phase !== 'done') await rebuilder.advance(new Date());
    await lease.release();
    await scene.shipAll();
    expect(await scene.eventCount(project)).toBe(waiting.length);
  });

  it('takes no change of a deleted project', async () => {
    await scene.pool.query('UPDATE project_gates SET deleted_at = now() WHERE project_id = $1', [project]);
    expect(await tell('1').catch(isOfDeletedProject)).toBe(true);
  });
});
