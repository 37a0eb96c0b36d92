import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { RequiresScope } from '../common/access/access.js';
import { ApiJsonOrCsv } from '../common/csv/format.dto.js';
import { Now, CurrentProject } from '../common/http/request-context.js';
import { PageDto } from '../common/pagination/page.js';
import { type ProjectContext } from '../common/project-context.js';
import { DistinctIdDto, DistinctIdsQuery } from './distinct-id.dto.js';
import { DistinctIdsAnswers } from './distinct-ids-answers.js';
import { PersonsAnswers } from './list/persons-answers.js';
import { PersonsQuery } from './list/persons.query.js';
import { PersonIdParam } from './person-format.interceptor.js';
import { PersonDto } from './person.dto.js';
import { personRef } from './person-ref.js';
import { sendCounts } from './values/send-counts.js';
import { PropertyValues } from './values/property-values.js';
import { PropertyKeyDto, PropertyKeysQuery, PropertyValueDto, PropertyValuesQuery } from './values/values.dto.js';

/** The static paths among these must come before `persons/:id`. */
@ApiTags('Persons')
@Controller('api/projects/:project_id/persons')
export class PersonListsController {
  constructor(
    private readonly lists: PersonsAnswers,
    private readonly distinctIds: DistinctIdsAnswers,
    private readonly propertyValues: PropertyValues,
  ) {}

  @Get()
  @RequiresScope('person:read')
  @ApiOperation({
    operationId: 'listPersons',
    summary: 'Persons, newest first',
    description:
      'All parameters combine by AND. CSV without `limit` contains all persons; `distinct_ids` has at most 100 entries, as in lists.',
  })
  @ApiJsonOrCsv(PageDto(PersonDto))
  list(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: PersonsQuery,
    @Now() now: Date,
  ): Promise<void> {
    return this.lists.send(request, response, project, query, now);
  }

  @Get('properties')
  @RequiresScope('person:read')
  @ApiOperation({
    operationId: 'listPersonProperties',
    summary: 'Properties of persons, with the number of persons that have each',
  })
  @ApiJsonOrCsv(PageDto(PropertyKeyDto))
  properties(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: PropertyKeysQuery,
    @Now() now: Date,
  ): Promise<void> {
    return sendCounts(request, response, 'properties.csv', query, (page) =>
      this.propertyValues.keys(project, { ...query, ...page }, now),
    );
  }

  @Get('values')
  @RequiresScope('person:read')
  @ApiOperation({ operationId: 'listPropertyValues', summary: 'Values of a property, most frequent first' })
  @ApiJsonOrCsv(PageDto(PropertyValueDto))
  values(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: PropertyValuesQuery,
    @Now() now: Date,
  ): Promise<void> {
    return sendCounts(request, response, 'values.csv', query, (page) =>
      this.propertyValues.list(project, { ...query, ...page }, now),
    );
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
