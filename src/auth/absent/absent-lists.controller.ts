import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../../kernel/access/access.js';
import { field } from '../../platform/fields/field.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { type Page, PageDto, PageQuery } from '../../platform/http/page.dto.js';
import { absentFeatures } from './absent-features.js';

class AbsentDto {}

class AbsentQuery extends PageQuery {
  @QueryParam(field.text({ description: 'Has no effect, because the list is empty.' }))
  search?: string;
}

/** Answers the lists for which clients of the reference product ask when they start: an error would end some of them. */
@ApiTags('Projects')
@Controller('api/projects/:project_id')
export class AbsentListsController {
  @Get(absentFeatures.flatMap(({ emptyPages = [] }) => emptyPages))
  @RequiresScope()
  @ApiOperation({
    operationId: 'listNothing',
    summary: 'Always an empty page: this service has nothing of the kind',
    description: 'The guide [Moving from PostHog](/docs/guides/moving-from-posthog.md) says what it has instead.',
  })
  @ApiOkResponse({ type: PageDto(AbsentDto) })
  page(@Query() _query: AbsentQuery): Page<AbsentDto> {
    return { count: 0, next: null, previous: null, results: [] };
  }
}
