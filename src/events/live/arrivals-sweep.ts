import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '../../common/logging/logger.js';
import { Config } from '../../config/config.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { removeArrivalsSql } from './arrivals.sql.js';

/** A stream can be resumed for this long. An arrival is kept for longer, because its transaction may have taken long. */
export const resumableMs = 5 * 60_000;
const keptMs = 2 * resumableMs;

const everyMs = 60_000;
const chunk = 5000;

/** Removes arrivals that no stream can need any longer. Without an index: the table has the arrivals of some minutes. */
@Injectable()
export class ArrivalsSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.worksInBackground) return;
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.runQuietly());
    }, everyMs).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async run(now: Date): Promise<void> {
    const before = new Date(now.getTime() - keptMs);
    for (;;) {
      const { rowCount } = await this.postgres.query(removeArrivalsSql(before, chunk));
      if ((rowCount ?? 0) < chunk) return;
    }
  }

  private async runQuietly(): Promise<void> {
    await this.run(new Date()).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'old arrivals could not be removed and are removed later');
    });
  }
}
