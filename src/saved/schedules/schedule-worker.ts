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
import { alertError } from '../alerts/alert-checker.js';
import { BoardSender } from './board-sender.js';
import { nextSchedules, scheduleLeaseName, type DueSchedule } from './schedules.repository.js';

const ttlMs = 15_000;

/** Sends dashboards whose time has come, in rotation between the projects, each under a lease. */
@Injectable()
export class ScheduleWorker {
  readonly worker: Worker;
  private readonly rotation = new ProjectRotation();
  private readonly sole: boolean;

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
    private readonly sender: BoardSender,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sole = config.databaseUrl === null;
    this.worker = workers.add({
      name: 'dashboard schedules',
      warning: 'dashboards cannot be sent at the moment; they wait',
      round: () => this.round(postgres.clock.now(), this.worker.stopping),
    });
  }

  /** Works on one schedule that is due at a moment. Returns null if there was none. */
  async round(now: Date, stopping: AbortSignal): Promise<number | null> {
    const { postgres, sole, rotation } = this;
    const due = await nextSchedules(postgres, now, rotation.held, !sole);
    const worked = await rotation.workOnOne(
      due.map((schedule) => ({ projectId: schedule.project_id, schedule })),
      ({ schedule }) => new Lease(postgres, scheduleLeaseName(schedule), { ttlMs, sole }),
      ({ schedule }, lease) => this.work(schedule, lease, now, stopping),
    );
    return worked ? 0 : null;
  }

  private async work(schedule: DueSchedule, lease: Lease, now: Date, stopping: AbortSignal): Promise<void> {
    const end = startCountedRun('dashboard_schedules');
    try {
      await this.sender.work(schedule, lease, now, stopping);
      end('done');
    } catch (error) {
      if (error instanceof WorkEnded || stopping.aborted) throw error;
      end('failed');
      this.logger.warn({ project: schedule.project_id, schedule: schedule.id, err: error }, 'a dashboard was not sent');
      await this.sender.postpone(schedule, lease, alertError(error, now).detail, now);
    }
  }
}
