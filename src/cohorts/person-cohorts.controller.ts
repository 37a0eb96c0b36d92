import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentProject, Now, RequiresScope } from '../kernel/access/access.js';
import { type Page, PageDto, pageOf } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { PersonCohortsQuery } from './record/cohort-queries.dto.js';
import { CohortDto } from './cohort.dto.js';
import { PersonCohortsService } from './record/person-cohorts.service.js';

@ApiTags('Persons')
@Controller('api/projects/:project_id/persons/cohorts')
export class PersonCohortsController {
  constructor(private readonly cohorts: PersonCohortsService) {}

  @Get()
  @RequiresScope('person:read', 'cohort:read')
  @ApiOperation({
    operationId: 'listPersonCohorts',
    summary: 'The cohorts of which a person is a member now',
    description: 'Without `person_id` and `distinct_id`, the answer lists every cohort that has a member.',
  })
  @ApiOkResponse({ type: PageDto(CohortDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: PersonCohortsQuery,
    @Now() now: Date,
  ): Promise<Page<CohortDto>> {
    return pageOf(request, query, await this.cohorts.list(project, query, now));
  }
}
