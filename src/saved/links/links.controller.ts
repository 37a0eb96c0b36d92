import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentProject, RequiresScope, projectOf } from '../../kernel/access/access.js';
import { type Author, type Requester } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { originOf } from '../../platform/http/origin.js';
import { contextOf } from '../../platform/http/request-context.js';
import { readSmallId } from '../../platform/values/ids.js';
import { RecordId, RecordIdParam } from '../record-id.js';
import { CreateLinkBody, DashboardLinksDto, NewDashboardLinkDto } from './link.dto.js';
import { LinksService, maxLinks } from './links.service.js';

@ApiTags('Saved')
@Controller('api/projects/:project_id/dashboards/:id/links')
export class LinksController {
  constructor(private readonly links: LinksService) {}

  @Get()
  @RequiresScope('dashboard:read')
  @RecordIdParam('dashboard')
  @ApiOperation({ operationId: 'listDashboardLinks', summary: 'Links that show a dashboard without an account' })
  @ApiOkResponse({ type: DashboardLinksDto })
  async list(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
    @CurrentAuthor() { now }: Author,
  ): Promise<DashboardLinksDto> {
    return { results: await this.links.list(project, id, now) };
  }

  @Post()
  @RequiresScope('dashboard:write')
  @RecordIdParam('dashboard')
  @Idempotent({
    reader: LinksService,
    keep: ({ id }: NewDashboardLinkDto) => ({ id }),
    read: async (links, { id }, request) => {
      const dashboardId = readSmallId(String(request.params.id)) ?? 0;
      return { ...(await links.get(projectOf(request), dashboardId, id, contextOf(request).now)), link: null };
    },
    says: 'gets the link without its address: revoke it and make another one',
  })
  @ApiOperation({
    operationId: 'createDashboardLink',
    summary: 'Make a link that shows a dashboard to anybody who has it',
    description:
      'Only this answer contains the address. It shows the numbers of the insights on the dashboard with the saved filters, and values of ' +
      'breakdowns, but no persons behind them, no lists, and no questions in SQL. It ends when it expires or is revoked, when its maker ' +
      'may no longer change dashboards of the project, and when the key that made it is revoked; a key that expires makes none. ' +
      `The caller needs \`person:read\`, too. A dashboard has at most ${maxLinks} links; a project with \`dashboard_links_forbidden\` has none.`,
  })
  @ApiCreatedResponse({ type: NewDashboardLinkDto })
  create(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
    @Body() body: CreateLinkBody,
    @CurrentAuthor() author: Requester,
    @Req() request: Request,
  ): Promise<NewDashboardLinkDto> {
    return this.links.create(project, id, body, author, originOf(request));
  }

  @Delete(':link_id')
  @HttpCode(204)
  @RequiresScope('dashboard:write')
  @RecordIdParam('dashboard')
  @ApiParam({ name: 'link_id', format: 'uuid', description: 'The id of a link.' })
  @ApiOperation({ operationId: 'revokeDashboardLink', summary: 'Revoke a link of a dashboard' })
  @ApiNoContentResponse({ description: 'It shows nothing any more.' })
  revoke(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
    @Param('link_id') linkId: string,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.links.revoke(project, id, linkId, author);
  }
}
