import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Pool, type ClientBase } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { insertProject } from '../../support/insert-project.js';
import { until } from '../../support/until.js';
import { newWorkers } from '../../support/workers.js';
import { WorkEnded } from '../../../src/platform/errors/work-ended.js';
import { Workers } from '../../../src/platform/work/workers.js';
import { type Logger } from '../../../src/platform/telemetry/logger.js';
import { foundBacklogs } from '../../../src/platform/telemetry/background-runs.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { Postgres } from '../../../src/platform/postgres/postgres.js';
import { EventCompression } from '../../../src/kernel/event-log/compression/event-compression.js';
import { compressEvents } from '../../../src/kernel/event-log/compression/compress-events.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;
let warned: unknown[];
let compression: EventCompression;

beforeAll(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href, max: 6 });
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});
beforeEach(() => {
  warned = [];
  const log = { warn: ({ project }: { project: unknown }) => warned.push(project) } as unknown as Logger;
  compression = new EventCompression(new Workers(loadConfig({ NODE_ENV: 'test' }), log), new Postgres(pool));
});
afterEach(async () => {
  for (const table of ['event_blocks', 'unsealed_events', 'sealing_walks', 'events', 'projects'])
    await pool.query(`DELETE FROM ${table}`);
});

/** With events that have waited in the queue for an hour, 2,048 to a turn. */
const newProject = async (turns: number): Promise<number> => {
  const id = await insertProject(pool);
  await pool.query('INSERT INTO sealing_walks (project_id, ended_at) VALUES ($1, now())', [id]);
  for (let turn = 0; turn < turns; turn += 1)
    await pool.query(
      `WITH made AS (
         INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
         SELECT $1, gen_random_uuid(), 'seen', 'ada', now(), now() - interval '1 hour', '{"plan":"pro"}'
         FROM generate_series(1, 2048) RETURNING uuid)
       INSERT INTO unsealed_events (project_id, uuids, size, received_at)
       SELECT $1, array_agg(uuid), 2048, now() - interval '1 hour' FROM made`,
      [id],
    );
  return id;
};

const waitingOf = async (project: number): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM events WHERE project_id = $1 AND block IS NULL',
    [project],
  );
  return rows[0]?.count ?? NaN;
};

it('compresses a part of each project in turn, so that a small one does not wait for the end of a large one', async () => {
  const large = await newProject(4);
  const small = await newProject(1);
  await compression.compress(new Date());
  expect([await waitingOf(large), await waitingOf(small)]).toEqual([0, 0]);
  // The identifiers of blocks are in the order of time.
  const { rows } = await pool.query<{ is_between: boolean }>(
    `SELECT (SELECT id FROM event_blocks WHERE project_id = $2 ORDER BY id DESC LIMIT 1) <
       (SELECT id FROM event_blocks WHERE project_id = $1 ORDER BY id OFFSET 64 * 2 LIMIT 1) AS is_between`,
    [large, small],
  );
  expect(rows).toEqual([{ is_between: true }]);
});

it('goes on with other projects when it fails in one, which it tries again', async () => {
  const broken = await newProject(1);
  const sound = await newProject(1);
  await pool.query(`ALTER TABLE event_blocks ADD CONSTRAINT refused CHECK (project_id <> ${broken})`);
  await compression.compress(new Date());
  expect([await waitingOf(broken), await waitingOf(sound), warned]).toEqual([2048, 0, [broken]]);
  const backlog = foundBacklogs.get('compression');
  expect(backlog?.waiting).toBe(2);
  expect(backlog?.waitedSeconds).toBeGreaterThanOrEqual(3600);
  expect(backlog?.waitedSeconds).toBeLessThan(3660);
  await pool.query('ALTER TABLE event_blocks DROP CONSTRAINT refused');
  await compression.compress(new Date());
  expect([await waitingOf(broken), warned]).toEqual([0, [broken]]);
  await compression.compress(new Date());
  expect(foundBacklogs.get('compression')).toEqual({ waiting: 0, waitedSeconds: 0 });
});

it('ends between two parts when the process stops, and the rest is done by the next one', async () => {
  const project = await newProject(6);
  const ended = expect(compression.compress(new Date())).rejects.toThrow(WorkEnded);
  await until(async () => (await waitingOf(project)) < 6 * 2048, { everyMs: 5 });
  await compression.worker.stop();
  await ended;
  const left = await waitingOf(project);
  expect(left % 2048).toBe(0);
  expect(left).toBeGreaterThan(0);
  expect(warned).toEqual([]);
  await new EventCompression(newWorkers(), new Postgres(pool)).compress(new Date());
  expect(await waitingOf(project)).toBe(0);
});

it('leaves an event its properties that is deleted and sent again while it is compressed', async () => {
  const project = await newProject(0);
  const uuid = randomUUID();
  const insert = (properties: string) =>
    pool.query(
      `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
       VALUES ($1, $2, 'seen', 'ada', now(), clock_timestamp(), $3)`,
      [project, uuid, properties],
    );
  await insert('{"version": "old"}');
  const interrupted = {
    query: async (statement: { name?: string }) => {
      if (statement.name === 'event-block-insert') {
        await pool.query('DELETE FROM events WHERE project_id = $1', [project]);
        await insert('{"version": "new"}');
      }
      return pool.query(statement as never);
    },
  } as unknown as ClientBase;
  expect(await compressEvents(interrupted, project, [uuid])).toBe(0);
  const { rows } = await pool.query('SELECT properties, block FROM events WHERE project_id = $1', [project]);
  expect(rows).toEqual([{ properties: { version: 'new' }, block: null }]);
  const { rows: blocks } = await pool.query('SELECT removals FROM event_blocks WHERE project_id = $1', [project]);
  expect(blocks).toEqual([{ removals: 1 }]);
  expect(await compressEvents(pool as unknown as ClientBase, project, [uuid])).toBe(1);
});
