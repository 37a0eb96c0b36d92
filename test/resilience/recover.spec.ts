import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cli,
  commandLine,
  launch,
  removeDir,
  start,
  tempDir,
  terminate,
  untilReady,
  type CliResult,
  type Env,
  type RunningProcess,
} from '../support/process.js';
import { until } from '../support/until.js';
import { answersOf, ask, capture, openScene, type Scene } from './backup.fixture.js';

const kills = Number(process.env.KILLS ?? 2);

let dir: string;
let archive: string;
let scene: Scene;
let service: RunningProcess;
/** Between the first changes and the others. */
let moment: string;
let answersThen: Record<string, unknown>;
let answersAtEnd: Record<string, unknown>;
/** Of the service that archived. */
let metrics: string;

const envOf = (name: string, more: Env = {}): Env => ({
  ...{ ALLOW_TEST_CLOCK: '1', LOG_LEVEL: 'error', DATA_DIR: join(dir, name), ...more },
});
const archived = (name: string): Env => envOf(name, { WAL_ARCHIVE_DIR: archive });

const read = <T>({ code, stdout, stderr }: CliResult): T => {
  if (code !== 0) throw new Error(`${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
};

const recover = (env: Env, ...more: readonly string[]) => cli(env, 'recover', '--from', archive, '--json', ...more);

const bought = (uuid: string, timestamp: string) => ({
  ...{ event: 'bought', distinct_id: 'ada', uuid, timestamp, properties: { price: 1 } },
});

/** Runs the service on a folder as long as `work` takes. */
const serving = async <T>(env: Env, work: (url: string) => Promise<T>): Promise<T> => {
  const running = await start(env);
  try {
    return await work(running.url);
  } finally {
    await terminate(running);
  }
};

beforeAll(async () => {
  dir = await tempDir();
  archive = join(dir, "archive of 100 % of Kohort's log");
  ({ scene, service } = await openScene(archived('source')));
  read(await cli(archived('source'), 'base-backup', '--json'));
  await capture(service.url, scene, [bought('0198c8a6-0000-7000-8000-000000000001', '2026-02-20')]);
  answersThen = await answersOf(service.url, scene);
  moment = new Date().toISOString();
  await sleep(50);
  await capture(service.url, scene, [bought('0198c8a6-0000-7000-8000-000000000002', '2026-02-21')]);
  await ask(service.url, scene, 'PATCH', `cohorts/${scene.cohorts.dynamic}`, { name: 'Renamed' });
  answersAtEnd = await answersOf(service.url, scene);
  const isArchived = /^kohort_background_run_seconds_count\{task="wal_archive",outcome="done"\} [1-9]/m;
  await until(async () => isArchived.test((metrics = await (await fetch(`${service.url}/metrics`)).text())));
  await terminate(service);
}, 120_000);

afterAll(() => removeDir(dir));

describe('the archive of the embedded PostgreSQL', () => {
  it('has metrics of its age, and of what the stores take on the disk', () => {
    const value = (series: string) =>
      Number(
        metrics
          .split('\n')
          .find((line) => line.startsWith(series))
          ?.split(' ')[1],
      );
    const age = (task: string) =>
      Date.now() / 1000 - value(`kohort_background_last_success_timestamp_seconds{task="${task}"}`);
    expect(age('wal_archive')).toBeLessThan(120);
    expect(age('base_backup')).toBeLessThan(120);
    expect(value('kohort_background_run_seconds_count{task="wal_archive",outcome="failed"}')).toBe(0);
    const stores = ['postgres', 'postgres_log', 'clickhouse'].map((store) =>
      value(`kohort_data_bytes{store="${store}"}`),
    );
    expect(Math.min(...stores)).toBeGreaterThan(0);
    // Two files of the log at least.
    expect(stores[1]).toBeGreaterThanOrEqual(2 * 16 * 1024 ** 2);
    const [size, free] = ['size', 'free'].map((state) => value(`kohort_disk_bytes{state="${state}"}`));
    expect(free).toBeGreaterThan(0);
    expect(size).toBeGreaterThan(free ?? Infinity);
  });

  it('recovers all that was there at the moment, and nothing that came later', async () => {
    expect(answersThen).not.toEqual(answersAtEnd);
    const made = read<object>(await recover(envOf('then'), '--until', moment));
    expect(made).toEqual({ until: moment, persons: 4, events: 14 });
    expect(read(await cli(envOf('then'), 'verify', '--json'))).toMatchObject({ differences: [], waiting: [] });
    expect(await serving(envOf('then'), (url) => answersOf(url, scene))).toEqual(answersThen);
  });

  it('recovers all that it has without a moment', async () => {
    expect(read(await recover(envOf('end')))).toMatchObject({ until: null, events: 15 });
    expect(await serving(envOf('end'), (url) => answersOf(url, scene))).toEqual(answersAtEnd);
  });

  it('recovers from a copy on another machine, packed or not', async () => {
    const copy = join(dir, 'copy');
    await cp(archive, copy, { recursive: true });
    expect(read(await cli(envOf('copied'), 'recover', '--from', copy, '--json'))).toMatchObject({ events: 15 });
  });

  it('is not recovered in part when a file of the log is damaged', async () => {
    const damaged = join(dir, 'damaged');
    await cp(archive, damaged, { recursive: true });
    const files = (await readdir(join(damaged, 'wal'))).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).sort();
    await writeFile(join(damaged, 'wal', files.at(-1) ?? ''), 'no gzip');
    const { code, stderr } = await cli(envOf('from damaged'), 'recover', '--from', damaged);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/could not restore file/)]);
    expect(await readdir(join(dir, 'from damaged'))).not.toContain('postgres');
  });

  it.each([
    ['a moment before its first base backup', ['--until', '2026-01-01T00:00:00Z'], /--until must be later/],
    ['a moment after its end', ['--until', '2226-01-01T00:00:00Z'], /the archive ends before 2226-01-01/],
    ['a moment without a zone', ['--until', '2026-11-27T12:00:00'], /--until must be a moment with its zone/],
  ])('refuses %s, and leaves no installation', async (_, words, message) => {
    const { code, stderr } = await recover(envOf('refused'), ...words);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(await readdir(join(dir, 'refused')).catch((): string[] => [])).not.toContain('postgres');
  });

  it('refuses a folder that has stores, or is no archive', async () => {
    expect((await recover(envOf('source'))).stderr).toMatch(/has postgres already: move it away/);
    const { stderr } = await cli(envOf('empty'), 'recover', '--from', dir);
    expect(stderr).toMatch(/has no base backup: name the folder that was WAL_ARCHIVE_DIR/);
  });

  it('refuses the log of another installation', async () => {
    const other = await launch(archived('other'));
    await other.exited;
    expect(other.output()).toMatch(/has the archive of another installation: set WAL_ARCHIVE_DIR to an empty folder/);
  });

  it('is whole however often a recovery is killed', async () => {
    const env = envOf('killed');
    for (let n = 0; n < kills; n += 1) {
      const [program, words, options] = commandLine(env, ['recover', '--from', archive, '--until', moment]);
      const child = spawn(program, words, { ...options, stdio: 'ignore' });
      const exited = once(child, 'exit');
      await sleep(300 + (n * 700) / kills);
      child.kill('SIGKILL');
      await exited;
      // A recovery that had come as far as the name of the cluster leaves an installation, whose next start fills ClickHouse.
      if ((await readdir(join(dir, 'killed')).catch((): string[] => [])).includes('postgres'))
        await removeDir(join(dir, 'killed'));
    }
    expect(read(await recover(env, '--until', moment))).toMatchObject({ events: 14 });
    expect(await serving(env, (url) => answersOf(url, scene))).toEqual(answersThen);
  }, 240_000);

  it('goes on after a recovery, and has that history from then on', async () => {
    await rm(join(dir, 'source'), { recursive: true });
    read(await recover(archived('source'), '--until', moment));
    await serving(archived('source'), (url) =>
      capture(url, scene, [bought('0198c8a6-0000-7000-8000-000000000003', '2026-02-22')]),
    );
    expect(read(await recover(envOf('gone on')))).toMatchObject({ events: 15 });
    const times = await serving(envOf('gone on'), async (url) => {
      const answer = await ask(url, scene, 'GET', 'events?distinct_id=ada&limit=3');
      const { results } = (await answer.json()) as { results: { timestamp: string }[] };
      return results.map(({ timestamp }) => timestamp.slice(0, 10));
    });
    // The event of the 21st belongs to the history that was left.
    expect(times).toEqual(['2026-02-22', '2026-02-20', '2026-02-09']);
  });

  it('begins with a new base backup after a start without it, whose log is missing', async () => {
    await serving(envOf('source'), () => Promise.resolve());
    const bases = async () => (await readdir(join(archive, 'base'))).length;
    const before = await bases();
    await serving(archived('source'), async () => {
      for (const end = Date.now() + 60_000; (await bases()) === before && Date.now() < end;) await sleep(100);
      while ((await readdir(join(dir, 'source', 'postgres'))).includes('archive.gap')) await sleep(100);
    });
    expect(await bases()).toBe(before + 1);
    expect(read(await recover(envOf('after the gap')))).toMatchObject({ events: 15 });
  });

  it('is left without an unfinished base backup when the service is killed', async () => {
    const env = archived('source');
    service = await launch(env);
    await untilReady(service);
    const [program, words, options] = commandLine(env, ['base-backup']);
    const child = spawn(program, words, { ...options, stdio: 'ignore' });
    const exited = once(child, 'exit');
    const bases = () => readdir(join(archive, 'base'));
    const before = (await bases()).length;
    while ((await bases()).length === before && child.exitCode === null) await sleep(1);
    service.child.kill('SIGKILL');
    child.kill('SIGKILL');
    await Promise.all([service.exited, exited]);
    service = await start(env);
    const made = read<{ base_backups: number }>(await cli(env, 'base-backup', '--json'));
    expect(made.base_backups).toBe((await bases()).length);
    await terminate(service);
    expect(read(await recover(envOf('last')))).toMatchObject({ events: 15 });
  });
});
