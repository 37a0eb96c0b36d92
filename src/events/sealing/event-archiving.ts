import { Inject, Injectable } from '@nestjs/common';
import { PeriodicSweep, SweepEnded } from '../../common/background/periodic-sweep.js';
import { LOGGER, type Logger } from '../../common/logging/logger.js';
import { foundBacklogs } from '../../common/metrics/background-runs.js';
import { Config } from '../../config/config.js';
import { hasEventArchive } from '../../stores/objects/event-archive.js';
import { Lease } from '../../stores/postgres/lease.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { archiveDay, daysToArchive } from './archive-day.js';
import { dismissLeftArchives, projectsWithLeftArchives, removeDismissed } from './archive-records.js';

const everyMs = 10 * 60_000;
const dayMs = 24 * 60 * 60_000;
/** Rests for so many times as long as it works, because capture and questions need the processor more. */
const rests = 3;

/** Moves blocks of days that ended long ago into files, in one process at a time. */
@Injectable()
export class EventArchiving extends PeriodicSweep {
  private readonly lease: Lease;
  private readonly hotDays: number | null;

  constructor(
    config: Config,
    private readonly postgres: Postgres,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(config, logger, 'event_archive', everyMs, 'older events could not be archived and are archived later');
    this.hotDays = config.eventLogHotDays;
    this.lease = new Lease(postgres, 'event-archive');
  }

  async run(): Promise<void> {
    // The process with the lease says what waits.
    foundBacklogs.delete('event_archive');
    if (!hasEventArchive() || !(await this.lease.acquire())) return;
    try {
      await this.removeLeftFiles();
      if (this.hotDays !== null) await this.archive(this.postgres.clock.now(), this.hotDays, rests);
    } finally {
      await this.lease.release();
    }
  }

  /** Archives all days that ended before the last `hotDays` days. */
  async archive(now: Date, hotDays: number, rest: number): Promise<void> {
    const upTo = new Date(now.getTime() - (hotDays + 1) * dayMs).toISOString().slice(0, 10);
    const days = await daysToArchive(this.postgres, upTo);
    const waitedMs = days.map(({ day }) => Date.parse(upTo) - Date.parse(day));
    foundBacklogs.set('event_archive', { waiting: days.length, waitedSeconds: Math.max(0, ...waitedMs) / 1000 });
    for (const day of days) {
      // A failure in one project must not keep the others waiting.
      const demandContinuing = (): void => this.demandContinuing();
      await archiveDay(this.postgres, day, { rests: rest, demandContinuing }).catch((error: unknown) => {
        if (error instanceof SweepEnded) throw error;
        this.failed(error, { project: day.projectId, day: day.day });
      });
    }
  }

  /** Of processes that ended while they wrote, and of archives that were written anew. */
  private async removeLeftFiles(): Promise<void> {
    for (const projectId of await projectsWithLeftArchives(this.postgres)) {
      this.demandContinuing();
      await dismissLeftArchives(this.postgres, projectId, { all: false });
      await removeDismissed(this.postgres, projectId);
    }
  }
}
