import { Counter, Gauge, type Registry } from 'prom-client';
import { latestFinish } from './job/deletion-runs.repository.js';
import { type Queryable } from '../platform/postgres/postgres.js';

const pending = `
  SELECT count(*) AS number FROM deletion_requests WHERE settled_at IS NULL AND state <> 'done'`;

/** The gauges keep their last value while PostgreSQL is unavailable. */
export class DeletionMetrics {
  private readonly deletedEvents: Counter;
  private readonly expiredEvents: Counter;
  private readonly failures: Counter;

  constructor(registry: Registry, postgres: Queryable) {
    const registers = [registry];
    new Gauge({
      name: 'kohort_deletion_requests_pending',
      help: 'Deletion requests whose events are not all deleted',
      registers,
      async collect() {
        const answer = await postgres.query<{ number: string }>(pending).catch(() => null);
        if (answer) this.set(Number(answer.rows[0]?.number));
      },
    });
    new Gauge({
      name: 'kohort_deletion_last_run_timestamp_seconds',
      help: 'When the deletion of events was last finished',
      registers,
      async collect() {
        const at = await latestFinish(postgres).catch(() => null);
        if (at) this.set(at.getTime() / 1000);
      },
    });
    this.deletedEvents = new Counter({
      name: 'kohort_deleted_events_total',
      help: 'Events of deleted persons deleted by this process',
      registers,
    });
    this.expiredEvents = new Counter({
      name: 'kohort_expired_events_total',
      help: 'Events older than their project keeps them, removed by this process',
      registers,
    });
    this.failures = new Counter({
      name: 'kohort_deletion_failures_total',
      help: 'Attempts of this process to delete events that were interrupted by an error',
      registers,
    });
  }

  deleted(events: number): void {
    this.deletedEvents.inc(events);
  }

  expired(events: number): void {
    this.expiredEvents.inc(events);
  }

  failed(): void {
    this.failures.inc();
  }
}
