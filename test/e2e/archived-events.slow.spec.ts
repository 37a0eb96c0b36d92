import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveSome } from '../../src/kernel/event-log/compression/archive-day.js';
import { EventArchiving } from '../../src/kernel/event-log/compression/event-archiving.js';
import { Config } from '../../src/platform/config/config.js';
import { rebuildProjection } from '../../src/kernel/projection/rebuild/follow.js';
import { archivedParts } from '../../src/kernel/projection/blocks/archived-rows.js';
import { eventArchive, useEventArchive } from '../../src/platform/objects/event-archive.js';
import { type Queryable } from '../../src/platform/postgres/postgres.js';
import { CompressedScene, sent } from '../support/compressed-scene.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let service: TestService;
let scene: CompressedScene;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = service.app.get(Config).eventArchive ?? '';
});
afterAll(() => service.stop());
beforeEach(async () => {
  scene = new CompressedScene(service, await service.newProject());
});

/** The files of the project, by their names in the archive. */
const files = async (): Promise<string[]> => {
  const all = await readdir(join(folder, String(scene.project.id)), { recursive: true }).catch(() => []);
  return all.filter((name) => name.endsWith('.parquet')).map((name) => join(String(scene.project.id), name));
};

const archived = async () => {
  const { rows } = await scene.pool.query<{ id: string; day: string; bytes: number; state: string }>(
    'SELECT id, day::text AS day, bytes, state FROM event_archives WHERE project_id = $1 ORDER BY id',
    [scene.project.id],
  );
  return rows;
};

/** What the files have that blocks refer to. */
const inFiles = async () => {
  const found = [];
  for (const file of await archived()) {
    if (file.state !== 'ready') continue;
    for await (const part of archivedParts({ projectId: scene.project.id, ...file })) found.push(...part);
  }
  return found;
};

const captureArchived = async (count: number) => {
  const events = Array.from({ length: count }, (_, n) =>
    sent(n % 60, n % 2 ? 'ada' : 'bob', { n, secret: `of-${n % 2}`, text: 'ä'.repeat(n % 300) }),
  );
  await scene.capture(events);
  await scene.compress();
  await scene.archive();
  expect(await scene.places()).toEqual({ in_rows: 0, in_blocks: 0, in_files: count });
  return events;
};

describe('archived events', () => {
  it('are answered as before, wherever they are read', async () => {
    // Large ones divide the file into several parts.
    const large = (n: number): string => (n % 20 === 0 ? randomBytes(20_000).toString('hex') : '');
    const events = Array.from({ length: 700 }, (_, n) =>
      sent(n % 60, n % 2 ? 'ada' : 'bob', { n, a: { b: [n, '🙂'] }, large: large(n) }),
    );
    await scene.capture(events);
    const uuids = events.slice(0, 20).map(({ uuid }) => uuid);
    const before = [await scene.everyAnswer(uuids, ['ada', 'bob']), await scene.projected()];
    await scene.compress();
    await scene.archive();
    expect(await scene.places()).toEqual({ in_rows: 0, in_blocks: 0, in_files: 700 });
    expect((await files()).length).toBe(1);
    expect([await scene.everyAnswer(uuids, ['ada', 'bob']), await scene.projected()]).toEqual(before);
    await rebuildProjection(scene.postgres, new Date());
    expect(await scene.projected()).toEqual(before[1]);
    expect(await scene.capture(events.slice(0, 3))).toMatchObject({ accepted: 0, duplicates: 3 });
  });

  it('stay in PostgreSQL for the days that are to stay', async () => {
    await scene.capture([sent(1, 'ada')]);
    await scene.compress();
    const archiving = service.app.get(EventArchiving);
    const inDays = (days: number): Date => new Date(Date.now() + days * 24 * 60 * 60_000);
    await archiving.archive(inDays(1), 1, 0);
    expect(await scene.places()).toMatchObject({ in_blocks: 1 });
    await archiving.archive(inDays(2), 1, 0);
    expect(await scene.places()).toMatchObject({ in_files: 1 });
  });

  it('are removed from their file, which is written anew, before the receipt says that they are deleted', async () => {
    const events = await captureArchived(600);
    const [old] = await files();
    await scene.deletePerson('ada');
    await scene.runDeletions();
    const left = await inFiles();
    expect(left.length).toBe(300);
    expect(left.filter(({ properties }) => properties.includes('of-1'))).toEqual([]);
    const now = await files();
    expect([now.length, now.includes(old ?? '')]).toEqual([1, false]);
    const [bob] = events.filter(({ distinct_id }) => distinct_id === 'bob');
    const { body } = await scene.call('GET', `events/${bob?.uuid}`);
    expect((body as { properties: object }).properties).toMatchObject({ secret: 'of-0' });
    await scene.deletePerson('bob');
    await scene.runDeletions();
    expect([await files(), await archived()]).toEqual([[], []]);
  });

  it('keep their old file while a snapshot from before still reads it', async () => {
    await captureArchived(64);
    const [old] = await files();
    let done: Promise<void> | undefined;
    await scene.postgres.transaction(
      async (client) => {
        const count = await client.query<{ n: string }>(
          'SELECT count(*) AS n FROM event_blocks WHERE project_id = $1',
          [scene.project.id],
        );
        expect(Number(count.rows[0]?.n)).toBe(2);
        await scene.deletePerson('ada');
        done = scene.runDeletions();
        await until(async () => (await archived()).length === 2);
        expect((await files()).includes(old ?? '')).toBe(true);
      },
      { snapshot: true },
    );
    await done;
    expect((await files()).includes(old ?? '')).toBe(false);
    expect((await inFiles()).length).toBe(32);
  });

  it('go with their project', async () => {
    await captureArchived(32);
    expect((await files()).length).toBe(1);
    const query = { confirm_name: scene.project.name };
    const answer = await service.call('DELETE', `/api/projects/${scene.project.id}`, { query });
    expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
    await until(async () => (await files()).length + (await archived()).length === 0);
  });

  it('answer 503 while the archive is away, and are there again with it', async () => {
    const [event] = await captureArchived(3);
    await rename(folder, `${folder}.away`);
    const away = await scene.call('GET', `events/${event?.uuid}`);
    expect([away.status, away.body]).toMatchObject([
      503,
      { code: 'unavailable', detail: 'Older events cannot be read at the moment' },
    ]);
    await rename(`${folder}.away`, folder);
    expect((await scene.call('GET', `events/${event?.uuid}`)).status).toBe(200);
  });
});

describe('the archiving of a day', () => {
  const today = (): string => new Date().toISOString().slice(0, 10);
  const sentAndCompressed = async (count: number): Promise<void> => {
    await scene.capture(Array.from({ length: count }, (_, n) => sent(n % 60, n % 2 ? 'ada' : 'bob', { n })));
    await scene.compress();
  };

  it('keeps what it has when the file cannot be read as it was written', async () => {
    await sentAndCompressed(40);
    const place = eventArchive();
    useEventArchive({
      write: (file, bytes) => place.write(file, bytes),
      removeFile: (file) => place.removeFile(file),
      readPiece: (file, start, end) => place.readPiece(file, start, end),
      read: async (file, maxBytes) => {
        const bytes = await place.read(file, maxBytes);
        const middle = Math.floor(maxBytes / 2);
        if (bytes) bytes[middle] = (bytes[middle] ?? 0) ^ 1;
        return bytes;
      },
    });
    try {
      await expect(archiveSome(scene.postgres, scene.project.id, today(), 0)).rejects.toThrow('not as it was written');
    } finally {
      useEventArchive(place);
    }
    expect(await scene.places()).toEqual({ in_rows: 0, in_blocks: 40, in_files: 0 });
    await service.app.get(EventArchiving).run();
    expect(await files()).toEqual([]);
  });

  it('begins anew when events are deleted meanwhile, and archives none of them', async () => {
    await sentAndCompressed(64);
    const place = eventArchive();
    useEventArchive({
      read: (file, maxBytes) => place.read(file, maxBytes),
      readPiece: (file, start, end) => place.readPiece(file, start, end),
      removeFile: (file) => place.removeFile(file),
      write: async (file, bytes) => {
        const kept = await place.write(file, bytes);
        await scene.deletePerson('ada');
        await scene.runDeletions();
        return kept;
      },
    });
    try {
      await expect(archiveSome(scene.postgres, scene.project.id, today(), 0)).rejects.toThrow('changed');
    } finally {
      useEventArchive(place);
    }
    await scene.archive();
    expect(await scene.places()).toEqual({ in_rows: 0, in_blocks: 0, in_files: 32 });
    expect((await inFiles()).length).toBe(32);
  });

  it('removes files whose dismissal was numbered by the server from which the database was restored', async () => {
    await scene.pool.query(
      `INSERT INTO event_archives (project_id, id, day, state, events, bytes, sha256, created_at, removed_xid)
       VALUES ($1, gen_random_uuid(), $2, 'removed', 1, 1, 'digest', now(), 2 ^ 31 - 1)`,
      [scene.project.id, today()],
    );
    const run = async (client: Queryable): Promise<void> => {
      await client.query('SELECT 1');
      await service.app.get(EventArchiving).run();
    };
    await scene.postgres.transaction(run, { snapshot: true });
    expect(await archived()).toEqual([]);
  });

  it('leaves no file of a process that ended while it wrote', async () => {
    await sentAndCompressed(3);
    await scene.pool.query(
      `INSERT INTO event_archives (project_id, id, day, state, events, bytes, sha256, created_at)
       VALUES ($1, gen_random_uuid(), $2, 'writing', 0, 0, '', now() - interval '2 hours')`,
      [scene.project.id, today()],
    );
    const [left] = await archived();
    const name = `${scene.project.id}/${left?.day}/${left?.id}.parquet`;
    await eventArchive().write(name, Buffer.from('half'));
    expect(await readFile(join(folder, name), 'utf8')).toBe('half');
    await writeFile(join(folder, `${name}.draft`), 'h');
    // A transaction of a background task that has started before makes the file stay until the next run.
    await until(async () => {
      await service.app.get(EventArchiving).run();
      return (await archived()).length === 0;
    });
    expect(await files()).toEqual([]);
    expect(await readdir(join(folder, String(scene.project.id), left?.day ?? ''))).toEqual([]);
  });

  it('leaves no deleted event in a file that a process began before', async () => {
    const events = await captureArchived(64);
    const [name = ''] = await files();
    const left = await readFile(join(folder, name));
    const begun = `${scene.project.id}/${today()}/${randomUUID()}.parquet`;
    await scene.pool.query(
      `INSERT INTO event_archives (project_id, id, day, state, events, bytes, sha256, created_at)
       VALUES ($1, $2, $3, 'writing', 0, 0, '', now())`,
      [scene.project.id, begun.slice(-44, -8), today()],
    );
    await eventArchive().write(begun, left);
    await scene.deletePerson('ada');
    await scene.runDeletions();
    expect(await files()).not.toContain(begun);
    // A process that was not dead writes after all.
    await eventArchive().write(begun, left);
    await service.app.get(EventArchiving).run();
    expect(await files()).not.toContain(begun);
    expect((await inFiles()).length).toBe(events.length / 2);
    await scene.pool.query(`UPDATE event_archives SET created_at = now() - interval '2 hours' WHERE id = $1`, [
      begun.slice(-44, -8),
    ]);
    await service.app.get(EventArchiving).run();
    expect((await archived()).length).toBe(1);
  });

  it('keeps a file whose completion was committed although the answer was lost', async () => {
    await sentAndCompressed(32);
    let lost = 0;
    const postgres = Object.create(scene.postgres, {
      transaction: {
        value: async (...work: Parameters<typeof scene.postgres.transaction>) => {
          const result = await scene.postgres.transaction(...work);
          if ((lost += 1) === 1) throw new Error('the connection was lost');
          return result;
        },
      },
    }) as typeof scene.postgres;
    await expect(archiveSome(postgres, scene.project.id, today(), 0)).rejects.toThrow('changed');
    await service.app.get(EventArchiving).run();
    expect(await scene.places()).toEqual({ in_rows: 0, in_blocks: 0, in_files: 32 });
    expect((await inFiles()).length).toBe(32);
  });
});
