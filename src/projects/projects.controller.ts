import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentAuthor, CurrentCaller, CurrentProject, RequiresScope, callerOf } from '../kernel/access/access.js';
import { type Caller } from '../kernel/access/caller.js';
import { type Author } from '../kernel/access/author.js';
import { problemResponse } from '../platform/errors/problem.dto.js';
import { rememberAdmission } from '../platform/http/watch-admission.js';
import { type Page, PageDto, PageQuery, pageOf } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { Idempotent } from '../kernel/idempotency/idempotent.js';
import { DeleteProjectQuery, ProjectDeletionDto } from './deletion/project-deletion.dto.js';
import { ProjectDeletions } from './deletion/project-deletions.js';
import { CreateProjectBody, ProjectDto, RotateTokenBody, UpdateProjectBody } from './project.dto.js';
import { assertEveryProject, ProjectWrites } from './project-writes.js';
import { maxProjects, ProjectsService } from './projects.service.js';
import { TokenRotation } from './tokens/token-rotation.js';

@ApiTags('Projects')
@Controller('api/projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly writes: ProjectWrites,
    private readonly rotation: TokenRotation,
    private readonly deletions: ProjectDeletions,
  ) {}

  @Get()
  @RequiresScope('project:read')
  @ApiOperation({ operationId: 'listProjects', summary: 'Projects that the key opens, newest first' })
  @ApiOkResponse({ type: PageDto(ProjectDto) })
  async list(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
    @Query() page: PageQuery,
  ): Promise<Page<ProjectDto>> {
    return pageOf(request, page, await this.projects.list(caller, page));
  }

  @Post()
  @RequiresScope('project:write')
  @Idempotent({
    keep: (project: ProjectDto) => project,
    // A key that may not create projects does not get the answer of a key that did.
    read: (_, project, request) => {
      assertEveryProject(callerOf(request));
      return project;
    },
  })
  @ApiOperation({ operationId: 'createProject', summary: 'Create a project' })
  @ApiCreatedResponse({ type: ProjectDto })
  @ApiConflictResponse(problemResponse(`The installation already has ${maxProjects} projects, which is the limit.`))
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateProjectBody,
    @CurrentAuthor() author: Author,
  ): Promise<ProjectDto> {
    return this.writes.create(caller, body, author);
  }

  @Get(':project_id')
  @RequiresScope('project:read')
  @ApiOperation({ operationId: 'getProject', summary: 'One project' })
  @ApiOkResponse({ type: ProjectDto })
  get(@CurrentProject() project: ProjectContext): Promise<ProjectDto> {
    return this.projects.get(project);
  }

  @Patch(':project_id')
  @RequiresScope('project:write')
  @ApiOperation({ operationId: 'updateProject', summary: 'Change settings of a project' })
  @ApiBody({
    type: UpdateProjectBody,
    examples: { nothing: { summary: 'Changes nothing: name the settings to change', value: {} } },
  })
  @ApiOkResponse({ type: ProjectDto })
  update(
    @CurrentCaller() caller: Caller,
    @CurrentProject() project: ProjectContext,
    @Body() body: UpdateProjectBody,
    @CurrentAuthor() author: Author,
  ): Promise<ProjectDto> {
    return this.writes.update(caller, project, body, author);
  }

  @Delete(':project_id')
  @HttpCode(202)
  @RequiresScope('*')
  @ApiOperation({
    operationId: 'deleteProject',
    summary: 'Delete a project with all that belongs to it',
    description:
      'For owners of the installation, and for keys with the scope `*` on all projects. It cannot be undone. From this answer on, ' +
      'which takes a second, no request finds the project, and its token is unknown. A job then removes every row of it from ' +
      'PostgreSQL and ClickHouse, and revokes the keys that open no other project. The answer is the receipt, whose progress ' +
      '`GET /api/project_deletions/{id}` shows. Backups keep what they have.',
  })
  @ApiAcceptedResponse({
    type: ProjectDeletionDto,
    headers: { Location: { description: 'The path of the receipt.', schema: { type: 'string' } } },
  })
  async delete(
    @CurrentCaller() caller: Caller,
    @CurrentProject() project: ProjectContext,
    @Query() { confirm_name }: DeleteProjectQuery,
    @CurrentAuthor() author: Author,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProjectDeletionDto> {
    const deletion = await this.deletions.request(caller, project, confirm_name, author);
    rememberAdmission(request);
    response.location(`/api/project_deletions/${deletion.id}`);
    return deletion;
  }

  @Post(':project_id/rotate_token')
  @HttpCode(200)
  @RequiresScope('project:write')
  @Idempotent({
    reader: ProjectsService,
    keep: ({ id }: ProjectDto) => ({ id }),
    read: (projects, kept) => projects.get(kept),
    says: 'gets the project as it is now',
  })
  @ApiOperation({
    operationId: 'rotateProjectToken',
    summary: 'Give a project a new token',
    description:
      'The previous token goes on capturing for `grace_seconds`, so that SDKs can be switched meanwhile, and is refused within a ' +
      'second after that. Another rotation meanwhile ends it too.',
  })
  @ApiOkResponse({ type: ProjectDto })
  rotateToken(
    @CurrentProject() project: ProjectContext,
    @Body() body: RotateTokenBody,
    @CurrentAuthor() author: Author,
  ): Promise<ProjectDto> {
    return this.rotation.rotate(project, body, author);
  }
}
