import { Inject, Injectable } from '@nestjs/common';
import { Workers } from '../../platform/work/workers.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { dayOf } from '../../kernel/event-log/quota/event-days.js';
import { quotaNames, reachedPercents, warnedPercent } from '../../kernel/projects/quotas.js';
import { appendNotice } from '../../kernel/notices/notices.repository.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { QuotasService } from './quotas.service.js';

const everyMs = 60_000;
const watchedProjects = 1000;

/**
 * Tells when a quota is nearly used, and when it is used up: the log, once in each process, until less is used again or, for
 * events, until the next day; webhooks by a notice, once for a limit and, for events, a day.
 */
@Injectable()
export class QuotaWatch {
  private written: ReadonlySet<string> = new Set();

  constructor(
    workers: Workers,
    private readonly quotas: QuotasService,
    private readonly postgres: Postgres,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    workers.every(everyMs, {
      name: 'quotas',
      warning: 'the quotas could not be looked at and are looked at later',
      run: () => this.look(new Date()),
    });
  }

  /** Checks all quotas. After a failure nothing is lost, because the next check writes the warnings. */
  async look(now: Date): Promise<void> {
    const near = new Set<string>();
    for (const { id, quotas, used } of await this.quotas.all(watchedProjects, now)) {
      for (const name of quotaNames) {
        const limit = quotas[name];
        if (limit === null) continue;
        for (const percent of reachedPercents(used[name], limit)) {
          const key = [name, percent, limit, ...(name === 'events_per_day' ? [dayOf(now)] : [])].join(' ');
          near.add(`${id} ${key}`);
          if (this.written.has(`${id} ${key}`)) continue;
          const data = { quota: name, percent, limit, used: used[name] };
          await this.postgres.transaction((client) =>
            appendNotice(client, { id }, { type: 'quota.near', key, data, at: now }),
          );
          if (percent !== warnedPercent) continue;
          this.logger.warn(
            { project: id, quota: name, limit, used: used[name] },
            `a project has used at least ${warnedPercent} % of a quota`,
          );
        }
      }
    }
    this.written = near;
  }
}
