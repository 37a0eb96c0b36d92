import { Injectable } from '@nestjs/common';
import { waitingCohorts } from '../../cohorts/record/calculations.repository.js';
import { waitingDeletions } from '../../deletions/job/deletion-requests.repository.js';
import { waitingBatchExports } from '../../exports/batch/batch-export-records.js';
import { waitingImports } from '../../events/import/jobs/import-jobs.repository.js';
import { waitingProjectDeletions } from '../../kernel/projects/project-deletions.repository.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { foundBacklogs, type Backlog, type BackgroundTask } from '../../platform/telemetry/background-runs.js';
import { waitingMails } from '../../saved/alerts/alert-mails.js';
import { waitingAlerts } from '../../saved/alerts/alert-records.js';
import { waitingSchedules } from '../../saved/schedules/schedules.repository.js';
import { waitingMessages } from '../../webhooks/deliveries/new-changes.js';

const minuteMs = 60_000;

/** Counts the waiting background work of the whole installation. */
@Injectable()
export class BackgroundWork {
  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
  ) {}

  /** Runs one statement after the other, so that a scrape of metrics uses only one connection. */
  async waiting(): Promise<ReadonlyMap<BackgroundTask, Backlog>> {
    const { config, postgres } = this;
    const refreshMs = config.cohortRefreshMinutes * minuteMs;
    return new Map<BackgroundTask, Backlog>([
      ...foundBacklogs,
      ['alerts', await waitingAlerts(postgres)],
      ['batch_exports', await waitingBatchExports(postgres)],
      ['cohorts', await waitingCohorts(postgres, postgres.clock.now(), refreshMs)],
      ['dashboard_schedules', await waitingSchedules(postgres)],
      ['deletions', await waitingDeletions(postgres)],
      ['imports', await waitingImports(postgres)],
      ['mails', await waitingMails(postgres)],
      ['project_deletions', await waitingProjectDeletions(postgres)],
      ['webhooks', await waitingMessages(postgres)],
    ]);
  }
}
