import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentProject, Now, RequiresScope } from '../kernel/access/access.js';
import { IdempotentReading } from '../kernel/idempotency/idempotent.js';
import { ApiJsonOrCsv } from '../platform/csv/format.dto.js';
import { PageDto } from '../platform/http/page.dto.js';
import { WarnedPageDto } from '../filters/warnings/question-warning.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { DistinctIdDto, DistinctIdsQuery } from './reading/distinct-id.dto.js';
import { DistinctIdsResponder } from './reading/distinct-ids-responder.js';
import { DistinctIdsBody, PersonsByIdDto, UuidsBody } from './reading/person-batches.dto.js';
import { PersonsRepository } from './reading/persons.repository.js';
import { PersonsResponder } from './list/persons-responder.js';
import { PersonsQuery } from './list/persons.query.js';
import { PersonIdParam } from './person-format.guard.js';
import { PersonDto } from './person.dto.js';
import { personRef } from '../kernel/identity/person-ref.js';

@ApiTags('Persons')
@Controller('api/projects/:project_id/persons')
export class PersonsListController {
  constructor(
    private readonly lists: PersonsResponder,
    private readonly persons: PersonsRepository,
    private readonly distinctIds: DistinctIdsResponder,
  ) {}

  @Get()
  @RequiresScope('person:read')
  @ApiOperation({
    operationId: 'listPersons',
    summary: 'Persons, newest first',
    description:
      'All parameters combine by AND. CSV without `limit` contains all persons; `distinct_ids` has at most 100 entries, as in lists.',
  })
  @ApiJsonOrCsv(WarnedPageDto(PersonDto))
  list(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: PersonsQuery,
    @Now() now: Date,
  ): Promise<void> {
    return this.lists.send(request, response, project, query, now);
  }

  @Post('batch_by_distinct_ids')
  @HttpCode(200)
  @RequiresScope('person:read')
  @IdempotentReading()
  @ApiOperation({ operationId: 'getPersonsByDistinctIds', summary: 'The persons of up to 200 distinct ids' })
  @ApiOkResponse({ type: PersonsByIdDto })
  async byDistinctIds(
    @CurrentProject('reads') project: ProjectContext,
    @Body() { distinct_ids: ids }: DistinctIdsBody,
  ): Promise<PersonsByIdDto> {
    return { results: Object.fromEntries(await this.persons.ofEachDistinctId(project, [...new Set(ids)])) };
  }

  @Post('batch_by_uuids')
  @HttpCode(200)
  @RequiresScope('person:read')
  @IdempotentReading()
  @ApiOperation({ operationId: 'getPersonsByUuids', summary: 'The persons of up to 200 uuids' })
  @ApiOkResponse({ type: PersonsByIdDto })
  async byUuids(
    @CurrentProject('reads') project: ProjectContext,
    @Body() { uuids }: UuidsBody,
  ): Promise<PersonsByIdDto> {
    return { results: Object.fromEntries(await this.persons.ofEachUuid(project, uuids)) };
  }

  @Get(':id/distinct_ids')
  @RequiresScope('person:read')
  @PersonIdParam()
  @ApiOperation({
    operationId: 'listDistinctIds',
    summary: 'All distinct ids of a person, in the order they were added',
  })
  @ApiJsonOrCsv(PageDto(DistinctIdDto))
  listDistinctIds(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() query: DistinctIdsQuery,
  ): Promise<void> {
    return this.distinctIds.send(request, response, project, personRef(id), query);
  }
}
