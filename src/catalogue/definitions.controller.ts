import { Body, Controller, Get, Param, Patch, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentProject, Now, RequiresScope } from '../kernel/access/access.js';
import { type Requester } from '../kernel/access/author.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type Page, PageDto, pageOf } from '../platform/http/page.dto.js';
import {
  EventDefinitionDto,
  EventDefinitionsQuery,
  PropertyDefinitionDto,
  PropertyDefinitionsQuery,
  UpdateEventDefinitionBody,
  UpdatePropertyDefinitionBody,
} from './definition.dto.js';
import { NamedDefinitions } from './names/named-definitions.js';

const DefinitionId = (): MethodDecorator => ApiParam({ name: 'id', format: 'uuid' });

/** The catalogue under the addresses and in the forms of the reference product. */
@ApiTags('Catalogue')
@Controller('api/projects/:project_id')
export class DefinitionsController {
  constructor(private readonly definitions: NamedDefinitions) {}

  @Get('event_definitions')
  @RequiresScope('event_definition:read')
  @ApiOperation({
    operationId: 'listEventDefinitions',
    summary: 'Names of events as definitions, most frequent of late first',
    description: '`catalogue/events` also has owners, and what uses each name.',
  })
  @ApiOkResponse({ type: PageDto(EventDefinitionDto) })
  async events(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: EventDefinitionsQuery,
    @Now() now: Date,
  ): Promise<Page<EventDefinitionDto>> {
    return pageOf(request, query, await this.definitions.events(project, query, now));
  }

  @Get('event_definitions/:id')
  @RequiresScope('event_definition:read')
  @DefinitionId()
  @ApiOperation({ operationId: 'getEventDefinition', summary: 'The definition of an event' })
  @ApiOkResponse({ type: EventDefinitionDto })
  event(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Now() now: Date,
  ): Promise<EventDefinitionDto> {
    return this.definitions.event(project, id, now);
  }

  @Patch('event_definitions/:id')
  @RequiresScope('event_definition:write', 'event_definition:read')
  @DefinitionId()
  @ApiOperation({ operationId: 'updateEventDefinition', summary: 'Describe, tag or hide the name of an event' })
  @ApiOkResponse({ type: EventDefinitionDto })
  updateEvent(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Body() body: UpdateEventDefinitionBody,
    @CurrentAuthor() author: Requester,
  ): Promise<EventDefinitionDto> {
    return this.definitions.updateEvent(project, id, body, author);
  }

  @Get('property_definitions')
  @RequiresScope('property_definition:read')
  @ApiOperation({
    operationId: 'listPropertyDefinitions',
    summary: 'Properties of events of the last 30 days, or of persons, as definitions, most frequent first',
    description: '`type=person` needs `person:read` too.',
  })
  @ApiOkResponse({ type: PageDto(PropertyDefinitionDto) })
  async properties(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: PropertyDefinitionsQuery,
    @CurrentAuthor() author: Requester,
  ): Promise<Page<PropertyDefinitionDto>> {
    return pageOf(request, query, await this.definitions.listProperties(project, query, author));
  }

  @Get('property_definitions/:id')
  @RequiresScope('property_definition:read')
  @DefinitionId()
  @ApiOperation({ operationId: 'getPropertyDefinition', summary: 'The definition of a property' })
  @ApiOkResponse({ type: PropertyDefinitionDto })
  property(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @CurrentAuthor() author: Requester,
  ): Promise<PropertyDefinitionDto> {
    return this.definitions.property(project, id, author);
  }

  @Patch('property_definitions/:id')
  @RequiresScope('property_definition:write', 'property_definition:read')
  @DefinitionId()
  @ApiOperation({ operationId: 'updatePropertyDefinition', summary: 'Describe, tag or hide a property' })
  @ApiOkResponse({ type: PropertyDefinitionDto })
  updateProperty(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Body() body: UpdatePropertyDefinitionBody,
    @CurrentAuthor() author: Requester,
  ): Promise<PropertyDefinitionDto> {
    return this.definitions.updateProperty(project, id, body, author);
  }
}
