import { type Signal } from '../../platform/work/signal.js';
import { type Workers } from '../../platform/work/workers.js';
import { type Logger } from '../../platform/telemetry/logger.js';
import { Notices, notify } from '../../platform/postgres/notices.js';
import { type Postgres } from '../../platform/postgres/postgres.js';

/** Tells the workers of other processes that a question waits, and hears of theirs and of what they have shipped. */
export class OtherProcesses {
  readonly notices: Notices;
  private isWaiting = false;
  private isWaking = false;
  private wakesAgain = false;

  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
    signals: { readonly work: Signal; readonly shipped: Signal },
    logger: Logger,
  ) {
    this.notices = new Notices(
      workers,
      postgres,
      {
        kohort_shipped: () => signals.shipped.notify(),
        kohort_waiting: () => {
          this.isWaiting = true;
          signals.work.notify();
        },
      },
      logger,
    );
  }

  /** 1 from the moment a question of any process waits until this process has shipped. */
  get waiting(): number {
    return this.isWaiting ? 1 : 0;
  }

  shipped(): void {
    this.isWaiting = false;
  }

  /** Questions that come while a notice is on its way share the next one. */
  wake(): void {
    if (this.isWaking) {
      this.wakesAgain = true;
      return;
    }
    this.isWaking = true;
    void notify(this.postgres, 'kohort_waiting')
      .catch(() => undefined)
      .finally(() => {
        this.isWaking = false;
        if (!this.wakesAgain) return;
        this.wakesAgain = false;
        this.wake();
      });
  }
}
