import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { type Page, PageDto, pageOf } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { ExpiryQuery, ExpiryPreviewDto, ExpiryRunDto } from './expiry.dto.js';
import { ExpiryService } from './expiry.service.js';

const ExpiryRunPage = PageDto(ExpiryRunDto);

@ApiTags('Projects')
@Controller('api/projects/:project_id/retention')
@ApiExtraModels(ExpiryRunPage, ExpiryPreviewDto)
export class ExpiryController {
  constructor(private readonly retention: ExpiryService) {}

  @Get()
  @RequiresScope('project:read', 'event:read')
  @ApiOperation({
    operationId: 'getDataRetention',
    summary: 'Receipts of the removal of expired events, newest first, or a preview of the next removal',
    description:
      'Events expire by the settings `events_ttl_days` and `events_ttl_days_by_name` of the project. `preview=true` counts, by month ' +
      'and by name, the events that the next scheduled run will remove, also for settings that are not stored yet; ' +
      '`limit` and `offset` are those of the list.',
  })
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(ExpiryRunPage) }, { $ref: getSchemaPath(ExpiryPreviewDto) }] },
  })
  async get(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: ExpiryQuery,
    @Now() now: Date,
  ): Promise<Page<ExpiryRunDto> | ExpiryPreviewDto> {
    if (query.preview) return this.retention.preview(project, query, now);
    return pageOf(request, query, await this.retention.list(project, query));
  }
}
