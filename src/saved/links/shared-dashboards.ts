import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Limiters } from '../../auth/limits/limiters.js';
import { signInFailed, throttled } from '../../platform/errors/problem.js';
import { type Limiter } from '../../platform/http/rate-limiter.js';
import { contextOf, signalOfClient } from '../../platform/http/request-context.js';
import { DashboardAnswers } from '../dashboards/dashboard-answers.js';
import { DashboardsRepository } from '../dashboards/dashboards.repository.js';
import { type SharedDashboardDto } from './link.dto.js';
import { LinksRepository, type OpenedLink } from './links.repository.js';

/** Requests a minute for one dashboard, with all of its links and from all addresses together. */
const perMinute = 240;

/** Shows a dashboard to those who have a link, and nothing else. */
@Injectable()
export class SharedDashboards {
  private readonly limiter: Limiter | null;

  constructor(
    private readonly links: LinksRepository,
    private readonly dashboards: DashboardsRepository,
    private readonly boardAnswers: DashboardAnswers,
    limiters: Limiters,
  ) {
    this.limiter = limiters.perMinute('link of a dashboard', perMinute);
  }

  async get(token: string, request: Request): Promise<SharedDashboardDto> {
    const { project, dashboardId, expiresAt } = await this.open(token, request);
    const { name, description, tiles } = await this.dashboards.get(project, dashboardId, null);
    return {
      ...{ name, description, timezone: project.timezone, week_start_day: project.weekStartDay },
      expires_at: expiresAt.toISOString(),
      tiles: tiles.map(({ id, position, width, height, layouts, text, insight }) => ({
        ...{ id, position, width, height, layouts, text, name: insight ? insight.name || insight.derived_name : '' },
      })),
    };
  }

  async answers(token: string, request: Request, response: Response): Promise<AsyncGenerator<string | Buffer>> {
    const { project, dashboardId } = await this.open(token, request);
    const { now, requestId } = contextOf(request);
    const signal = signalOfClient(response);
    return this.boardAnswers.shared({ project: { ...project, signal }, now, signal, requestId }, dashboardId);
  }

  private async open(token: string, request: Request): Promise<OpenedLink> {
    const opened = await this.links.open(token, contextOf(request).now);
    if (!opened) throw signInFailed('The link shows nothing any more: it was revoked, or has expired');
    const state = await this.limiter?.take(`${opened.project.id} ${opened.dashboardId}`, Date.now());
    if (state?.exceeded) throw throttled(state.resetSeconds);
    return opened;
  }
}
