import { Inject, Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '../common/logging/logger.js';
import { Config } from '../config/config.js';
import { dayOf } from '../events/ingest/quota/event-days.js';
import { isNearlyUsed, quotaNames, warnedPercent } from '../projects/quotas/quotas.js';
import { QuotasService } from './quotas.service.js';

const everyMs = 60_000;
const watchedProjects = 1000;

/**
 * Writes into the log when a quota is nearly used up: once, until less is used again or, for events, until the next day. In
 * processes that work in the background.
 */
@Injectable()
export class QuotaWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private written: ReadonlySet<string> = new Set();

  constructor(
    private readonly config: Config,
    private readonly quotas: QuotasService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.worksInBackground) return;
    this.timer = setInterval(() => {
      this.looking = this.looking
        .then(() => this.look(new Date()))
        .catch((error: unknown) => {
          this.logger.warn({ err: error }, 'the quotas could not be looked at and are looked at later');
        });
    }, everyMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  /** Nothing is lost when it fails: the next look writes. */
  async look(now: Date): Promise<void> {
    const near = new Set<string>();
    for (const { id, quotas, used } of await this.quotas.all(watchedProjects, now)) {
      for (const name of quotaNames) {
        const limit = quotas[name];
        if (limit === null || !isNearlyUsed(used[name], limit)) continue;
        const key = [id, name, limit, ...(name === 'events_per_day' ? [dayOf(now)] : [])].join(' ');
        near.add(key);
        if (this.written.has(key)) continue;
        this.logger.warn(
          { project: id, quota: name, limit, used: used[name] },
          `a project has used at least ${warnedPercent} % of a quota`,
        );
      }
    }
    this.written = near;
  }
}
