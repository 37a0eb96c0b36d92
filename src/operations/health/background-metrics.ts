import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { within } from '../../platform/time/within.js';
import { type Backlog, type BackgroundTask } from '../../platform/telemetry/background-runs.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { sharedLook } from '../../platform/telemetry/shared-look.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { streamPermits } from '../../platform/work/stream-permits.js';
import { BackgroundWork } from './background-work.js';
import { pausedBatchExports } from '../../exports/batch/batch-export-records.js';
import { type Paused } from '../../platform/postgres/backlog.js';
import { pausedWebhooks } from '../../webhooks/deliveries/webhook-pause.js';

const timeoutMs = 1500;

interface Waiting {
  readonly backlogs: ReadonlyMap<BackgroundTask, Backlog>;
  readonly webhooks: Paused;
  readonly batchExports: Paused;
}

/** Counts the waiting background work. The gauges keep their last values while PostgreSQL is unavailable. */
@Injectable()
export class BackgroundMetrics {
  constructor(
    { registry }: Metrics,
    private readonly work: BackgroundWork,
    private readonly postgres: Postgres,
  ) {
    const registers = [registry];
    new Gauge({
      name: 'kohort_live_streams',
      help: 'Live streams that are open in this process',
      registers,
      collect() {
        this.set(streamPermits.count);
      },
    });
    const look = sharedLook(() => this.look());
    const gaugeOfTasks = (name: string, help: string, valueOf: (backlog: Backlog) => number) =>
      new Gauge({
        ...{ name, help, registers },
        labelNames: ['task'],
        async collect() {
          const seen = await look();
          if (!seen) return;
          this.reset();
          for (const [task, backlog] of seen.backlogs) this.set({ task }, valueOf(backlog));
        },
      });
    gaugeOfTasks(
      'kohort_background_waiting',
      'What waits for background work: cohorts, imports, requests, messages; of compression projects, of the archive days. Counted up to 10000',
      ({ waiting }) => waiting,
    );
    gaugeOfTasks(
      'kohort_background_oldest_waiting_seconds',
      'How long the oldest of what waits for background work has been due',
      ({ waitedSeconds }) => waitedSeconds,
    );
    const gaugeOfPaused = (name: string, help: string, valueOf: (seen: Waiting) => Paused) =>
      new Gauge({
        ...{ name, help, registers },
        labelNames: ['reason'],
        async collect() {
          const seen = await look();
          if (!seen) return;
          for (const [reason, number] of Object.entries(valueOf(seen))) this.set({ reason }, number as number);
        },
      });
    gaugeOfPaused(
      'kohort_webhooks_paused',
      'Webhooks that are paused by a user, or by the service because their messages failed',
      ({ webhooks }) => webhooks,
    );
    gaugeOfPaused(
      'kohort_batch_exports_paused',
      'Batch exports that are paused by a user, or by the service because their buckets failed',
      ({ batchExports }) => batchExports,
    );
  }

  private async look(): Promise<Waiting> {
    const seen = await within(timeoutMs, this.read());
    if (!seen) throw new Error('PostgreSQL did not answer in time');
    return seen;
  }

  private async read(): Promise<Waiting> {
    return {
      backlogs: await this.work.waiting(),
      webhooks: await pausedWebhooks(this.postgres),
      batchExports: await pausedBatchExports(this.postgres),
    };
  }
}
