import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentCaller, RequiresScope } from '../../kernel/access/access.js';
import { type Caller } from '../../kernel/access/caller.js';
import { type Page, PageDto, PageQuery, pageOf } from '../../platform/http/page.dto.js';
import { ProjectDeletionDto } from './project-deletion.dto.js';
import { ProjectDeletions } from './project-deletions.js';

const ofOwners = 'For owners of the installation, and for keys with the scope `*` on all projects.';

@ApiTags('Projects')
@Controller('api/project_deletions')
export class ProjectDeletionsController {
  constructor(private readonly deletions: ProjectDeletions) {}

  @Get()
  @RequiresScope('*')
  @ApiOperation({
    operationId: 'listProjectDeletions',
    summary: 'Deleted projects with the receipts of their deletions, newest first',
    description: ofOwners,
  })
  @ApiOkResponse({ type: PageDto(ProjectDeletionDto) })
  async list(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
    @Query() page: PageQuery,
  ): Promise<Page<ProjectDeletionDto>> {
    return pageOf(request, page, await this.deletions.list(caller, page));
  }

  @Get(':id')
  @RequiresScope('*')
  @ApiParam({ name: 'id', format: 'uuid' })
  @ApiOperation({
    operationId: 'getProjectDeletion',
    summary: 'The deletion of one project, with its progress and receipt',
    description: ofOwners,
  })
  @ApiOkResponse({ type: ProjectDeletionDto })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ProjectDeletionDto> {
    return this.deletions.get(caller, id);
  }
}
