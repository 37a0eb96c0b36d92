import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { lockMaker } from '../../auth/keys/key-creations.js';
import { recordActivity, type ActivityChange } from '../../kernel/activity/record-activity.js';
import { type Author, type Requester } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { assertScopes } from '../../kernel/access/scopes.js';
import { conflict, notFound, permissionDenied } from '../../platform/errors/problem.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { isUuid } from '../../platform/values/ids.js';
import { digestOfSecret, newSecret } from '../../platform/values/secret-token.js';
import { DashboardsRepository } from '../dashboards/dashboards.repository.js';
import { oneWriterAtATime } from '../saved.repository.js';
import { type CreateLinkBody, type DashboardLinkDto, type NewDashboardLinkDto, usualDays } from './link.dto.js';
import { LinksRepository } from './links.repository.js';
import { scopesOfMaker } from './maker.js';

export const maxLinks = 20;

const dayMs = 86_400_000;

/** Makes and revokes links that show a dashboard without an account. */
@Injectable()
export class LinksService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: LinksRepository,
    private readonly dashboards: DashboardsRepository,
  ) {}

  async list(project: ProjectContext, dashboardId: number, now: Date): Promise<DashboardLinkDto[]> {
    await this.dashboards.find(project, dashboardId, null);
    return this.rows.list(project, dashboardId, now);
  }

  async get(project: ProjectContext, dashboardId: number, id: string, now: Date): Promise<DashboardLinkDto> {
    const found = (await this.list(project, dashboardId, now)).find((link) => link.id === id);
    if (!found) throw noLink(id);
    return found;
  }

  /** `origin` is the address of this service in the link. */
  async create(
    project: ProjectContext,
    dashboardId: number,
    { expires_in_days: days, label: written }: CreateLinkBody,
    author: Requester,
    origin: string,
  ): Promise<NewDashboardLinkDto> {
    assertScopes(author.scopes, scopesOfMaker, author.keyId === null ? 'Your role' : 'The API key');
    const { userId } = author;
    if (userId === null) throw permissionDenied('A link needs a user: it works while its maker has access');
    const label = written?.trim() ?? '';
    const secret = newSecret();
    const id = uuidv7();
    const expiresAt = new Date(author.now.getTime() + (days ?? usualDays) * dayMs);
    await oneWriterAtATime(this.postgres, project, async (client) => {
      const { name } = await this.dashboards.find(project, dashboardId, null, client);
      if (await this.rows.areForbidden(client, project))
        throw conflict('This project forbids links: an admin allows them with "dashboard_links_forbidden": false');
      if ((await this.rows.count(client, project, dashboardId)) >= maxLinks)
        throw conflict(`A dashboard can have at most ${maxLinks} links: revoke some first`);
      await lockMaker(client, author);
      await this.rows.insert(client, {
        ...{ projectId: project.id, id, dashboardId, label, digest: digestOfSecret(secret) },
        ...{ createdBy: userId, madeByKey: author.keyId, createdAt: author.now, expiresAt },
      });
      const change = changeOf('created', null, { id, label, expires_at: expiresAt.toISOString() });
      const entry = { scope: 'Dashboard', itemId: String(dashboardId), activity: 'shared', name } as const;
      await recordActivity(client, project, { ...entry, changes: [change] }, author);
    });
    const made = await this.get(project, dashboardId, id, author.now);
    // The fragment is never sent to a server, so that no log of a proxy contains the token.
    return { ...made, link: `${origin}/shared#${project.id}.${secret}` };
  }

  revoke(project: ProjectContext, dashboardId: number, id: string, author: Author): Promise<void> {
    return oneWriterAtATime(this.postgres, project, async (client) => {
      const { name } = await this.dashboards.find(project, dashboardId, null, client);
      if (!isUuid(id) || !(await this.rows.delete(client, project, dashboardId, id))) throw noLink(id);
      const change = changeOf('deleted', { id }, null);
      const entry = { scope: 'Dashboard', itemId: String(dashboardId), activity: 'link revoked', name } as const;
      await recordActivity(client, project, { ...entry, changes: [change] }, author);
    });
  }
}

const noLink = (id: string) => notFound(`there is no link ${id} of this dashboard`);

const changeOf = (action: 'created' | 'deleted', before: object | null, after: object | null): ActivityChange => ({
  ...{ type: 'Dashboard', action, field: 'link', before, after },
});
