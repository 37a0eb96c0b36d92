import { type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { type Config } from '../../config/config.js';
import { type Logger } from '../logging/logger.js';

/** Removes what has become too old, again and again in processes that work in the background. */
export abstract class PeriodicSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: Config,
    private readonly logger: Logger,
    private readonly everyMs: number,
    /** The subject of the message about a failure, such as `old arrivals`. */
    private readonly what: string,
  ) {}

  abstract run(now: Date): Promise<void>;

  onApplicationBootstrap(): void {
    if (!this.config.worksInBackground) return;
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.runQuietly());
    }, this.everyMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async runQuietly(): Promise<void> {
    await this.run(new Date()).catch((error: unknown) => {
      this.logger.warn({ err: error }, `${this.what} could not be removed and are removed later`);
    });
  }
}
