import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { BackupKey } from '../../src/operations/backup/files/backup-key.js';
import { writtenManifest } from '../../src/operations/backup/files/manifest.js';
import { makeBackup } from '../../src/operations/backup/make-backup.js';
import { Folder } from '../../src/operations/backup/destinations/folder.js';
import { manifestFile } from '../../src/operations/backup/destinations/destination.js';
import { ScheduledBackups } from '../../src/operations/backup/scheduled-backups.js';
import { Workers } from '../../src/platform/work/workers.js';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { Lease } from '../../src/platform/postgres/lease.js';
import { newProject } from '../support/projection-scene.js';
import { until } from '../support/until.js';
import { addPerson, databases, type Connected } from './backup.fixture.js';

const { open, close } = databases();
let source: Connected;
let folder: string;

beforeAll(async () => {
  source = await open();
  await addPerson(source, await newProject(source.postgres.pool), 'ada');
});
beforeEach(async () => {
  folder = await mkdtemp(join(process.env.TEST_RUN_DIR ?? '', 'scheduled-'));
});
afterAll(close);

const scheduled = (keep: number) => {
  const metrics = new Metrics();
  const config = loadConfig({ BACKUP_TO: folder, BACKUP_KEEP: String(keep), BACKUP_SCHEDULE: '0 0 * * *' });
  const { postgres, dataSource } = source;
  const logger = pino({ level: 'silent' });
  const workers = new Workers(config, logger);
  const job = new ScheduledBackups(workers, config, postgres, dataSource, logger, metrics);
  const value = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics.registry.metrics())?.[1]);
  return { job, value, workers };
};

const dayMs = 24 * 60 * 60_000;

/** A backup as it was made some days ago. */
const madeBefore = async (days: number, name: (at: string) => string): Promise<string> => {
  const startedAt = new Date(Date.now() - days * dayMs).toISOString();
  const to = join(folder, name(startedAt.slice(0, 19).replaceAll(':', '-')));
  const { manifest } = await makeBackup(source, { to: new Folder(to), since: null, key: null });
  const { text } = writtenManifest({ ...manifest, startedAt, finishedAt: startedAt }, new BackupKey(null));
  await writeFile(join(to, manifestFile), text);
  return to;
};

describe('scheduled backups', () => {
  it('make one when a moment has passed, share files, keep the newest, and leave those of the operator', async () => {
    await madeBefore(9, (at) => `${at}Z`);
    const before = await madeBefore(2, (at) => `${at}Z`);
    await madeBefore(20, () => 'before-the-upgrade');
    await mkdir(join(folder, '2026-01-01T00-00-00Z.unfinished'));
    const { job, value } = scheduled(2);
    const began = Date.now() / 1000;
    await job.run();
    const names = (await readdir(folder)).sort();
    expect(names).toEqual([
      before.split('/').at(-1),
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/),
      'before-the-upgrade',
    ]);
    expect(await value('kohort_backup_last_success_timestamp_seconds')).toBeGreaterThan(began - 1);
    expect(await value('kohort_backup_bytes')).toBeGreaterThan(1000);
    expect(await value('kohort_backup_failures_total')).toBe(0);
    const expected = await value('kohort_backup_expected_timestamp_seconds');
    expect(began - expected).toBeGreaterThan(86_000);
    expect(began - expected).toBeLessThanOrEqual(2 * 86_400);
    // The next moment has not come, and another process finds what this one has made.
    await job.run();
    const other = scheduled(2);
    await other.job.run();
    expect((await readdir(folder)).sort()).toEqual(names);
    expect(await other.value('kohort_backup_last_success_timestamp_seconds')).toBeGreaterThan(began - 1);
  }, 120_000);

  it('are made by one process, and wait while another one makes them', async () => {
    const lease = new Lease(source.postgres, 'backup');
    expect(await lease.acquire()).toBe(true);
    const { job } = scheduled(2);
    await job.run();
    expect(await readdir(folder)).toEqual([]);
    await lease.release();
    await job.run();
    expect((await readdir(folder)).length).toBe(1);
  }, 120_000);

  it('count a failure, and are tried again later', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'is a file');
    const { job, value, workers } = scheduled(2);
    await expect(job.run()).rejects.toThrow(`${folder} cannot be read (ENOTDIR)`);
    workers.start();
    job.worker.wake();
    await until(async () => (await value('kohort_backup_failures_total')) === 1);
    await rm(folder);
    // Not at once, because a backup may have worked for hours before it failed.
    job.worker.wake();
    await sleep(300);
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    await workers.stop();
  });
});
