import { Counter, Gauge, type Registry } from 'prom-client';
import { latestOccurrence } from '../../platform/time/schedule.js';
import { type ListedBackup, listBackups, pruneBackups } from './keep-backups.js';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Worker } from '../../platform/work/worker.js';
import { Workers } from '../../platform/work/workers.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';
import { Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { readManifest } from './files/manifest.js';
import { makeBackup } from './make-backup.js';
import { backupDestination } from './destinations/backup-destination.js';
import { type BackupDestination, BackupFault } from './destinations/destination.js';

/** Metrics of the newest backup in BACKUP_TO, no matter which process made it. */
class BackupMetrics {
  private readonly made: Gauge;
  private readonly seconds: Gauge;
  private readonly bytes: Gauge;
  private readonly failures: Counter;

  constructor(registry: Registry, schedule: string | null) {
    const registers = [registry];
    this.made = new Gauge({
      name: 'kohort_backup_last_success_timestamp_seconds',
      help: 'The moment of the newest scheduled backup; 0 until there is one',
      registers,
    });
    new Gauge({
      name: 'kohort_backup_expected_timestamp_seconds',
      help: 'The last scheduled moment but one, which the newest backup should follow; 0 without BACKUP_TO',
      registers,
      collect() {
        const latest = schedule && latestOccurrence(schedule, new Date());
        const before = latest && latestOccurrence(schedule, new Date(latest.getTime() - 1));
        if (before) this.set(before.getTime() / 1000);
      },
    });
    this.seconds = new Gauge({
      name: 'kohort_backup_duration_seconds',
      help: 'How long the newest scheduled backup took',
      registers,
    });
    this.bytes = new Gauge({
      name: 'kohort_backup_bytes',
      help: 'The size of the newest scheduled backup, with the files that it shares with earlier ones',
      registers,
    });
    this.failures = new Counter({
      name: 'kohort_backup_failures_total',
      help: 'Scheduled backups that this process could not make, or after which it could not remove older ones',
      registers,
    });
  }

  newest({ made, seconds, bytes }: ListedBackup): void {
    this.made.set(Date.parse(made ?? '') / 1000);
    this.seconds.set(seconds ?? 0);
    this.bytes.set(bytes ?? 0);
  }

  failed(): void {
    this.failures.inc();
  }
}

const everyMs = 10_000;
/** A failed backup is not repeated soon, because it may have worked for hours before it failed. */
const retryMs = [60_000, 60 * 60_000] as const;

/** A name such as `2026-11-29T03-00-00Z`. Not every file system allows colons. */
const nameAt = (moment: Date): string => `${moment.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
/** True for a scheduled backup. Backups with other names in the same destination belong to the operator. */
const isOurs = (name: string): boolean => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:\.|$)/.test(name);

type Scheduled = NonNullable<Config['backups']>;

/**
 * Makes a backup when a scheduled moment has passed since the newest one, in one process at a time. The backups in BACKUP_TO
 * decide if one is due, so a moment that was missed because no process ran, or one was killed, is made up for.
 */
@Injectable()
export class ScheduledBackups {
  readonly worker: Worker;
  private readonly lease: Lease;
  private readonly counters: BackupMetrics;
  private newest: Date | null = null;

  constructor(
    workers: Workers,
    private readonly config: Config,
    private readonly postgres: Postgres,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    { registry }: Metrics,
  ) {
    this.worker = workers.every(everyMs, {
      name: 'backup',
      task: 'backup',
      warning: 'the scheduled backup failed and is tried again',
      retryMs,
      run: () => this.run(),
      onFailure: () => this.counters.failed(),
    });
    this.lease = new Lease(postgres, 'backup');
    this.counters = new BackupMetrics(registry, config.backups?.schedule ?? null);
  }

  async run(): Promise<void> {
    const { backups } = this.config;
    if (!backups) return;
    const due = latestOccurrence(backups.schedule, this.postgres.clock.now());
    if (due && !(this.newest && this.newest >= due)) await this.lease.during(() => this.catchUp(backups, due));
  }

  private async catchUp({ to: folder, keep }: Scheduled, due: Date): Promise<void> {
    const { postgres, dataSource, lease } = this;
    const { backupKey: key, s3 } = this.config;
    const destination = backupDestination(folder, s3);
    const newest = await this.look(destination);
    if (this.newest && this.newest >= due) return;
    const since = newest && (await isReadable(newest, key)) ? newest.destination : null;
    const to = backupDestination(`${folder}/${nameAt(postgres.clock.now())}`, s3, since?.name);
    const assertContinuing = (): void => {
      this.worker.stopping.throwIfAborted();
      lease.check();
    };
    const request = { to, since, key, assertContinuing };
    const { files, shared, bytes } = await makeBackup({ postgres, dataSource }, request);
    this.logger.info({ backup: to.name, files, shared, bytes }, 'the scheduled backup is made');
    await this.look(destination);
    const removed = await pruneBackups(destination, keep, isOurs);
    if (removed.length > 0) this.logger.info({ removed: removed.map(({ name }) => name) }, 'older backups are removed');
  }

  /** Looks for the newest scheduled backup, which another process may have made. */
  private async look(destination: BackupDestination): Promise<ListedBackup | null> {
    const listed = await listBackups(destination);
    const newest = listed.find(({ name, made }) => isOurs(name) && made !== null) ?? null;
    if (newest === null) return null;
    this.newest = new Date(newest.made ?? 0);
    this.counters.newest(newest);
    return newest;
  }
}

/** False for a backup that was made without the key or with another key: the next backup cannot share its files. */
const isReadable = ({ destination }: ListedBackup, key: Buffer | null): Promise<boolean> =>
  readManifest(destination, key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof BackupFault) return false;
      throw error;
    },
  );
