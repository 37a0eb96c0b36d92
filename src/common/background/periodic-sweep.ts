import { type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { type Config } from '../../config/config.js';
import { type Logger } from '../logging/logger.js';
import { beginCountedRun, type BackgroundTask } from '../metrics/background-runs.js';

/** The process stops; the next one continues the work. */
export class SweepEnded extends Error {}

/** Does a piece of work again and again in processes that work in the background, such as removing what has become too old. */
export abstract class PeriodicSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private hasFailed = false;
  protected isEnding = false;

  constructor(
    protected readonly config: Config,
    private readonly logger: Logger,
    private readonly task: BackgroundTask,
    private readonly everyMs: number,
    /** The message about a failure. The work is tried again. */
    private readonly message: string,
  ) {}

  abstract run(now: Date): Promise<void>;

  onApplicationBootstrap(): void {
    if (!this.config.worksInBackground) return;
    this.timer = setInterval(() => {
      this.running ??= this.runQuietly();
    }, this.everyMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** For long work: called between its parts, it lets a process that stops wait for one part only. */
  protected demandContinuing(): void {
    if (this.isEnding) throw new SweepEnded();
  }

  /** For work on several projects: a failure in one must not keep the others waiting, and the run still counts as failed. */
  protected failed(error: unknown, about: { readonly project?: number; readonly day?: string } = {}): void {
    this.hasFailed = true;
    this.logger.warn({ err: error, ...about }, this.message);
  }

  private async runQuietly(): Promise<void> {
    const end = beginCountedRun(this.task);
    this.hasFailed = false;
    try {
      await this.run(new Date());
    } catch (error) {
      if (!(error instanceof SweepEnded)) this.failed(error);
    }
    if (!this.isEnding) end(this.hasFailed ? 'failed' : 'done');
    this.running = null;
  }
}
