import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { FreshData } from '../../kernel/projection/fresh-data.js';
import { Projection } from '../../kernel/projection/projection.js';
import { findProject } from '../../kernel/projects/projects.repository.js';
import { QueryTooExpensive } from '../../platform/clickhouse/errors.js';
import { Problem, unavailable } from '../../platform/errors/problem.js';
import { isPostgresUnavailable } from '../../platform/errors/store-errors.js';
import { type Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { savedQuestions } from '../questions/saved-questions.js';
import { type AlertError } from './alert.entity.js';
import { decidedAmong, type DueAlert, recordNothingDue, recordVerdict } from './alert-records.js';
import { decidedIntervals, graceMs, lastMoment, maxMissed, nextMoment, type Schedule } from './schedule.js';
import { type DecidedVerdict, WatchedNumbers, type WatchedSeries } from './watched-numbers.js';

interface Watched {
  readonly series: WatchedSeries;
  readonly schedule: Schedule;
}

interface Asking {
  readonly project: ProjectContext;
  readonly now: Date;
  readonly signal: AbortSignal;
}

export type CheckedAlert = Pick<
  DueAlert,
  'insight_id' | 'series_index' | 'calculation_interval' | 'skip_weekend' | 'condition' | 'threshold'
>;

/** Decides the intervals of one alert. */
@Injectable()
export class AlertChecker {
  private readonly fresh: FreshData;

  constructor(
    private readonly postgres: Postgres,
    projection: Projection,
    private readonly numbers: WatchedNumbers,
  ) {
    this.fresh = new FreshData(projection);
  }

  /** Decides the intervals that have ended and are not decided yet, in order. */
  async check(alert: DueAlert, lease: Lease, now: Date, signal: AbortSignal): Promise<void> {
    const project = await findProject(this.postgres, alert.project_id);
    if (!project) return;
    const asking = { project, now, signal };
    const watched = await this.watchedBy(alert, asking);
    const to = new Date(now.getTime() - graceMs);
    const ended = decidedIntervals({ from: alert.due_moment, to }, watched.schedule).slice(-maxMissed);
    const starts = ended.map(({ start }) => start);
    const known = await decidedAmong(this.postgres, alert, starts);
    const intervals = ended.filter(({ start }) => !known.has(start.getTime()));
    if (intervals.length > 0) await this.assertFresh(asking);
    const verdicts = await this.numbers.verdicts(alert, watched.series, intervals, watched.schedule, asking);
    const last = await this.record(alert, lease, verdicts, watched.schedule, signal);
    const due = nextMoment(to, watched.schedule);
    if (last !== null && last.due_moment < due) await recordNothingDue(this.postgres, lease, last, due);
  }

  /** Decides the intervals that have ended since a moment, as if the alert had been made then. */
  async backtest(alert: CheckedAlert, from: Date, asking: Asking): Promise<DecidedVerdict[]> {
    const { series, schedule } = await this.watchedBy(alert, asking);
    const range = { from: lastMoment(from, schedule), to: new Date(asking.now.getTime() - graceMs) };
    return this.numbers.verdicts(alert, series, decidedIntervals(range, schedule), schedule, asking);
  }

  private async watchedBy(alert: CheckedAlert, { project, now }: Asking): Promise<Watched> {
    const question = (await savedQuestions(this.postgres, project, [alert.insight_id])).get(alert.insight_id);
    if (!question) throw new Error(`The insight ${alert.insight_id} of an alert is gone`);
    const series = await this.numbers.series(project, question, alert.series_index, now);
    const { calculation_interval: calculation, skip_weekend: skipWeekend } = alert;
    return { series, schedule: { calculation, interval: series.interval, skipWeekend, calendar: project } };
  }

  private async assertFresh({ project, now, signal }: Asking): Promise<void> {
    const asOf = await this.fresh.until(project, now, signal);
    if (asOf < now) throw unavailable('ClickHouse does not have all events yet');
  }

  /** Returns the alert after its last verdict; null if it must be read again. */
  private async record(
    alert: DueAlert,
    lease: Lease,
    verdicts: readonly DecidedVerdict[],
    schedule: Schedule,
    signal: AbortSignal,
  ): Promise<DueAlert | null> {
    let current: DueAlert | null = alert;
    for (const verdict of verdicts) {
      signal.throwIfAborted();
      current = await recordVerdict(this.postgres, lease, current, verdict, schedule);
      if (current === null) return null;
    }
    return current;
  }
}

/** Returns the description of a failure for the owner of the alert. */
export const alertError = (error: unknown, now: Date): AlertError => {
  const at = now.toISOString();
  if (error instanceof QueryTooExpensive)
    return { code: 'too_expensive', detail: `The question is too expensive: ${error.detail}`, at };
  if (error instanceof Problem ? error.status >= 500 : error instanceof Error && isPostgresUnavailable(error))
    return { code: 'unavailable', detail: 'A store could not be reached, or does not have all events yet', at };
  if (error instanceof Problem) return { code: error.code, detail: error.detail, at };
  return { code: 'error', detail: 'An internal error occurred', at };
};
