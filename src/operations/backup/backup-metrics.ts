import { Counter, Gauge, type Registry } from 'prom-client';
import { latestOccurrence } from '../../platform/time/schedule.js';
import { type ListedBackup } from './keep-backups.js';

/** Of the newest backup in BACKUP_TO, whichever process made it. */
export class BackupMetrics {
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
