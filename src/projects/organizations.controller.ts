import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentCaller, RequiresScope } from '../kernel/access/access.js';
import { type Caller } from '../kernel/access/caller.js';
import { Config } from '../platform/config/config.js';
import { type Page, PageDto, PageQuery, pageOf } from '../platform/http/page.dto.js';
import { OrganizationDto, toOrganizationDto } from './organization.dto.js';
import { ProjectDto } from './project.dto.js';
import { maxProjects, ProjectsService } from './projects.service.js';

/** Clients of the reference product look for their projects by an organization: here it is the installation. */
@ApiTags('Projects')
@Controller('api/organizations')
export class OrganizationsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly config: Config,
  ) {}

  @Get()
  @RequiresScope('organization:read')
  @ApiOperation({ operationId: 'listOrganizations', summary: 'The only organization, which is the installation' })
  @ApiOkResponse({ type: PageDto(OrganizationDto) })
  async list(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
    @Query() page: PageQuery,
  ): Promise<Page<OrganizationDto>> {
    const results = [await this.get(caller)].slice(page.offset, page.offset + page.limit);
    return pageOf(request, page, { count: 1, results });
  }

  @Get('@current')
  @RequiresScope('organization:read')
  @ApiOperation({
    operationId: 'getOrganization',
    summary: 'The organization, with the projects that the key opens',
    description: 'Its `id` is the same in every installation, and may take the place of `@current`.',
  })
  @ApiOkResponse({ type: OrganizationDto })
  async get(@CurrentCaller() caller: Caller): Promise<OrganizationDto> {
    const { results } = await this.projects.list(caller, { limit: maxProjects, offset: 0 });
    return toOrganizationDto(results, { email_service_available: this.config.mail !== null });
  }

  @Get('@current/projects')
  @RequiresScope('project:read')
  @ApiOperation({
    operationId: 'listOrganizationProjects',
    summary: 'Projects that the key opens, newest first',
    description: 'The same as `GET /api/projects`.',
  })
  @ApiOkResponse({ type: PageDto(ProjectDto) })
  async listProjects(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
    @Query() page: PageQuery,
  ): Promise<Page<ProjectDto>> {
    return pageOf(request, page, await this.projects.list(caller, page));
  }
}
