import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkFiles, readManifest } from '../../src/operations/backup/files/manifest.js';
import { Folder } from '../../src/operations/backup/destinations/folder.js';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';
import { freshStores } from '../support/fresh-stores.js';
import {
  cli,
  commandLine,
  freePort,
  removeDir,
  start,
  tempDir,
  terminate,
  type Env,
  type RunningProcess,
} from '../support/process.js';
import { answersOf, ask, capture, openScene, password, type Scene } from './backup.fixture.js';

const kills = Number(process.env.BACKUP_KILLS ?? 1);
const key = randomBytes(32);
const noiseBatch = 5;

let dir: string;
let scene: Scene;
let service: RunningProcess;
let answers: Record<string, unknown>;
/** A backup that was made while events arrived. */
let backup: string;
let acknowledgedBefore = 0;
let acknowledged = 0;

const common = { BACKUP_KEY: key.toString('base64'), ALLOW_TEST_CLOCK: '1', LOG_LEVEL: 'error' };
const embedded = (name: string): Env => ({ ...common, DATA_DIR: join(dir, name) });

const read = <T>({ code, stdout, stderr }: Awaited<ReturnType<typeof cli>>): T => {
  if (code !== 0) throw new Error(`${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
};

interface Compared {
  readonly events: number;
  readonly persons: number;
  readonly static_members: number;
}

const verified = async (env: Env): Promise<Compared> => {
  const { differences, waiting, ...counts } = read<Compared & { differences: unknown[]; waiting: unknown[] }>(
    await cli(env, 'verify', '--json'),
  );
  expect({ differences, waiting }).toEqual({ differences: [], waiting: [] });
  return counts;
};

const noise = async (): Promise<void> => {
  const event = { event: 'noise', distinct_id: 'noisy', properties: { $process_person_profile: false } };
  await capture(
    service.url,
    scene,
    Array.from({ length: noiseBatch }, () => ({ ...event, timestamp: '2026-01-05' })),
  );
  acknowledged += noiseBatch;
};

const noiseIn = async (url: string): Promise<number> => {
  const answer = await ask(url, scene, 'POST', 'query', { query: `select count() from events where event = 'noise'` });
  return Number(((await answer.json()) as { results: number[][] }).results[0]?.[0]);
};

beforeAll(async () => {
  dir = await tempDir();
  ({ scene, service } = await openScene(embedded('source')));
  // As many rows as a backup needs some time for.
  const lines = Array.from({ length: 20_000 }, (_, n) =>
    JSON.stringify({
      ...{ type: 'event', event: 'filler', distinct_id: `filler-${n % 50}`, timestamp: '2026-01-06T00:00:00Z' },
      properties: { n, text: randomBytes(300).toString('hex'), $process_person_profile: false },
    }),
  );
  const imported = await fetch(`${service.url}/api/projects/${scene.file.project_id}/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.file.personal_api_key}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  if (imported.status !== 200) throw new Error(await imported.text());
  answers = await answersOf(service.url, scene);
  for (let n = 0; n < 5; n += 1) await noise();
  backup = join(dir, 'backups', 'first');
  acknowledgedBefore = acknowledged;
  const stop = new AbortController();
  const capturing = (async () => {
    while (!stop.signal.aborted) await noise();
  })();
  const made = await cli(scene.env, 'backup', '--to', backup, '--json');
  stop.abort();
  await capturing;
  expect(read(made)).toMatchObject({ backup, encrypted: true, shared_files: 0 });
}, 240_000);
afterAll(async () => {
  await terminate(service);
  await removeDir(dir);
});

const assertScene = async (url: string): Promise<void> => {
  expect(await answersOf(url, scene)).toEqual(answers);
  const count = await noiseIn(url);
  expect(count % noiseBatch).toBe(0);
  expect(count).toBeGreaterThanOrEqual(acknowledgedBefore);
  expect(count).toBeLessThanOrEqual(acknowledged);
};

describe('a backup of a running service', () => {
  it('becomes a service with the same answers, keys, sessions and passwords', async () => {
    expect(acknowledged).toBeGreaterThan(acknowledgedBefore);
    const env = embedded('restored');
    const restored = read<{ rows: number; events: number }>(await cli(env, 'restore', '--from', backup, '--json'));
    expect(restored.events).toBeGreaterThan(20_000);
    // Ada, Ben with Cleo, Dora, Dora's phone, and two members of the list.
    expect(await verified(env)).toMatchObject({ events: restored.events, persons: 4, static_members: 2 });
    const copy = await start(env);
    try {
      await assertScene(copy.url);
      const me = await fetch(`${copy.url}/api/users/@me`, { headers: { cookie: scene.cookie } });
      expect(await me.json()).toMatchObject({ email: 'eve@example.test' });
      const signIn = await fetch(`${copy.url}/api/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'eve@example.test', password }),
      });
      expect(signIn.status).toBe(201);
      // It goes on as a service: a new event of a known person, and a new person.
      await capture(copy.url, scene, [
        { event: 'after', distinct_id: 'ada' },
        { event: 'after', distinct_id: 'new', properties: { $set: { plan: 'new' } } },
      ]);
      const after = await ask(copy.url, scene, 'GET', 'events?event=after');
      const { results } = (await after.json()) as { results: { person_id: number }[] };
      expect(new Set(results.map(({ person_id }) => person_id)).size).toBe(2);
      const beside = await cli(env, 'verify');
      expect([beside.code, beside.stderr]).toEqual([
        1,
        'the running service has the embedded ClickHouse, which only one process can read: stop the service, and try again\n',
      ]);
      const again = await cli(env, 'restore', '--from', backup);
      expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^DATA_DIR .* is in use by process .*\n$/)]);
    } finally {
      await terminate(copy);
    }
    expect(await verified(env)).toMatchObject({ events: restored.events + 2, persons: 5 });
    const again = await cli(env, 'restore', '--from', backup);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^the PostgreSQL database is not empty, and has rows in \w+: a restore needs an empty database\n$/,
      ),
    ]);
  });

  it('shares its files with the next one, which does not need it', async () => {
    const second = join(dir, 'backups', 'second');
    const made = read<{ files: number; shared_files: number }>(
      await cli(scene.env, 'backup', '--to', second, '--since', backup, '--json'),
    );
    expect(made.shared_files).toBeGreaterThan(made.files / 2);
    await checkFiles(await readManifest(new Folder(second), key));
  });

  it('is refused without encryption while a key is set, unless the operator says so', async () => {
    const plain = join(dir, 'backups', 'plain');
    expect((await cli({ ...scene.env, BACKUP_KEY: '' }, 'backup', '--to', plain)).code).toBe(0);
    const env = embedded('downgraded');
    const refused = await cli(env, 'restore', '--from', plain);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`${plain} is not encrypted`)]);
    await expect(stat(env.DATA_DIR ?? '')).rejects.toThrow('ENOENT');
    const trusted = await cli(env, 'restore', '--from', plain, '--unencrypted', '--json');
    expect(trusted).toMatchObject({ code: 0 });
  });

  it('is refused before anything is written: with another key, or without a folder', async () => {
    const env: Env = { ...embedded('refused'), BACKUP_KEY: randomBytes(32).toString('base64') };
    const wrong = await cli(env, 'restore', '--from', backup);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      `${backup} was encrypted with another key: set BACKUP_KEY to the key with which it was made\n`,
    ]);
    const none = await cli(env, 'restore', '--from', join(dir, 'nowhere'));
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('is not a complete backup')]);
    const unnamed = await cli(env, 'restore');
    expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringContaining('--from is required')]);
    await expect(stat(env.DATA_DIR ?? '')).rejects.toThrow('ENOENT');
  });
});

describe('servers', () => {
  let stores: Awaited<ReturnType<typeof freshStores>>;
  let clickhouse: ClickHouseServer;
  beforeAll(async () => {
    stores = await freshStores();
    clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse'), port: await freePort() });
  });
  afterAll(async () => {
    await clickhouse.close();
    await stores.remove();
  });

  it('take the backup of embedded stores, and are compared and backed up beside the service', async () => {
    const env: Env = {
      ...common,
      DATA_DIR: join(dir, 'servers'),
      DATABASE_URL: stores.databaseUrl.href,
      ALLOW_UNSAFE_DATABASE: '1',
      CLICKHOUSE_URL: new URL('/kohort', clickhouse.url).href,
    };
    read(await cli(env, 'restore', '--from', backup, '--json'));
    const copy = await start(env);
    try {
      await assertScene(copy.url);
      expect(await verified(env)).toMatchObject({ persons: 4, static_members: 2 });
      const server = new URL('/?database=kohort&mutations_sync=2', clickhouse.url);
      await fetch(server, {
        method: 'POST',
        body: `DELETE FROM events WHERE event = 'signed up' AND distinct_id = 'ada'`,
      });
      const { code, stdout } = await cli(env, 'verify', '--json');
      expect(code).toBe(1);
      const { differences } = JSON.parse(stdout) as { differences: object[] };
      expect(differences).toEqual([
        expect.objectContaining({ kind: 'events', day: '2026-02-03', postgres: 2, clickhouse: 1 }),
      ]);
      const empty = await freshStores();
      const filled = await cli({ ...env, DATABASE_URL: empty.databaseUrl.href }, 'restore', '--from', backup);
      expect([filled.code, filled.stderr]).toEqual([
        1,
        'the ClickHouse database is not empty, and has events: a restore needs an empty database\n',
      ]);
      await empty.remove();
      const again = join(dir, 'backups', 'of-servers');
      read(await cli(env, 'backup', '--to', again, '--json'));
      await checkFiles(await readManifest(new Folder(again), key));
    } finally {
      await terminate(copy);
    }
  });
});

/** Starts a command and kills it after some time. */
const killed = async (env: Env, args: readonly string[], afterMs: () => Promise<unknown>): Promise<void> => {
  const child = spawn(...commandLine(env, args));
  const exited = once(child, 'exit');
  await Promise.race([afterMs(), exited]);
  child.kill('SIGKILL');
  await exited;
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

describe('a service that makes backups by itself', () => {
  it('makes the one at which it was killed after its next start, and removes what was left', async () => {
    const to = join(dir, 'backups of each night');
    const env: Env = { ...embedded('nightly'), BACKUP_TO: to, BACKUP_SCHEDULE: '0 3 * * *' };
    read(await cli({ ...env, BACKUP_TO: '' }, 'restore', '--from', backup, '--json'));
    const first = await start(env);
    const drafts = async (): Promise<string[]> => readdir(to).catch(() => []);
    const files = async (): Promise<number> =>
      Math.max(0, ...(await Promise.all((await drafts()).map(async (name) => (await readdir(join(to, name))).length))));
    while ((await files()) < 5) await sleep(2);
    const exited = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await exited;
    const left = await drafts();
    expect(left).toEqual([expect.stringMatching(/Z\.unfinished$/)]);
    const second = await start(env);
    try {
      const listed = () =>
        cli(env, 'backup', 'list', '--in', to, '--json').then(read<{ name: string; state: string }[]>);
      let names = await listed();
      for (; names.length !== 1 || names[0]?.state !== 'complete'; names = await listed()) await sleep(500);
      expect(await drafts()).toEqual([names[0].name]);
      expect(left[0]?.startsWith(names[0].name)).toBe(false);
    } finally {
      await terminate(second);
    }
    await checkFiles(await readManifest(new Folder(join(to, (await drafts())[0] ?? '')), key));
  }, 180_000);
});

describe('a command that is killed', () => {
  it(`leaves a whole backup or none (${kills} kills)`, async () => {
    let unfinished = 0;
    // A command that is done before it is killed shows nothing.
    for (let nth = 0; nth < kills || (unfinished === 0 && nth < kills + 5); nth += 1) {
      const to = join(dir, 'backups', `killed-${nth}`);
      const draft = `${to}.unfinished`;
      await killed(scene.env, ['backup', '--to', to], async () => {
        while (!(await exists(draft)) || (await readdir(draft)).length < 5) await sleep(2);
        await sleep(Math.random() * 400);
      });
      if (await exists(to)) {
        await checkFiles(await readManifest(new Folder(to), key));
        expect(await exists(draft)).toBe(false);
        continue;
      }
      unfinished += 1;
      const taken = await cli(embedded('never'), 'restore', '--from', draft);
      expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('is not a complete backup')]);
      read(await cli(scene.env, 'backup', '--to', to, '--json'));
      const whole = read<{ rows: number }>(await cli(scene.env, 'backup', 'verify', '--from', to, '--json'));
      expect(whole.rows).toBeGreaterThan(20_000);
      expect(await exists(draft)).toBe(false);
    }
    expect(unfinished).toBeGreaterThan(0);
  });

  it(`leaves a restore that goes on when it is run again (${kills} kills)`, async () => {
    const began = Date.now();
    read(await cli(embedded('timed'), 'restore', '--from', backup, '--json'));
    const wholeMs = Date.now() - began;
    for (let nth = 0; nth < kills; nth += 1) {
      const env = embedded(`killed-${nth}`);
      // From the first files of the database to the end.
      const share = kills === 1 ? 0.6 : 0.2 + (0.75 * nth) / (kills - 1);
      await killed(env, ['restore', '--from', backup], () => sleep(share * wholeMs));
      const next = await cli(env, 'restore', '--from', backup, '--json');
      // Only one that was killed at its very end is done.
      if (next.code !== 0) expect(next.stderr).toMatch(/^the PostgreSQL database is not empty/);
      const copy = await start(env);
      try {
        await assertScene(copy.url);
      } finally {
        await terminate(copy);
      }
      await verified(env);
    }
  });
});
