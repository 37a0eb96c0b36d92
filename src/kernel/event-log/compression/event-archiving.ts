import { Injectable } from '@nestjs/common';
import { WorkEnded } from '../../../platform/errors/work-ended.js';
import { type Worker } from '../../../platform/work/worker.js';
import { Workers } from '../../../platform/work/workers.js';
import { foundBacklogs } from '../../../platform/telemetry/background-runs.js';
import { Config } from '../../../platform/config/config.js';
import { hasEventArchive } from '../../../platform/objects/event-archive.js';
import { Lease } from '../../../platform/postgres/lease.js';
import { Postgres } from '../../../platform/postgres/postgres.js';
import { archiveDay, daysToArchive } from './archive-day.js';
import { dismissArchives, projectsWithUnfinishedArchives, removeDismissed } from './archives.repository.js';

const everyMs = 10 * 60_000;
const dayMs = 24 * 60 * 60_000;
/** A rest is this many times as long as the work before it, because capture and questions need the processor more. */
const rests = 3;

/** Moves blocks of days that ended long ago into files, in one process at a time. */
@Injectable()
export class EventArchiving {
  private readonly worker: Worker;
  private readonly lease: Lease;
  private readonly hotDays: number | null;

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
  ) {
    this.worker = workers.every(everyMs, {
      name: 'event archive',
      task: 'event_archive',
      warning: 'older events could not be archived and are archived later',
      run: () => this.run(),
    });
    this.hotDays = config.eventLogHotDays;
    this.lease = new Lease(postgres, 'event-archive');
  }

  async run(): Promise<void> {
    // Only the process that has the lease reports a backlog.
    foundBacklogs.delete('event_archive');
    if (!hasEventArchive()) return;
    await this.lease.during(async () => {
      await this.removeUnfinishedFiles();
      if (this.hotDays !== null) await this.archive(this.postgres.clock.now(), this.hotDays, rests);
    });
  }

  /** Archives all days that ended before the last `hotDays` days. */
  async archive(now: Date, hotDays: number, rest: number): Promise<void> {
    const upTo = new Date(now.getTime() - (hotDays + 1) * dayMs).toISOString().slice(0, 10);
    const days = await daysToArchive(this.postgres, upTo);
    const waitedMs = days.map(({ day }) => Date.parse(upTo) - Date.parse(day));
    foundBacklogs.set('event_archive', { waiting: days.length, waitedSeconds: Math.max(0, ...waitedMs) / 1000 });
    for (const day of days) {
      // A failure in one project must not keep the other projects waiting.
      const assertContinuing = (): void => this.worker.stopping.throwIfAborted();
      await archiveDay(this.postgres, day, { rests: rest, assertContinuing }).catch((error: unknown) => {
        if (error instanceof WorkEnded) throw error;
        this.worker.partFailed(error, { project: day.projectId, day: day.day });
      });
    }
  }

  /** Removes the files of processes that ended while they wrote, and of archives that were replaced by a new file. */
  private async removeUnfinishedFiles(): Promise<void> {
    for (const projectId of await projectsWithUnfinishedArchives(this.postgres)) {
      this.worker.stopping.throwIfAborted();
      await dismissArchives(this.postgres, projectId, 'abandoned');
      await removeDismissed(this.postgres, projectId);
    }
  }
}
