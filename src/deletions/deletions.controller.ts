import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentAuthor, CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type Author } from '../kernel/access/author.js';
import { credentialOf } from '../kernel/access/confirmation.js';
import { Idempotent } from '../kernel/idempotency/idempotent.js';
import { type Page, PageDto, pageOf } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { DeletionRequestDto, DeletionRequestsQuery } from './deletion-request.dto.js';
import { DeletionRequests } from './deletion-requests.js';
import { DeletionPreviewDto, RequestDeletionBody } from './selection/selection.dto.js';
import { SelectionsService } from './selection/selections.service.js';

@ApiTags('Events')
@Controller('api/projects/:project_id/deletion_requests')
export class DeletionsController {
  constructor(
    private readonly requests: DeletionRequests,
    private readonly selections: SelectionsService,
  ) {}

  @Post()
  @HttpCode(200)
  @RequiresScope('event:write', 'person:write')
  @Idempotent()
  @ApiOperation({
    operationId: 'requestDeletion',
    summary: 'Delete the events that a question selects, or properties of them: first a preview, then the request',
    description:
      'The fields combine by AND. Without `confirm` nothing is deleted: the answer counts the events and has a token. The same request ' +
      'with the token deletes these events in the next run; a 409 says that it would concern others than the preview counted. ' +
      'Events received after the preview stay.',
  })
  @ApiOkResponse({ type: DeletionPreviewDto, description: 'The preview.' })
  @ApiAcceptedResponse({
    type: DeletionRequestDto,
    description: 'The request, which becomes the receipt.',
    headers: { Location: { description: 'The deletion request.', schema: { type: 'string' } } },
  })
  async request(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentProject() project: ProjectContext,
    @Body() body: RequestDeletionBody,
    @CurrentAuthor() author: Author,
  ): Promise<DeletionPreviewDto | DeletionRequestDto> {
    const { confirm = null } = body;
    const credential = credentialOf(request);
    if (confirm === null) return this.selections.preview(project, body, credential, author.now);
    const id = await this.selections.request(project, body, confirm, credential, author);
    response.status(202).location(`/api/projects/${project.id}/deletion_requests/${id}`);
    return this.requests.get(project, id);
  }

  @Get()
  @RequiresScope('person:read')
  @ApiOperation({
    operationId: 'listDeletionRequests',
    summary: 'Requests to delete events, newest first',
  })
  @ApiOkResponse({ type: PageDto(DeletionRequestDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: DeletionRequestsQuery,
  ): Promise<Page<DeletionRequestDto>> {
    return pageOf(request, query, await this.requests.list(project, query));
  }

  @Get(':id')
  @RequiresScope('person:read')
  @ApiParam({ name: 'id', format: 'uuid' })
  @ApiOperation({ operationId: 'getDeletionRequest', summary: 'One deletion request, with its progress and receipt' })
  @ApiOkResponse({ type: DeletionRequestDto })
  get(@CurrentProject() project: ProjectContext, @Param('id') id: string): Promise<DeletionRequestDto> {
    return this.requests.get(project, id);
  }
}
