import { Inject, Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Permits } from '../../platform/work/permits.js';
import { WorkEnded } from '../../platform/errors/work-ended.js';
import { type Worker } from '../../platform/work/worker.js';
import { Workers } from '../../platform/work/workers.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { countedRun } from '../../platform/telemetry/background-runs.js';
import { Config } from '../../platform/config/config.js';
import { Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { forgetOldNotices } from '../../kernel/notices/notices.repository.js';
import { Deliverer } from './deliverer.js';
import { noteNewNotices } from './notice-positions.js';
import { forgetOldDeliveries } from './deliveries.repository.js';
import {
  type DueWebhook,
  dueWebhooks,
  noteNewChanges,
  someWait,
  type WebhookKey,
  webhookLeaseName,
} from './new-changes.js';

const ttlMs = 15_000;
const pollMs = 500;
/** The pause after each round, because much work wakes the worker often. */
const shortestPauseMs = 25;
const afterFailureMs = 2000;
const forgetEveryMs = 60_000;
/** A delivery that takes longer than this counts as slow: it has waited for its receiver. */
const slowMs = 4_000;

/**
 * The numbers of webhooks that this process works on at the same time. Slow and failing webhooks may take half of the permits, so
 * that the others never wait for them.
 */
export const webhookLimits = { all: 64, slow: 32, project: 16, host: 8 } as const;

/**
 * Sends changes to webhooks, many at the same time, each under a lease. After a process ends, the next one sends its messages in
 * progress again.
 */
@Injectable()
export class WebhookWorker {
  private readonly running = new Map<string, Promise<void>>();
  private readonly permits = new Permits(webhookLimits);
  /** Webhooks whose last delivery was slow. */
  private readonly slow = new Set<string>();
  private readonly worker: Worker;
  private readonly sole: boolean;

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
    private readonly deliverer: Deliverer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sole = config.databaseUrl === null;
    this.worker = workers.add({
      name: 'webhooks',
      warning: 'webhooks cannot be looked for at the moment',
      retryMs: [afterFailureMs, afterFailureMs],
      pollMs,
      round: () => this.round(),
      end: () => Promise.allSettled(this.running.values()),
    });
    workers.every(forgetEveryMs, {
      name: 'old deliveries',
      warning: 'old deliveries and notices could not be removed and are removed later',
      run: async () => {
        const now = postgres.clock.now();
        await forgetOldDeliveries(postgres, now);
        await forgetOldNotices(postgres, now);
      },
    });
  }

  /** Signals that a webhook was made due. The signal only saves time: due webhooks are looked for anyway. */
  wake(): void {
    this.worker.wake();
  }

  private async round(): Promise<number | null> {
    const { postgres, sole } = this;
    const now = postgres.clock.now();
    await noteNewChanges(postgres, now);
    await noteNewNotices(postgres, now);
    if (sole && !(await someWait(postgres))) return null;
    for (const webhook of await dueWebhooks(postgres, now, [...this.running.keys()], !sole)) this.start(webhook);
    await sleep(shortestPauseMs);
    // A message that failed is sent again at its time.
    return pollMs;
  }

  private start(webhook: DueWebhook): void {
    const name = webhookLeaseName(webhook);
    const { projectId, isFailing } = webhook;
    const isSlow = isFailing || this.slow.has(name);
    const release = this.permits.tryTake({
      project: projectId,
      host: new URL(webhook.url).host,
      ...(isSlow && { slow: '' }),
    });
    if (!release) return;
    const delivering = this.delivering(webhook, name).finally(() => {
      release();
      this.running.delete(name);
      // This webhook may have more to send, or another webhook may have waited for its permit.
      this.wake();
    });
    this.running.set(name, delivering);
  }

  private async delivering(webhook: WebhookKey, name: string): Promise<void> {
    const { postgres, sole, logger, deliverer } = this;
    const { stopping } = this.worker;
    const startedAt = performance.now();
    const lease = new Lease(postgres, name, { ttlMs, sole });
    try {
      await lease.during(() => countedRun('webhooks', () => deliverer.deliver(webhook, lease, stopping)));
    } catch (error) {
      if (error instanceof WorkEnded || stopping.aborted) return;
      const { projectId: project, id } = webhook;
      logger.warn({ project, webhook: id, err: error }, 'a webhook could not be worked on; nothing is lost');
      await sleep(afterFailureMs, undefined, { signal: stopping }).catch(() => undefined);
    } finally {
      if (performance.now() - startedAt > slowMs) this.slow.add(name);
      else this.slow.delete(name);
    }
  }
}
