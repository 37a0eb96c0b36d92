import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Signal } from '../../common/background/signal.js';
import { keepRunning } from '../../common/background/keep-running.js';
import { Permits } from '../../common/background/permits.js';
import { within } from '../../common/background/within.js';
import { type Logger } from '../../common/logging/logger.js';
import { countedRun } from '../../common/metrics/background-runs.js';
import { Lease, LeaseLost } from '../../stores/postgres/lease.js';
import { type Postgres } from '../../stores/postgres/postgres.js';
import { type DueWebhook, dueWebhooks, noteNewChanges, type WebhookKey, webhookLeaseName } from './new-changes.js';

export interface WebhookWorkerParts {
  readonly postgres: Postgres;
  readonly logger: Logger;
  /** Whether no other process can send. */
  readonly sole: boolean;
  /** Notifies when a webhook was made due. */
  readonly work: Signal;
  /** Sends what is due to one webhook, for a while. */
  readonly turn: (webhook: WebhookKey, lease: Lease, signal: AbortSignal) => Promise<void>;
  /** Removes old entries of the log. */
  readonly sweep: (now: Date) => Promise<void>;
}

const ttlMs = 15_000;
const idleMs = 500;
/** Much work notifies often. */
const shortestPauseMs = 25;
const afterFailureMs = 2000;
const sweepEveryMs = 60_000;
const stopMs = 3_000;
/** A turn that takes longer has waited for its receiver. */
const slowMs = 4_000;

/**
 * Webhooks that this process works on at the same time. Those that are slow or fail may take half of the permits, so that
 * the others never wait for them.
 */
export const webhookLimits = { all: 64, slow: 32, project: 16, host: 8 } as const;

/** Sends changes to webhooks for as long as this process runs: many at the same time, each under a lease. */
export class WebhookWorker {
  private readonly running = new Map<string, Promise<void>>();
  private readonly permits = new Permits(webhookLimits);
  /** Webhooks whose last turn was slow. */
  private readonly slow = new Set<string>();
  private readonly stopping = new AbortController();
  private loop: Promise<void> | null = null;
  private sweptAt = performance.now();

  constructor(private readonly parts: WebhookWorkerParts) {
    // Every turn listens.
    setMaxListeners(0, this.stopping.signal);
  }

  start(): void {
    this.loop ??= keepRunning({
      name: 'webhooks',
      logger: this.parts.logger,
      run: () => this.run(),
      isStopping: () => this.stopping.signal.aborted,
    });
  }

  /** Messages in progress are sent again by the next process. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('The process that sends webhooks is stopping'));
    this.parts.work.notify();
    await within(stopMs, Promise.allSettled([this.loop, ...this.running.values()]));
  }

  private async run(): Promise<void> {
    const { work, logger } = this.parts;
    let warned = false;
    while (!this.stopping.signal.aborted) {
      const since = work.count;
      try {
        await this.round();
        await sleep(shortestPauseMs);
        await work.waitForNext(idleMs, since);
        warned = false;
      } catch (error) {
        if (!warned) logger.warn({ err: error }, 'webhooks cannot be looked for at the moment');
        warned = true;
        await work.waitForNext(afterFailureMs, work.count);
      }
    }
  }

  private async round(): Promise<void> {
    const { postgres, sole, sweep } = this.parts;
    const now = postgres.clock.now();
    await noteNewChanges(postgres, now);
    for (const webhook of await dueWebhooks(postgres, now, [...this.running.keys()], !sole)) this.begin(webhook);
    if (performance.now() - this.sweptAt < sweepEveryMs) return;
    this.sweptAt = performance.now();
    await sweep(now);
  }

  private begin(webhook: DueWebhook): void {
    const name = webhookLeaseName(webhook);
    const { projectId, isFailing } = webhook;
    const isSlow = isFailing || this.slow.has(name);
    const release = this.permits.tryTake({
      project: projectId,
      host: new URL(webhook.url).host,
      ...(isSlow && { slow: '' }),
    });
    if (!release) return;
    const turn = this.turn(webhook, name).finally(() => {
      release();
      this.running.delete(name);
      // It may have more to send, or another one may have waited for its permit.
      this.parts.work.notify();
    });
    this.running.set(name, turn);
  }

  private async turn(webhook: WebhookKey, name: string): Promise<void> {
    const { postgres, sole, logger, turn } = this.parts;
    const { signal } = this.stopping;
    const begun = performance.now();
    const lease = new Lease(postgres, name, { ttlMs, sole });
    try {
      if (!(await lease.acquire())) return;
      await countedRun('webhooks', () => turn(webhook, lease, signal));
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted) return;
      const { projectId: project, id } = webhook;
      logger.warn({ project, webhook: id, err: error }, 'a webhook could not be worked on; nothing is lost');
      await sleep(afterFailureMs, undefined, { signal }).catch(() => undefined);
    } finally {
      await lease.release().catch(() => undefined);
      if (performance.now() - begun > slowMs) this.slow.add(name);
      else this.slow.delete(name);
    }
  }
}
