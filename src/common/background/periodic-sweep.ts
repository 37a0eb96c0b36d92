import { type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { type Config } from '../../config/config.js';
import { type Logger } from '../logging/logger.js';

/** Does a piece of work again and again in processes that work in the background, such as removing what has become too old. */
export abstract class PeriodicSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  constructor(
    private readonly config: Config,
    private readonly logger: Logger,
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
    clearInterval(this.timer);
    await this.running;
  }

  private async runQuietly(): Promise<void> {
    await this.run(new Date()).catch((error: unknown) => {
      this.logger.warn({ err: error }, this.message);
    });
    this.running = null;
  }
}
