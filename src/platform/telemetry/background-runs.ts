import { performance } from 'node:perf_hooks';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { WorkEnded } from '../errors/work-ended.js';

/** Values of the label `task`. It is not named `job`, because Prometheus uses that label itself. */
export const backgroundTasks = [
  'alerts',
  'arrivals',
  'backup',
  'base_backup',
  'batch_exports',
  'cohorts',
  'compression',
  'cookieless_salts',
  'dashboard_schedules',
  'deletions',
  'event_archive',
  'expiry',
  'imports',
  'mails',
  'merge_records',
  'project_deletions',
  'rate_windows',
  'rebuild',
  'shipping',
  'wal_archive',
  'webhooks',
] as const;

export type BackgroundTask = (typeof backgroundTasks)[number];

/** `refused`: a user must change something first, such as the definition of a cohort. */
export type RunOutcome = 'done' | 'refused' | 'failed';

const seconds = new Histogram({
  name: 'kohort_background_run_seconds',
  help: 'Time that runs of background work took in this process, by what became of them',
  labelNames: ['task', 'outcome'] as const,
  buckets: [0.1, 1, 10, 60, 600],
  registers: [],
});
// Series start at 0, because Prometheus sees no increase in a series whose first value is its first failure.
for (const task of backgroundTasks) for (const outcome of ['done', 'failed']) seconds.zero({ task, outcome });

const lastSuccess = new Gauge({
  name: 'kohort_background_last_success_timestamp_seconds',
  help: 'When a run of background work last succeeded in this process; of a base backup, when the newest one was finished',
  labelNames: ['task'] as const,
  registers: [],
});

/** Counted per process and not per service, because some work begins before the service and ends after it. */
export const registerBackgroundRuns = (registry: Registry): void => {
  registry.registerMetric(seconds);
  registry.registerMetric(lastSuccess);
};

export const noteSuccess = (task: BackgroundTask, at: Date): void => lastSuccess.set({ task }, at.getTime() / 1000);

/** Returns the function that ends the run. A run that another process continues is not ended. */
export const startCountedRun = (task: BackgroundTask): ((outcome: RunOutcome) => void) => {
  const startedAt = performance.now();
  return (outcome) => {
    seconds.observe({ task, outcome }, (performance.now() - startedAt) / 1000);
    if (outcome === 'done') noteSuccess(task, new Date());
  };
};

/** Counts a run that throws when it fails. */
export const countedRun = async <T>(task: BackgroundTask, run: () => Promise<T>): Promise<T> => {
  const end = startCountedRun(task);
  try {
    const result = await run();
    end('done');
    return result;
  } catch (error) {
    if (!(error instanceof WorkEnded)) end('failed');
    throw error;
  }
};

export interface Backlog {
  readonly waiting: number;
  /** How long the oldest waiting work has been due; 0 if nothing waits. */
  readonly waitedSeconds: number;
}

/** The backlogs of queues that are too long to be read for each scrape, as the last runs in this process found them. */
export const foundBacklogs = new Map<BackgroundTask, Backlog>();
