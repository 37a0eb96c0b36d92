import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type Page, PageDto, pageOf } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { DeletionRequestDto, DeletionRequestsQuery } from './deletion-request.dto.js';
import { DeletionRequests } from './deletion-requests.js';

@ApiTags('Persons')
@Controller('api/projects/:project_id/deletion_requests')
export class DeletionsController {
  constructor(private readonly requests: DeletionRequests) {}

  @Get()
  @RequiresScope('person:read')
  @ApiOperation({
    operationId: 'listDeletionRequests',
    summary: 'Requests to delete the events of deleted persons, newest first',
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
