import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/app/demo/random.js';
import { requestRun, openRun } from '../../src/deletions/job/deletion-runs.repository.js';
import { DeletionRunner } from '../../src/deletions/job/runner.js';
import { DeletionRecorder } from '../../src/kernel/deletions/deletion-recorder.js';
import { compressProject } from '../../src/kernel/event-log/compression/uncompressed.js';
import { Signal } from '../../src/platform/work/signal.js';
import { FreshnessGate } from '../../src/kernel/projection/freshness.js';
import { useConfiguredArchive } from '../../src/platform/objects/event-archive.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { WorkEnded } from '../../src/platform/errors/work-ended.js';
import { Lease } from '../../src/platform/postgres/lease.js';
import { contextOf } from '../support/deletions.js';
import { KilledService } from '../support/killed-service.js';
import { bootstrapFile, cli, commandLine, type BootstrapFile } from '../support/process.js';
import { Scene, silentLogger } from '../support/projection-scene.js';
import { packedWith } from '../support/traces.js';
import { startShipping } from '../support/workers.js';

const kills = Number(process.env.KILLS ?? 3);
const requests = Number(process.env.REQUESTS ?? 4 * kills);
const seed = process.env.EVERY_CASE ? Math.floor(Math.random() * 2 ** 31) : 20261130;

interface Happened {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly properties: Record<string, unknown>;
  /** The steps at which it was sent and acknowledged. */
  readonly sentAt: number;
  ackedAt: number;
}

interface Asked {
  readonly body: { readonly scrub?: readonly string[] };
  readonly matches: (event: Happened) => boolean;
  readonly from: number;
  readonly to: number;
}

/** The properties that an event has in the end; null: the event is deleted; undefined: it was under way at a preview. */
const naive = (event: Happened, asked: readonly Asked[]): Record<string, unknown> | null | undefined => {
  let properties: Record<string, unknown> | null = { ...event.properties };
  for (const { body, matches, from, to } of asked) {
    if (event.sentAt > to || !matches(event)) continue;
    if (event.ackedAt > from) return undefined;
    for (const key of body.scrub ?? []) if (properties) delete properties[key];
    if (!body.scrub) properties = null;
  }
  return properties;
};

describe(`${kills} kills while ${requests} random requests delete and scrub events that arrive meanwhile`, () => {
  let service: KilledService;
  let project: BootstrapFile;
  const random = new Random(seed);
  const events: Happened[] = [];
  const asked: Asked[] = [];
  let step = 0;

  beforeAll(async () => {
    service = await KilledService.start();
    project = await bootstrapFile(service.dataDir);
  });
  afterAll(() => service.remove());

  const call = async (method: string, path: string, body: unknown, headers = {}): Promise<Response> => {
    for (;;) {
      const answer = await fetch(`${service.url}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${project.personal_api_key}`,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => null);
      if (answer && answer.status < 500) return answer;
      await sleep(50);
    }
  };
  const path = (rest: string): string => `/api/projects/${project.project_id}/${rest}`;

  const newEvent = (): Happened => {
    const marker = random.chance(0.5) ? { email: `secret-${randomUUID()}` } : {};
    return {
      uuid: randomUUID(),
      event: random.pick(['paid', 'seen', 'left']),
      distinct_id: random.pick(['ada', 'bob', 'cy']),
      timestamp: new Date(Date.UTC(2026, 0, 5, random.between(0, 23), random.between(0, 59))).toISOString(),
      properties: { n: random.between(0, 40), text: '🙂'.repeat(random.between(0, 20)), ...marker },
      sentAt: (step += 1),
      ackedAt: Infinity,
    };
  };

  const capture = async (): Promise<void> => {
    const batch = Array.from({ length: random.between(1, 60) }, newEvent);
    events.push(...batch);
    const sent = batch.map(({ sentAt: _, ackedAt: __, ...event }) => event);
    const answer = await call('POST', '/batch', { api_key: project.project_token, batch: sent });
    expect(answer.status).toBe(200);
    step += 1;
    for (const event of batch) event.ackedAt = step;
  };

  const question = (): Pick<Asked, 'body' | 'matches'> => {
    const event = random.pick(['paid', 'seen', 'left']);
    const most = random.between(0, 12);
    const after = new Date(Date.UTC(2026, 0, 5, random.between(12, 23))).toISOString();
    const uuids = events.filter(() => random.chance(0.05)).map(({ uuid }) => uuid);
    const few = { type: 'event', key: 'n', operator: 'lte', value: most };
    const ada = { type: 'event_metadata', key: 'distinct_id', value: 'ada' };
    const scrub = { scrub: ['email'] };
    const hasEmail = (of: Happened): boolean => 'email' in of.properties;
    return random.pick<Pick<Asked, 'body' | 'matches'>>([
      {
        body: { events: [event], properties: [few] } as object,
        matches: (of) => of.event === event && Number(of.properties.n) <= most,
      },
      {
        body: { after, properties: [ada] } as object,
        matches: (of) => of.timestamp > after && of.distinct_id === 'ada',
      },
      { body: { uuids: [...uuids, randomUUID()] } as object, matches: ({ uuid }) => uuids.includes(uuid) },
      { body: scrub, matches: hasEmail },
      { body: { ...scrub, events: [event] } as Asked['body'], matches: (of) => of.event === event && hasEmail(of) },
    ]);
  };

  const ask = async (): Promise<void> => {
    const { body, matches } = question();
    for (;;) {
      const from = (step += 1);
      const previewed = await call('POST', path('deletion_requests'), body);
      const { confirm } = (await previewed.json()) as { confirm: string };
      expect(previewed.status).toBe(200);
      const to = (step += 1);
      const confirmed = { ...body, confirm };
      const answer = await call('POST', path('deletion_requests'), confirmed, { 'idempotency-key': confirm });
      const { attr = '' } = (await answer.json()) as { attr?: string };
      // The process ended before the request was done, or was about to answer it: its key is held for some seconds.
      if (answer.headers.has('retry-after')) {
        await sleep(200);
        continue;
      }
      // The answer of a request that was done may be lost with the process.
      if (answer.status === 202 || (answer.status === 409 && attr.toLowerCase() === 'idempotency-key')) {
        asked.push({ body, matches, from, to });
        return;
      }
      expect([answer.status, attr]).toEqual([409, 'confirm']);
    }
  };

  const killedCommand = async (...words: readonly string[]): Promise<void> => {
    const [program, args, options] = commandLine(service.env, words);
    const child = spawn(program, args, options);
    const closed = once(child, 'close');
    await Promise.race([closed, sleep(1000 + Math.random() * 3000)]);
    child.kill('SIGKILL');
    await closed;
  };
  const archive = ['events', 'archive', '--before', '2100-01-01'];

  it('leave what the naive reading leaves, everywhere, and receipts that say so', async () => {
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await capture();
        await sleep(30);
      }
    })();
    const asking = (async () => {
      for (let n = 0; n < requests; n += 1) {
        await ask();
        await sleep(200);
      }
    })();
    for (let n = 0; n < kills; n += 1) {
      await Promise.all([killedCommand('deletions', 'run'), killedCommand('events', 'compress')]);
      await killedCommand(...archive);
      await service.kill();
    }
    await asking;
    isOver = true;
    await writing;
    for (const words of [['events', 'compress'], archive, ['deletions', 'run']]) {
      const { code, stderr } = await cli(service.env, ...words);
      expect([words, stderr, code]).toEqual([words, '', 0]);
    }
    const exported = await call('GET', path('export/events'), undefined);
    const lines = (await exported.text()).trim().split('\n').filter(Boolean);
    const stored = new Map(lines.map((line) => JSON.parse(line) as Happened).map((event) => [event.uuid, event]));
    const known = new Set(events.map(({ uuid }) => uuid));
    let [deleted, scrubbed, underWay] = [0, 0, 0];
    for (const event of events) {
      const properties = naive(event, asked);
      if (properties === undefined) underWay += 1;
      else expect([event.uuid, stored.get(event.uuid)?.properties ?? null]).toEqual([event.uuid, properties]);
      if (properties === null) deleted += 1;
      if (properties && 'email' in event.properties && !('email' in properties)) scrubbed += 1;
    }
    expect([...stored.keys()].filter((uuid) => !known.has(uuid))).toEqual([]);
    const listed = await call('GET', path(`deletion_requests?limit=1000`), undefined);
    const { results } = (await listed.json()) as { results: { state: string; error: unknown; remaining: object }[] };
    expect(results.filter(({ state, error }) => state !== 'done' || error !== null)).toEqual([]);
    const gone = events.flatMap((event) => {
      const properties = naive(event, asked);
      const { email } = event.properties;
      return properties === undefined || properties?.email || typeof email !== 'string' ? [] : [email];
    });
    useConfiguredArchive(loadConfig({ NODE_ENV: 'test', ...service.env }));
    await service.withPool(async (pool) => {
      const packed = await packedWith(pool, join(service.dataDir, 'event-archive'), 'secret-');
      const { rows } = await pool.query<{ text: string }>(
        `SELECT properties::text AS text FROM events WHERE properties IS NOT NULL`,
      );
      const texts = [...packed.map(({ text }) => text), ...rows.map(({ text }) => text)].join('\n');
      expect(gone.filter((secret) => texts.includes(secret))).toEqual([]);
    });
    expect((await service.terminate()).code).toBe(0);
    const scene = await Scene.at(service.env, () => Promise.resolve());
    try {
      await scene.shipAll();
      const projected = await scene.clickhouse.query<{ uuid: string; properties: { email?: string } }>(
        sql`SELECT toString(uuid) AS uuid, properties FROM events WHERE project_id = ${unsigned(project.project_id)}`,
        { project: 'system', maxResultRows: 1_000_000 },
      );
      expect(projected.map(({ uuid }) => uuid).sort()).toEqual([...stored.keys()].sort());
      const emails = projected.map(({ uuid, properties }) => [uuid, properties.email]);
      expect(emails.filter(([uuid, email]) => email !== stored.get(String(uuid))?.properties.email)).toEqual([]);
    } finally {
      await scene.close();
    }
    console.log(
      `seed ${seed}: ${events.length} events, ${asked.length} requests, ${kills} kills; ${deleted} deleted, ${scrubbed} scrubbed, ${underWay} under way at a preview`,
    );
    expect([deleted > 0, scrubbed > 0]).toEqual([true, true]);
  }, 3_600_000);
});

describe('the job', () => {
  it('ended at any step and begun again removes and scrubs what was selected, once', async () => {
    const scene = await Scene.open();
    const [work, shipped] = [new Signal(), new Signal()];
    const gate = new FreshnessGate(scene.postgres, { work, shipped }, () => true, 20_000);
    const shipping = startShipping(scene, { work, waiting: () => gate.waiting, onShipped: () => shipped.notify() });
    try {
      const project = await scene.newProject();
      const some = (number: number) =>
        Array.from({ length: number }, (_, n) => ({ properties: { n, email: `${n}@example.test` } }));
      const [go, change, stay] = [
        await scene.addEvents(project, some(2500)),
        await scene.addEvents(project, some(2500)),
        await scene.addEvents(project, some(50)),
      ];
      await compressProject(scene.postgres, project, () => undefined);
      const recorder = new DeletionRecorder(loadConfig({}), scene.postgres);
      const author = { userId: null, requestId: 'test', now: new Date() };
      const request = await scene.write((client) =>
        recorder.requestSelected(
          client,
          contextOf(project),
          {
            ...{ kind: 'properties', criteria: {}, receivedUpTo: new Date() },
            selections: [
              { uuids: go, scrub: null },
              { uuids: change, scrub: { keys: ['email'] } },
            ],
          },
          author,
        ),
      );
      await requestRun(scene.pool, 'operator', new Date());
      let interruptions = 0;
      for (let isFinished = false; !isFinished;) {
        let steps = interruptions > 20 ? Infinity : 1 + Math.floor(Math.random() * 5);
        const lease = new Lease(scene.pool, 'deletions', { ttlMs: 20_000 });
        expect(await lease.acquire()).toBe(true);
        const run = await openRun(scene.pool);
        if (!run) throw new Error('there is a run');
        const runner = new DeletionRunner(
          {
            ...{ postgres: scene.postgres, clickhouse: scene.clickhouse, logger: silentLogger, lease },
            isFresh: async (of) => (await gate.wait(of, new Date())).complete,
            onDeleted: () => undefined,
            isStopping: () => (steps -= 1) < 0,
          },
          run,
        );
        isFinished = await runner.execute().then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof WorkEnded)) throw error;
            interruptions += 1;
            return false;
          },
        );
        await lease.release();
      }
      expect(interruptions).toBeGreaterThan(2);
      const { rows } = await scene.pool.query(
        'SELECT state, events_selected, events_deleted, events_scrubbed FROM deletion_requests WHERE id = $1',
        [request.id],
      );
      expect(rows).toEqual([
        { state: 'done', events_selected: '5000', events_deleted: '2500', events_scrubbed: '2500' },
      ]);
      await gate.wait(project, new Date());
      const projected = await scene.clickhouse.query<{ uuid: string; has_email: number }>(
        sql`SELECT toString(uuid) AS uuid, properties.email IS NOT NULL AS has_email FROM events
          WHERE project_id = ${unsigned(project)}`,
        { project: 'system' },
      );
      const found = (has: number) => projected.filter(({ has_email }) => Number(has_email) === has);
      expect(
        found(1)
          .map(({ uuid }) => uuid)
          .sort(),
      ).toEqual([...stay].sort());
      expect(
        found(0)
          .map(({ uuid }) => uuid)
          .sort(),
      ).toEqual([...change].sort());
    } finally {
      await shipping.stop();
      await scene.close();
    }
  }, 120_000);
});
