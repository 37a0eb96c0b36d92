import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { freePort } from '../../support/process.js';
import { Scene } from '../../support/projection-scene.js';
import { freshStores } from '../../support/fresh-stores.js';
import { startClickHouseServer, type ClickHouseServer } from '../../support/clickhouse/server.mjs';
import { OffHeapText } from '../../../src/platform/values/off-heap-text.js';
import { Workers } from '../../../src/platform/work/workers.js';
import { Metrics } from '../../../src/platform/telemetry/metrics.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { ClickHouseUnavailable } from '../../../src/platform/clickhouse/errors.js';
import { sql } from '../../../src/platform/clickhouse/sql.js';
import { Projection, shipmentsUpTo } from '../../../src/kernel/projection/projection.js';

const quiet = pino({ level: 'silent' });

const open = (scene: Scene, env: Record<string, string> = {}, logger = quiet) => {
  const metrics = new Metrics();
  const config = loadConfig({ NODE_ENV: 'test', ...scene.env, ...env });
  const workers = new Workers(config, logger);
  const projection = new Projection(workers, config, scene.postgres, scene.clickhouse, logger, metrics);
  workers.start();
  return { projection, metrics, workers };
};

/** The same stores in a process that only answers questions. */
const apiOnly = (scene: Scene) =>
  open(scene, { ROLE: 'api', CLICKHOUSE_URL: 'http://unused', DATABASE_URL: scene.env.DATABASE_URL ?? '' });

const committed = (number: number) => ({
  uuid: randomUUID(),
  event: 'seen',
  distinctId: `user ${number}`,
  timestamp: new Date(),
  projected: OffHeapText.of('{}'),
  groups: [],
});

describe('a question', () => {
  let scene: Scene;
  let projection: Projection;
  let metrics: Metrics;
  let workers: Workers;
  let project: number;

  beforeAll(async () => {
    scene = await Scene.open();
    ({ projection, metrics, workers } = open(scene));
  });
  afterAll(async () => {
    await workers.stop();
    await scene.close();
  });
  beforeEach(async () => {
    project = await scene.newProject();
  });

  it('sees what was committed before it, at once and without a signal', async () => {
    const waits: number[] = [];
    for (let n = 1; n <= 40; n += 1) {
      await scene.addEvents(project, [{}]);
      const now = new Date();
      const begun = performance.now();
      expect(await projection.waitUntilFresh(project, now)).toMatchObject({ asOf: now, complete: true });
      waits.push(performance.now() - begun);
      expect(await scene.eventCount(project)).toBe(n);
    }
    // Events that no question waits for are gathered for up to two seconds.
    expect(waits.sort((a, b) => a - b)[10]).toBeLessThan(250);
  });

  it('in a process that does not ship sees it too', async () => {
    const { projection: api, workers: others } = apiOnly(scene);
    await scene.addEvents(project, [{}]);
    const now = new Date();
    expect(await api.waitUntilFresh(project, now)).toMatchObject({ asOf: now, complete: true });
    expect(await scene.eventCount(project)).toBe(1);
    await others.stop();
  });

  it('does not wait for other projects or for what comes after it', async () => {
    const busy = await scene.newProject();
    let writing = true;
    const writer = (async () => {
      while (writing) await scene.addEvents(busy, [{}, {}]);
    })();
    const now = new Date();
    expect(await projection.waitUntilFresh(project, now)).toMatchObject({ asOf: now, complete: true });
    expect(await projection.waitUntilFresh(busy, now)).toMatchObject({ asOf: now, complete: true });
    writing = false;
    await writer;
  });

  it('knows whether there are overrides', async () => {
    const isOverridden = async () => {
      const { position } = await projection.waitUntilFresh(project, new Date());
      return [position, await projection.hasOverrides(project, position)];
    };
    const [empty, none] = await isOverridden();
    expect([none, await isOverridden()]).toEqual([false, [empty, false]]);
    const person = await scene.addPerson(project, ['a']);
    await scene.giveDistinctIds(project, ['b'], person);
    expect(await isOverridden()).toEqual([expect.not.stringMatching(`^${String(empty)}$`), true]);
  });

  it('that no process wakes still ships everything soon, and few parts after many single events', async () => {
    const shipments = async () => Number((await projection.status()).lastShipment?.number ?? 0);
    const [before, started] = [await shipments(), performance.now()];
    for (let n = 0; n < 300; n += 1) {
      await scene.addEvents(project, [{}]);
      projection.wake();
      await sleep(3);
    }
    // The worker gathers single events for up to two seconds.
    await scene.untilShipped(3000);
    expect(await scene.eventCount(project)).toBe(300);
    expect((await shipments()) - before).toBeLessThan((performance.now() - started) / 100 + 3);
    const made = await scene.clickhouse.query<{ parts: number }>(
      sql`SELECT count() AS parts FROM system.parts WHERE database = currentDatabase() AND table = 'events' AND active`,
      { project: 'system' },
    );
    expect(made[0]?.parts).toBeLessThan(40);
  });

  it('finds a burst gathered, and has it shipped at once', async () => {
    const shipments = async () => Number((await projection.status()).lastShipment?.number ?? 0);
    await scene.addEvents(project, [{}]);
    await projection.waitUntilFresh(project, new Date());
    const before = await shipments();
    const fresh = Array.from({ length: 2_000 }, (_, number) => committed(number));
    for (const started = performance.now(); performance.now() - started < 3_000; await sleep(100)) {
      await scene.addEvents(project, [{}]);
      projection.remember(project, {
        receivedAt: new Date(),
        fresh: fresh.map((event) => ({ ...event, uuid: randomUUID() })),
      });
      projection.wake();
    }
    expect((await shipments()) - before).toBeLessThanOrEqual(1);
    const begun = performance.now();
    expect(await projection.waitUntilFresh(project, new Date())).toMatchObject({ complete: true });
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it('of the operator is answered with the state of things', async () => {
    await scene.addEvents(project, [{}, {}]);
    await projection.waitUntilFresh(project, new Date());
    expect(await projection.status()).toEqual({
      lagSeconds: 0,
      waitingRows: 0,
      waitingKeys: 0,
      lastShipment: { number: expect.stringMatching(/^\d+$/), at: expect.any(Date) },
      openShipment: null,
      holder: expect.stringMatching(/^[0-9a-f-]{36}$/),
      shippers: 1,
      parked: [],
    });
    const exposed = await metrics.registry.metrics();
    expect(exposed).toMatch(/kohort_projection_lag_seconds 0\n/);
    expect(exposed).toMatch(/kohort_projection_waiting_keys 0\n/);
    expect(exposed).toMatch(/kohort_projection_parked_shipments 0\n/);
    expect(exposed).toMatch(/kohort_projection_shipped_rows_total\{table="events"\} [1-9]/);
  });

  it('does not take a shipment for read that another process completes after a later one', async () => {
    const { postgres } = scene;
    await postgres.query(
      `INSERT INTO shipments (number, outbox_ids, chunks, claimed_at, holder, projects, parked_at)
       VALUES (1000007, '{}', '{}', now(), gen_random_uuid(), '{}', now())`,
    );
    await postgres.query('UPDATE projection_state SET last_shipment = 1000008');
    const before = await projection.position();
    await postgres.query('DELETE FROM shipments WHERE number = 1000007');
    await postgres.query('UPDATE projection_state SET last_shipment = greatest(last_shipment, 1000007)');
    const after = await projection.position();
    expect([shipmentsUpTo(before), shipmentsUpTo(after)]).toEqual([1_000_006n, 1_000_008n]);
  });
});

describe('without ClickHouse', () => {
  let folder: string;
  let port: number;
  let server: ClickHouseServer;
  let scene: Scene;
  let projection: Projection;
  let workers: Workers;
  let project: number;
  const lines: { level: number; msg: string }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kohort-outage-'));
    port = await freePort();
    server = await startClickHouseServer({ path: folder, port });
    const fresh = await freshStores();
    const url = new URL('/outage', server.url);
    scene = await Scene.at({ ...fresh.env, CLICKHOUSE_URL: url.href }, () => fresh.remove());
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
    ({ projection, workers } = open(scene, { PROJECTION_WAIT_MS: '700' }, logger));
    project = await scene.newProject();
  });
  afterAll(async () => {
    await workers.stop();
    await scene.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    lines.length = 0;
  });

  it('writing goes on, a question waits no longer than it may, and all is shipped within 5 s of its return', async () => {
    await scene.addEvents(project, [{}]);
    await projection.waitUntilFresh(project, new Date());
    await server.close();
    const written = new Date(Date.now() - 60_000);
    const uuids = await scene.addEvents(project, [{}, {}], written);
    await sleep(500);
    const begun = performance.now();
    await expect(projection.waitUntilFresh(project, new Date())).rejects.toThrow(ClickHouseUnavailable);
    expect(performance.now() - begun).toBeLessThan(1200);
    expect((await projection.status()).lagSeconds).toBeGreaterThan(59);
    await sleep(1500);
    expect(lines.filter(({ level }) => level === 40)).toHaveLength(1);
    server = await startClickHouseServer({ path: folder, port });
    await scene.untilShipped(5000);
    expect(await scene.eventCount(project)).toBe(1 + uuids.length);
    await sleep(200);
    expect(lines.some(({ msg }) => /again/.test(msg))).toBe(true);
  });
});

describe('the end of a process', () => {
  it('ships what is under way, releases the lease, and another goes on', async () => {
    const scene = await Scene.open();
    const project = await scene.newProject();
    const { projection: first, workers } = open(scene);
    await scene.addEvents(project, [{}]);
    await first.waitUntilFresh(project, new Date());
    await scene.addEvents(project, [{}]);
    first.wake();
    await workers.stop();
    expect(await first.status()).toMatchObject({ holder: null, shippers: 0 });
    await scene.addEvents(project, [{}]);
    const { projection: second, workers: next } = open(scene);
    await second.waitUntilFresh(project, new Date());
    expect(await scene.eventCount(project)).toBe(3);
    await next.stop();
    await scene.close();
  });
});
