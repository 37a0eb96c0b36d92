import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Page, PageDto, pageOf } from '../../platform/http/page.dto.js';
import { GroupPropertiesService, propertiesPerType } from './group-properties.service.js';
import {
  type GroupProperties,
  GroupPropertyDto,
  GroupPropertyValueDto,
  GroupPropertyValuesQuery,
  propertiesByType,
} from './values.dto.js';

/** This controller is registered first, because `groups/:id` would capture these paths. */
@ApiTags('Groups')
@Controller('api/projects/:project_id/groups')
export class GroupPropertiesController {
  constructor(private readonly properties: GroupPropertiesService) {}

  @Get('property_definitions')
  @RequiresScope('group:read')
  @ApiExtraModels(GroupPropertyDto)
  @ApiOperation({
    operationId: 'listGroupProperties',
    summary: 'Properties of groups by type, with the number of groups that have each',
    description: `The ${propertiesPerType.toLocaleString('en-US')} most frequent properties of each type.`,
  })
  @ApiOkResponse({ schema: propertiesByType })
  definitions(@CurrentProject() project: ProjectContext, @Now() now: Date): Promise<GroupProperties> {
    return this.properties.byType(project, now);
  }

  @Get('property_values')
  @RequiresScope('group:read')
  @ApiOperation({
    operationId: 'listGroupPropertyValues',
    summary: 'Values of a property of the groups of a type, most frequent first',
  })
  @ApiOkResponse({ type: PageDto(GroupPropertyValueDto) })
  async values(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: GroupPropertyValuesQuery,
    @Now() now: Date,
  ): Promise<Page<GroupPropertyValueDto>> {
    return pageOf(request, query, await this.properties.values(project, query, now));
  }
}
