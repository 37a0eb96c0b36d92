import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { RequiresScope } from '../../kernel/access/access.js';
import { ApiJsonOrCsv } from '../../platform/csv/format.dto.js';
import { Now, CurrentProject } from '../../kernel/access/current-request.js';
import { PageDto } from '../../platform/http/page.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { sendCounts } from './send-counts.js';
import { PropertyValues } from './property-values.js';
import { PropertyKeyDto, PropertyKeysQuery, PropertyValueDto, PropertyValuesQuery } from './values.dto.js';

/** These paths must come before `persons/:id`. */
@ApiTags('Persons')
@Controller('api/projects/:project_id/persons')
export class PropertyValuesController {
  constructor(private readonly propertyValues: PropertyValues) {}

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
}
