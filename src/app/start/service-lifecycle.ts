import { setTimeout as sleep } from 'node:timers/promises';
import { type Service } from '../app.setup.js';
import { type Logger } from '../../platform/telemetry/logger.js';

export interface LifecycleParts {
  readonly logger: Logger;
  /** Opens the stores, starts the background work and listens. */
  readonly open: () => Promise<Service>;
  readonly exit: (code: number) => void;
  /** After a signal the process ends within this time, whatever it is doing. */
  readonly stopWithinMs: number;
}

const replaceWithinMs = 20_000;
const maxRestarts = 5;
const restartWindowMs = 600_000;

/**
 * The service of this process: started once, stopped by a signal, and replaced by a new one after an uncaught error,
 * because such an error may have left any state inconsistent.
 */
export class ServiceLifecycle {
  private service: Service | null = null;
  private isBusy = false;
  private stopReason: string | null = null;
  private readonly restarts: number[] = [];

  constructor(private readonly parts: LifecycleParts) {}

  /**
   * Rejects when the service cannot start. After a signal during the start, the service stops once it has started; when that
   * takes longer than `stopWithinMs`, the process ends.
   */
  async start(): Promise<void> {
    this.isBusy = true;
    this.service = await this.parts.open();
    this.isBusy = false;
    if (this.stopReason !== null) await this.stopNow();
  }

  stop(reason: string): void {
    if (this.stopReason !== null) return;
    this.stopReason = reason;
    setTimeout(() => this.endLate(), this.parts.stopWithinMs).unref();
    if (!this.isBusy) void this.stopNow();
  }

  /** Replaces the service. Ends the process, so that another one takes over, if no service runs or it restarts too often. */
  restart(): void {
    if (this.stopReason !== null && this.service !== null) return;
    if (this.isBusy || this.service === null || this.isRestartingTooOften()) {
      this.parts.exit(1);
      return;
    }
    void this.replace(this.service);
  }

  private async stopNow(): Promise<void> {
    const { logger, exit } = this.parts;
    logger.info({ reason: this.stopReason }, 'stopping');
    try {
      await this.service?.stop({ isAnnounced: true });
      logger.info('stopped');
      exit(0);
    } catch (error) {
      logger.fatal({ err: error }, 'did not stop cleanly');
      exit(1);
    }
  }

  /** Ends the process without closing the stores: the embedded ones end with it. */
  private endLate(): void {
    const { logger, exit, stopWithinMs } = this.parts;
    logger.fatal(`did not stop within ${stopWithinMs / 1000} s: the process ends without it`);
    exit(1);
  }

  private async replace(old: Service): Promise<void> {
    const { logger, exit } = this.parts;
    this.isBusy = true;
    this.service = null;
    logger.warn('the service is restarted inside of the process');
    try {
      await withinDeadline(() => old.stop());
      await this.start();
      logger.warn('the service has restarted');
    } catch (error) {
      logger.fatal({ err: error }, 'the service could not be restarted: the process ends');
      exit(1);
    }
  }

  private isRestartingTooOften(): boolean {
    const now = Date.now();
    this.restarts.push(now);
    return this.restarts.filter((at) => now - at < restartWindowMs).length > maxRestarts;
  }
}

const withinDeadline = async (stop: () => Promise<void>): Promise<void> => {
  const timer = new AbortController();
  const deadline = sleep(replaceWithinMs, 'late', { signal: timer.signal }).catch(() => 'stopped');
  try {
    if ((await Promise.race([stop(), deadline])) === 'late') {
      throw new Error(`the service did not stop within ${replaceWithinMs} ms`);
    }
  } finally {
    timer.abort();
  }
};
