import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { ArrivalsSweep } from '../../src/events/live/arrivals-sweep.js';
import { removeEvents } from '../../src/kernel/event-log/removal/remove-events.js';
import { cleanBlocks } from '../../src/kernel/event-log/compression/clean-blocks.js';
import { EventCompression } from '../../src/kernel/event-log/compression/event-compression.js';
import { collectOutbox } from '../../src/kernel/projection/outbox/outbox.js';
import { rebuildProjection } from '../../src/kernel/projection/rebuild/follow.js';
import { CompressedScene, sent } from '../support/compressed-scene.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let scene: CompressedScene;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  scene = new CompressedScene(service, await service.newProject());
});

const hostile = {
  text: 'line\nbreak, "quotes", \\ and \u2028',
  emoji: '👩‍🚀',
  numbers: [0.1, -0, 1e21, 1e-7, 9007199254740991],
  nested: { a: { b: [null, true, { c: '' }] } },
  empty: {},
  '': 'empty name',
};

describe('properties in blocks', () => {
  it('are answered as before, wherever events are read', async () => {
    const events = [
      sent(1, 'ada', hostile),
      sent(2, 'ada', { $set: { plan: 'free' } }),
      sent(3, 'bob', { $set_once: { plan: 'pro' } }),
      sent(4, 'ada', { large: randomBytes(60_000).toString('base64') }),
      sent(5, 'ada', { $set: { plan: 'team' } }),
      ...Array.from({ length: 40 }, (_, n) => sent(6 + n, n % 2 ? 'ada' : 'bob', { n, page: `/products/${n}` })),
    ];
    const uuids = events.map(({ uuid }) => uuid);
    expect(await scene.captureInRows(events)).toBe(45);
    const before = await scene.everyAnswer(uuids, ['ada', 'bob']);
    expect(await scene.places()).toEqual({ in_rows: 45, in_blocks: 0, in_files: 0 });
    expect(await scene.compress()).toBe(44);
    // The large event stays.
    expect(await scene.places()).toEqual({ in_rows: 1, in_blocks: 44, in_files: 0 });
    expect(await scene.everyAnswer(uuids, ['ada', 'bob'])).toEqual(before);
  });

  it('are exported as before where there are many, some in blocks and some not', async () => {
    const many = (from: number) =>
      Array.from({ length: 3000 }, (_, n) => sent(n % 60, `id-${n % 9}`, { n: from + n, text: 'x'.repeat(n % 700) }));
    await scene.capture(many(0));
    await scene.captureInRows(many(3000));
    const half = await scene.everyAnswer([], ['id-1']);
    expect(await scene.places()).toEqual({ in_rows: 3000, in_blocks: 3000, in_files: 0 });
    await scene.compress();
    expect(await scene.everyAnswer([], ['id-1'])).toEqual(half);
    const lines = (half[1] ?? '').trim().split('\n');
    const numbers = lines.map((line) => (JSON.parse(line) as { properties: { n: number } }).properties.n);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 6000 }, (_, n) => n));
  });

  it('are found again by a rebuild, which makes the same projection of them', async () => {
    await scene.captureInRows(
      Array.from({ length: 70 }, (_, n) => sent(n % 60, `id-${n % 7}`, { n, big: 'x'.repeat(n * 10) })),
    );
    const before = await scene.projected();
    expect(before.length).toBe(70);
    expect(await scene.compress()).toBe(70);
    await rebuildProjection(scene.postgres, new Date());
    expect(await scene.projected()).toEqual(before);
  });

  it('come there at once where enough events come together, and are answered like those in rows', async () => {
    const large = { large: randomBytes(60_000).toString('base64') };
    const events = [sent(1, 'ada', hostile), sent(2, 'bob', large)].concat(
      Array.from({ length: 70 }, (_, n) => sent(n % 60, n % 2 ? 'ada' : 'bob', { n, $set: { last: n } })),
    );
    const uuids = events.map(({ uuid }) => uuid);
    expect(await scene.capture(events)).toMatchObject({ accepted: 72 });
    expect(await scene.places()).toEqual({ in_rows: 1, in_blocks: 71, in_files: 0 });
    const others = new CompressedScene(service, await service.newProject());
    await others.captureInRows(events);
    const [together, apart] = await Promise.all(
      [scene, others].map(async (each) => {
        const answers = await Promise.all(uuids.map((uuid) => each.call('GET', `events/${uuid}`)));
        return answers.map(({ body }) => (body as { properties: object }).properties);
      }),
    );
    expect(together).toEqual(apart);
    const before = await scene.projected();
    await rebuildProjection(scene.postgres, new Date());
    expect(await scene.projected()).toEqual(before);
  });

  it('have none of events that the log had already', async () => {
    const events = Array.from({ length: 96 }, (_, n) => sent(n % 60, 'ada', { n }));
    await scene.capture(events.slice(0, 48));
    const again = events.map((event) => ({ ...event, properties: { n: 'again' } }));
    expect(await scene.capture(again)).toMatchObject({ accepted: 48, duplicates: 48 });
    expect(await scene.capture(again)).toMatchObject({ accepted: 0, duplicates: 96 });
    await cleanBlocks(scene.postgres, scene.project.id);
    const inBlocks = await scene.inBlocks();
    expect(inBlocks.map(({ uuid }) => uuid).sort()).toEqual(events.map(({ uuid }) => uuid).sort());
    expect(inBlocks.filter(({ properties }) => properties.includes('again')).length).toBe(48);
    const { rows } = await scene.pool.query('SELECT FROM event_blocks WHERE project_id = $1', [scene.project.id]);
    expect(rows.length).toBeLessThanOrEqual(4);
  });

  it('are no reason to accept an event twice', async () => {
    const event = sent(1, 'ada', { n: 1 });
    await scene.capture([event]);
    await scene.compress();
    expect(await scene.capture([event])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await scene.places()).toEqual({ in_rows: 0, in_blocks: 1, in_files: 0 });
  });

  it('tell the undoing of a merge what was set since', async () => {
    await scene.capture([
      sent(1, 'ada', { $set: { plan: 'free' } }),
      sent(2, 'bob', { $set: { plan: 'pro', city: 'Ulm' } }),
    ]);
    const [ada, bob] = [await scene.personOf('ada'), await scene.personOf('bob')];
    const merged = await scene.call('POST', `persons/${ada.id}/merge`, { body: { persons: [bob.id] } });
    expect([merged.status, merged.text]).toEqual([200, expect.any(String)]);
    await scene.capture([sent(3, 'bob', { $set: { city: 'Bonn' } })]);
    await scene.compress();
    const merges = await scene.call('GET', `persons/${ada.id}/merges`);
    const [merge] = (merges.body as { results: { id: number }[] }).results;
    const undone = await scene.call('POST', `persons/${ada.id}/merges/${merge?.id}/undo`);
    expect([undone.status, undone.text]).toEqual([200, expect.any(String)]);
    expect((await scene.personOf('bob')).properties).toMatchObject({ plan: 'pro', city: 'Bonn' });
    expect((await scene.personOf('ada')).properties).toMatchObject({ plan: 'free' });
  });
});

describe('the deletion of events', () => {
  it('removes them from their blocks before the receipt says that it is done', async () => {
    const events = Array.from({ length: 64 }, (_, n) => sent(n % 60, n % 2 ? 'ada' : 'bob', { secret: `of-${n % 2}` }));
    await scene.capture(events);
    await scene.compress();
    expect((await scene.inBlocks()).length).toBe(64);
    await scene.deletePerson('ada');
    await scene.runDeletions();
    const left = await scene.inBlocks();
    expect(left.length).toBe(32);
    expect(left.filter(({ properties }) => properties.includes('of-1'))).toEqual([]);
    const bobs = events.filter(({ distinct_id }) => distinct_id === 'bob').map(({ uuid }) => uuid);
    expect(left.map(({ uuid }) => uuid).sort()).toEqual(bobs.sort());
    const { body } = await scene.call('GET', `events/${bobs[0]}`);
    expect((body as { properties: object }).properties).toMatchObject({ secret: 'of-0' });
  });

  it.each(['block', 'file'])(
    'leaves one that is sent again its new properties, while its old %s is not cleaned',
    async (place) => {
      const again = sent(1, 'ada', { version: 'old' });
      // A large block takes longer to read than a small one.
      const others = Array.from({ length: 31 }, (_, n) => sent(n, 'bob', { text: randomBytes(5_000).toString('hex') }));
      await scene.capture([again, ...others]);
      await scene.compress();
      if (place === 'file') await scene.archive();
      const now = scene.postgres.clock.now();
      const removal = { distinctIds: ['ada'], receivedUpTo: now };
      await scene.postgres.transaction((client) => removeEvents(client, scene.project.id, removal, 10, now));
      expect(await scene.capture([{ ...again, properties: { version: 'new' } }])).toMatchObject({ accepted: 1 });
      expect(await scene.compress()).toBe(1);
      const { body } = await scene.call('GET', 'events', { query: { limit: '100' } });
      const { results } = body as { results: { uuid: string; properties: { version?: string } }[] };
      expect(results.length).toBe(32);
      expect(results.find(({ uuid }) => uuid === again.uuid)?.properties.version).toBe('new');
      await cleanBlocks(scene.postgres, scene.project.id);
      expect((await scene.call('GET', `events/${again.uuid}`)).body).toMatchObject({ properties: { version: 'new' } });
    },
  );

  it('removes blocks that have no other events', async () => {
    await scene.capture([sent(1, 'ada'), sent(2, 'ada')]);
    await scene.compress();
    await scene.deletePerson('ada');
    await scene.runDeletions();
    const { rows } = await scene.pool.query('SELECT FROM event_blocks WHERE project_id = $1', [scene.project.id]);
    expect(rows.length).toBe(0);
  });
});

describe('events', () => {
  it('come from their arrival into blocks after some minutes, or after a day where there are few', async () => {
    await scene.captureInRows(Array.from({ length: 1500 }, (_, n) => sent(n % 60, `id-${n % 50}`, { n })));
    const minutesLater = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
    const compression = service.app.get(EventCompression);
    const sweep = async (now: Date): Promise<void> => {
      // On Citus they arrive when they are collected.
      await collectOutbox(scene.postgres);
      await service.app.get(ArrivalsSweep).run(now);
    };
    await sweep(new Date());
    await compression.compress(new Date());
    expect(await scene.places()).toMatchObject({ in_rows: 1500, in_blocks: 0 });
    await sweep(minutesLater(11));
    await compression.compress(minutesLater(11));
    expect(await scene.places()).toMatchObject({ in_rows: 0, in_blocks: 1500 });
    await scene.capture([sent(1, 'late')]);
    await sweep(minutesLater(22));
    await compression.compress(minutesLater(22));
    expect(await scene.places()).toMatchObject({ in_rows: 1, in_blocks: 1500 });
    await compression.compress(minutesLater(24 * 60 + 22));
    expect(await scene.places()).toMatchObject({ in_rows: 0, in_blocks: 1501 });
  });
});
