import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { WorkEnded } from '../../platform/errors/work-ended.js';
import { Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { startCountedRun } from '../../platform/telemetry/background-runs.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { ProjectRotation } from '../../platform/work/active-projects.js';
import { type Worker } from '../../platform/work/worker.js';
import { Workers } from '../../platform/work/workers.js';
import { AlertChecker, alertError } from './alert-checker.js';
import { alertLeaseName, type DueAlert, forgetOldChecks, nextAlerts, recordFailedCheck } from './alert-records.js';

const ttlMs = 15_000;
const forgetEveryMs = 3_600_000;

/** Checks alerts whose time has come, in rotation between the projects, each under a lease. */
@Injectable()
export class AlertWorker {
  readonly worker: Worker;
  private readonly rotation = new ProjectRotation();
  private readonly sole: boolean;

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
    private readonly checker: AlertChecker,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sole = config.databaseUrl === null;
    this.worker = workers.add({
      name: 'alerts',
      warning: 'alerts cannot be checked at the moment',
      round: () => this.round(postgres.clock.now(), this.worker.stopping),
    });
    workers.every(forgetEveryMs, {
      name: 'old checks of alerts',
      warning: 'old checks of alerts could not be removed and are removed later',
      run: () => forgetOldChecks(postgres, postgres.clock.now()),
    });
  }

  wake(): void {
    this.worker.wake();
  }

  /** Checks one alert that is due at a moment. Returns null if there was none. */
  async round(now: Date, stopping: AbortSignal): Promise<number | null> {
    const { postgres, sole, rotation } = this;
    const due = await nextAlerts(postgres, now, rotation.held, !sole);
    const worked = await rotation.workOnOne(
      due.map((alert) => ({ projectId: alert.project_id, alert })),
      ({ alert }) => new Lease(postgres, alertLeaseName(alert), { ttlMs, sole }),
      ({ alert }, lease) => this.check(alert, lease, now, stopping),
    );
    return worked ? 0 : null;
  }

  private async check(alert: DueAlert, lease: Lease, now: Date, stopping: AbortSignal): Promise<void> {
    const end = startCountedRun('alerts');
    try {
      await this.checker.check(alert, lease, now, stopping);
      end('done');
    } catch (error) {
      if (error instanceof WorkEnded || stopping.aborted) throw error;
      const failure = alertError(error, this.postgres.clock.now());
      end(failure.code === 'unavailable' || failure.code === 'error' ? 'failed' : 'refused');
      const { project_id: project, id } = alert;
      this.logger.warn({ project, alert: id, code: failure.code, err: error }, 'an alert could not be checked');
      await recordFailedCheck(this.postgres, lease, alert, failure);
    }
  }
}
