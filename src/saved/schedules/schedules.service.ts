import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { lockMaker } from '../../auth/keys/key-creations.js';
import { type Author, type Requester } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { assertScopes } from '../../kernel/access/scopes.js';
import { recordActivity } from '../../kernel/activity/record-activity.js';
import { conflict, invalidInput, notFound, permissionDenied } from '../../platform/errors/problem.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { isUuid } from '../../platform/values/ids.js';
import { DashboardsRepository } from '../dashboards/dashboards.repository.js';
import { LinksRepository } from '../links/links.repository.js';
import { scopesOfMaker } from '../links/maker.js';
import { oneWriterAtATime } from '../saved.repository.js';
import { nextDue } from './due-times.js';
import { type CreateScheduleBody, type DashboardScheduleDto } from './schedule.dto.js';
import { SchedulesRepository } from './schedules.repository.js';

export const maxSchedules = 10;

/** Makes and removes schedules by which a dashboard is sent. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: SchedulesRepository,
    private readonly dashboards: DashboardsRepository,
    private readonly links: LinksRepository,
    private readonly mailer: Mailer,
  ) {}

  async list(project: ProjectContext, dashboardId: number): Promise<DashboardScheduleDto[]> {
    await this.dashboards.find(project, dashboardId, null);
    return this.rows.list(project, dashboardId);
  }

  async get(project: ProjectContext, dashboardId: number, id: string): Promise<DashboardScheduleDto> {
    const found = (await this.list(project, dashboardId)).find((schedule) => schedule.id === id);
    if (!found) throw noSchedule(id);
    return found;
  }

  async create(
    project: ProjectContext,
    dashboardId: number,
    { addresses = [], webhooks = false, weekday = null, hour }: CreateScheduleBody,
    author: Requester,
  ): Promise<DashboardScheduleDto> {
    assertScopes(author.scopes, scopesOfMaker, author.keyId === null ? 'Your role' : 'The API key');
    const { userId } = author;
    if (userId === null) throw permissionDenied('A schedule needs a user: it sends while its maker has access');
    if (addresses.length === 0 && !webhooks)
      throw invalidInput('addresses must have an e-mail address, unless webhooks is true', 'addresses');
    if (addresses.length > 0 && !this.mailer.isConfigured)
      throw conflict(
        'addresses must be empty, because this installation has no SMTP server: set SMTP_URL and MAIL_FROM, ' +
          'or send "webhooks": true and let a webhook with the event dashboard.sent tell a program',
        'addresses',
      );
    const id = uuidv7();
    await oneWriterAtATime(this.postgres, project, async (client) => {
      const { name } = await this.dashboards.find(project, dashboardId, null, client);
      if (addresses.length > 0 && (await this.links.areForbidden(client, project)))
        throw conflict(
          'This project shows dashboards to no one without an account: an admin allows that with "dashboard_links_forbidden": false',
          'addresses',
        );
      if ((await this.rows.count(client, project, dashboardId)) >= maxSchedules)
        throw conflict(`A dashboard can have at most ${maxSchedules} schedules: delete some first`);
      await lockMaker(client, author);
      await this.rows.insert(client, {
        ...{ project_id: project.id, id, dashboard_id: dashboardId, addresses, webhooks, weekday, hour },
        ...{ created_by: userId, made_by_key: author.keyId, created_at: author.now },
        due_at: nextDue(author.now, { weekday, hour }, project),
      });
      // The log outlives the schedule, so that it has no addresses.
      const after = { id, addresses: addresses.length, webhooks, weekday, hour };
      await recordActivity(client, project, scheduleEntry(dashboardId, name, 'scheduled', null, after), author);
    });
    return this.get(project, dashboardId, id);
  }

  /** Sends what its due times send, between two of them. */
  async send(project: ProjectContext, dashboardId: number, id: string, author: Author): Promise<DashboardScheduleDto> {
    const isDue = await oneWriterAtATime(this.postgres, project, async (client) => {
      const { name } = await this.dashboards.find(project, dashboardId, null, client);
      if (!isUuid(id) || !(await this.rows.makeDue(client, project, dashboardId, id, author.now))) return false;
      const entry = {
        scope: 'Dashboard',
        itemId: String(dashboardId),
        activity: 'sent now',
        name,
        changes: [],
      } as const;
      await recordActivity(client, project, entry, author);
      return true;
    });
    const schedule = await this.get(project, dashboardId, id);
    if (isDue) return schedule;
    throw conflict('It has ended, because its maker may no longer show this dashboard: make a new one');
  }

  delete(project: ProjectContext, dashboardId: number, id: string, author: Author): Promise<void> {
    return oneWriterAtATime(this.postgres, project, async (client) => {
      const { name } = await this.dashboards.find(project, dashboardId, null, client);
      if (!isUuid(id) || !(await this.rows.delete(client, project, dashboardId, id))) throw noSchedule(id);
      await recordActivity(client, project, scheduleEntry(dashboardId, name, 'schedule removed', { id }, null), author);
    });
  }
}

const noSchedule = (id: string) => notFound(`there is no schedule ${id} of this dashboard`);

/** An entry in the activity of a dashboard about a schedule. */
export const scheduleEntry = (
  dashboardId: number,
  name: string,
  activity: 'scheduled' | 'schedule removed' | 'schedule ended',
  before: object | null,
  after: object | null,
) => {
  const action = before === null ? 'created' : 'deleted';
  const change = { type: 'Dashboard', action, field: 'schedule', before, after } as const;
  return { scope: 'Dashboard', itemId: String(dashboardId), activity, name, changes: [change] } as const;
};
