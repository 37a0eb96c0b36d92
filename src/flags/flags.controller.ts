import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentAuthor, CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type Author, type Requester } from '../kernel/access/author.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { Idempotent, IdempotentReading } from '../kernel/idempotency/idempotent.js';
import { updateOrDelete } from '../platform/http/deleted-field.js';
import { sendUnlessKnown } from '../platform/http/etag.js';
import { type Page, PageDto, pageOf } from '../platform/http/page.dto.js';
import { CreateFlagBody, FlagDto, FlagsQuery, LocalEvaluationQuery, UpdateFlagBody } from './flag.dto.js';
import { FlagId, FlagIdParam } from './flag-id.js';
import { FlagsRepository } from './flags.repository.js';
import { FlagsService, maxFlags } from './flags.service.js';
import { LocalDefinitions } from './local/local-definitions.js';
import { LocalDefinitionsDto } from './local/local.dto.js';
import { FlagPreviewDto, PreviewFlagBody } from './preview/flag-preview.dto.js';
import { FlagPreviews } from './preview/flag-previews.js';

@ApiTags('Flags')
@Controller('api/projects/:project_id/feature_flags')
export class FlagsController {
  constructor(
    private readonly rows: FlagsRepository,
    private readonly flags: FlagsService,
    private readonly local: LocalDefinitions,
    private readonly previews: FlagPreviews,
  ) {}

  @Get()
  @RequiresScope('feature_flag:read')
  @ApiOperation({ operationId: 'listFeatureFlags', summary: 'Feature flags, newest first' })
  @ApiOkResponse({ type: PageDto(FlagDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: FlagsQuery,
  ): Promise<Page<FlagDto>> {
    return pageOf(request, query, await this.rows.list(project, query));
  }

  @Post()
  @RequiresScope('feature_flag:write')
  @Idempotent()
  @ApiOperation({
    operationId: 'createFeatureFlag',
    summary: 'Create a feature flag, which SDKs ask for',
    description:
      'It counts in every process within a second. ' + `A project with ${maxFlags} flags has no room for another: 409.`,
  })
  @ApiCreatedResponse({ type: FlagDto })
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateFlagBody,
    @CurrentAuthor() author: Author,
  ): Promise<FlagDto> {
    return this.flags.create(project, body, author);
  }

  @Post('preview')
  @HttpCode(200)
  @RequiresScope('feature_flag:read', 'person:read')
  @IdempotentReading()
  @ApiOperation({
    operationId: 'previewFeatureFlag',
    summary: 'Count who would get what from a flag; nothing is stored',
    description:
      'As if the flag were active. A person with several distinct ids counts by the first that looks chosen rather than generated; ' +
      'by another one, the percentages may decide otherwise. Conditions about other groups than those that the flag is about hold for no one. ' +
      'A flag about groups needs the scope `group:read` too.',
  })
  @ApiOkResponse({ type: FlagPreviewDto })
  preview(
    @CurrentProject('reads') project: ProjectContext,
    @Body() body: PreviewFlagBody,
    @CurrentAuthor() author: Requester,
  ): Promise<FlagPreviewDto> {
    return this.previews.of(project, body, author);
  }

  @Get('local_evaluation')
  @RequiresScope('feature_flag:read')
  @ApiHeader({ name: 'If-None-Match', required: false, description: 'The `ETag` of an answer that the client has.' })
  @ApiOperation({
    operationId: 'getLocalEvaluation',
    summary: 'What an SDK needs to decide about flags itself',
    description: '`/flags/definitions?token=` is the same for the project of the token.',
  })
  @ApiOkResponse({ type: LocalDefinitionsDto, headers: { ETag: { schema: { type: 'string' } } } })
  @ApiResponse({ status: 304, description: 'The answer is the one that the client has.' })
  async localEvaluation(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() _query: LocalEvaluationQuery,
  ): Promise<LocalDefinitionsDto | undefined> {
    return sendUnlessKnown(request, response, await this.local.of(project.id));
  }

  @Get(':key/remote_config')
  @RequiresScope('feature_flag:read')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiParam({ name: 'key', description: 'The key or the id of the flag.', schema: { type: 'string' } })
  @ApiOperation({
    operationId: 'getRemoteConfig',
    summary: 'The payload of a flag for those who get no variant',
    description: 'The JSON text itself, as JSON; null if there is none, or the flag is not active.',
  })
  @ApiOkResponse({
    content: { 'application/json': { schema: { type: 'string', nullable: true, example: '{"color":"green"}' } } },
  })
  async remoteConfig(
    @CurrentProject() project: ProjectContext,
    @Param('key') key: string,
    @Query() _query: LocalEvaluationQuery,
  ): Promise<string> {
    return JSON.stringify(await this.rows.payloadOf(project, key));
  }

  @Get(':id')
  @RequiresScope('feature_flag:read')
  @FlagIdParam()
  @ApiOperation({ operationId: 'getFeatureFlag', summary: 'One feature flag' })
  @ApiOkResponse({ type: FlagDto })
  get(@CurrentProject() project: ProjectContext, @FlagId() id: number): Promise<FlagDto> {
    return this.rows.get(project, id);
  }

  @Patch(':id')
  @RequiresScope('feature_flag:write')
  @FlagIdParam()
  @ApiOperation({
    operationId: 'updateFeatureFlag',
    summary: 'Change a feature flag',
    description: '`filters` takes the place of all conditions, variants and payloads.',
  })
  @ApiOkResponse({ type: FlagDto })
  update(
    @CurrentProject() project: ProjectContext,
    @FlagId() id: number,
    @Body() body: UpdateFlagBody,
    @CurrentAuthor() author: Author,
  ): Promise<FlagDto> {
    return updateOrDelete(body, {
      get: () => this.get(project, id),
      remove: () => this.remove(project, id, author),
      update: () => this.flags.update(project, id, body, author),
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('feature_flag:write')
  @FlagIdParam()
  @ApiOperation({ operationId: 'deleteFeatureFlag', summary: 'Delete a feature flag' })
  @ApiNoContentResponse({ description: 'The flag is deleted: SDKs get no value for it.' })
  remove(
    @CurrentProject() project: ProjectContext,
    @FlagId() id: number,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.flags.delete(project, id, author);
  }
}
