import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { recordActivity } from '../../kernel/activity/record-activity.js';
import { dashboardLink } from '../../kernel/notices/notice-link.js';
import { appendNotice } from '../../kernel/notices/notices.repository.js';
import { findProject } from '../../kernel/projects/projects.repository.js';
import { Config } from '../../platform/config/config.js';
import { Problem } from '../../platform/errors/problem.js';
import { Mailer, MailServerFault } from '../../platform/mail/mailer.js';
import { type Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { retryDelayMs } from '../alerts/schedule.js';
import { DashboardAnswers } from '../dashboards/dashboard-answers.js';
import { DashboardsRepository } from '../dashboards/dashboards.repository.js';
import { LinksRepository } from '../links/links.repository.js';
import { mayStillShow } from '../links/maker.js';
import { type BoardMessage, mailOfBoard } from './board-message.js';
import { latestDue, nextDue } from './due-times.js';
import { type DueSchedule, recordSending, type ScheduleRow } from './schedules.repository.js';
import { scheduleEntry } from './schedules.service.js';
import { type NumbersAnswer, numbersIn } from './tile-numbers.js';

/** A mail that no server has taken for this long is given up. */
const patienceMs = 24 * 3_600_000;

/** Sends one dashboard: decides once what a due time sends, and then hands it over to each address. */
@Injectable()
export class BoardSender {
  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
    private readonly dashboards: DashboardsRepository,
    private readonly answers: DashboardAnswers,
    private readonly links: LinksRepository,
    private readonly mailer: Mailer,
  ) {}

  async work(schedule: DueSchedule, lease: Lease, now: Date, stopping: AbortSignal): Promise<void> {
    const { postgres } = this;
    const project = await findProject(postgres, schedule.project_id);
    if (!project) return;
    if (!(await mayStillShow(postgres, project, schedule, now))) return this.end(project, schedule, lease, now);
    const isForbidden = schedule.addresses.length > 0 && (await this.links.areForbidden(postgres, project));
    if (isForbidden) return this.skip(project, schedule, lease, now);
    if (schedule.due_at <= now) return this.make(project, schedule, lease, now, stopping);
    await this.handOver(project, schedule, lease, now, stopping);
  }

  /** Tries again later: what was due is still to be made, or to be handed over. */
  async postpone(schedule: ScheduleRow, lease: Lease, detail: string, now: Date): Promise<void> {
    await recordSending(this.postgres, lease, schedule, {
      failures: schedule.failures + 1,
      next_attempt_at: new Date(now.getTime() + retryDelayMs(schedule.failures)),
      problem: { detail, at: now.toISOString() },
    });
  }

  /** Makes the message of the last due time, and tells webhooks of it in the same transaction. */
  private async make(
    project: ProjectContext,
    schedule: ScheduleRow,
    lease: Lease,
    now: Date,
    signal: AbortSignal,
  ): Promise<void> {
    const { id, dashboard_id, addresses, webhooks } = schedule;
    const due = latestDue(schedule.due_at, now, schedule, project);
    const message = await this.messageAt(due, { ...project, signal }, schedule, now, signal);
    const next = nextDue(now, schedule, project);
    await recordSending(
      this.postgres,
      lease,
      schedule,
      {
        ...{ due_at: next, next_attempt_at: addresses.length > 0 ? now : next, failures: 0, problem: null },
        ...{ message: addresses.length > 0 ? message : null, waiting: addresses },
        ...(webhooks && { last_sent_at: now }),
      },
      async (client) => {
        if (!webhooks) return;
        const { name, ...rest } = message;
        const data = { dashboard_id, schedule_id: id, name, ...rest };
        await appendNotice(client, project, {
          ...{ type: 'dashboard.sent', key: `${id} ${message.due_at}`, data, at: now },
        });
      },
    );
  }

  private async messageAt(
    due: Date,
    project: ProjectContext,
    { id, dashboard_id }: ScheduleRow,
    now: Date,
    signal: AbortSignal,
  ): Promise<BoardMessage> {
    const { name, tiles } = await this.dashboards.get(project, dashboard_id, null);
    const answers = await this.answers.unsplit({ project, now, signal, requestId: id }, dashboard_id);
    const away = [...answers.values()].find((answer) => answer instanceof Problem && answer.status === 503);
    if (away instanceof Problem) throw away;
    return {
      due_at: due.toISOString(),
      name,
      tiles: tiles
        .filter(({ text }) => text === null)
        .map((tile) => {
          const answer = answers.get(tile.id);
          const numbers = !answer || answer instanceof Problem ? [] : numbersIn(answer as NumbersAnswer);
          return { name: tile.insight ? tile.insight.name || tile.insight.derived_name : '', numbers };
        }),
    };
  }

  private async handOver(
    project: ProjectContext,
    schedule: DueSchedule,
    lease: Lease,
    now: Date,
    stopping: AbortSignal,
  ): Promise<void> {
    const { message, due_at } = schedule;
    if (message === null) return;
    const link = dashboardLink(this.config.publicOrigin, project.id, schedule.dashboard_id);
    const around = { project: schedule.project_name, timezone: project.timezone, link };
    const mail = mailOfBoard(message, around);
    const madeAt = new Date(message.due_at);
    let { waiting } = schedule;
    const faults: string[] = [];
    let isAway = false;
    for (const address of schedule.waiting) {
      stopping.throwIfAborted();
      lease.check();
      // The same for each attempt, so that a mail which came twice after a kill is recognised.
      const id = `${schedule.id}.${(madeAt.getTime() / 60_000).toString(36)}.${schedule.addresses.indexOf(address)}`;
      const outcome = await this.mailer.send({ id, to: address, at: madeAt, ...mail }, stopping).catch(faultOf);
      if (outcome === 'accepted') {
        waiting = waiting.filter((other) => other !== address);
        if (!(await recordSending(this.postgres, lease, schedule, { waiting, last_sent_at: now }))) return;
        continue;
      }
      isAway ||= outcome !== 'refused';
      if (outcome instanceof MailServerFault) {
        faults.push(outcome.message);
        break;
      }
      const why = outcome === 'refused' ? 'the mail server does not know this address' : 'the mail was not taken';
      faults.push(`${address}: ${why}`);
    }
    const isOver = now.getTime() - madeAt.getTime() > patienceMs;
    const detail = faults.join('; ');
    if (isAway && !isOver) return this.postpone(schedule, lease, detail, now);
    await recordSending(this.postgres, lease, schedule, {
      ...{ message: null, waiting: [], failures: 0, next_attempt_at: due_at },
      problem: faults.length === 0 ? null : { detail: isAway ? `Given up: ${detail}` : detail, at: now.toISOString() },
    });
  }

  /** Sends nothing as long as the project shows dashboards to no one without an account. */
  private async skip(project: ProjectContext, schedule: ScheduleRow, lease: Lease, now: Date): Promise<void> {
    const due = nextDue(now, schedule, project);
    const detail = 'The project shows dashboards to no one without an account';
    await recordSending(this.postgres, lease, schedule, {
      ...{ due_at: due, next_attempt_at: due, message: null, waiting: [], failures: 0 },
      problem: { detail, at: now.toISOString() },
    });
  }

  private async end(project: ProjectContext, schedule: ScheduleRow, lease: Lease, now: Date): Promise<void> {
    const { id, dashboard_id } = schedule;
    const { name } = await this.dashboards.find(project, dashboard_id, null);
    const problem = { detail: 'It has ended: its maker may no longer show this dashboard', at: now.toISOString() };
    await recordSending(
      this.postgres,
      lease,
      schedule,
      { next_attempt_at: null, message: null, waiting: [], problem },
      (client) => {
        const author = { userId: null, requestId: null, now };
        return recordActivity(
          client,
          project,
          scheduleEntry(dashboard_id, name, 'schedule ended', { id }, null),
          author,
        );
      },
    );
  }
}

const faultOf = (error: unknown): MailServerFault => {
  if (error instanceof MailServerFault) return error;
  throw error;
};
