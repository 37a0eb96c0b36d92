import { Body, Controller, Get, Patch, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentProject, Now, RequiresScope } from '../kernel/access/access.js';
import { assertScopes } from '../kernel/access/scopes.js';
import { type Requester } from '../kernel/access/author.js';
import { type Page, PageDto, pageOf } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import {
  CatalogueEventDto,
  CataloguePropertiesPageDto,
  CataloguePropertiesQuery,
  CataloguePropertyDto,
  CatalogueQuery,
  DefineEventBody,
  DefinePropertyBody,
  type CataloguePropertiesPage,
} from './catalogue.dto.js';
import { CatalogueService } from './catalogue.service.js';

@ApiTags('Catalogue')
@Controller('api/projects/:project_id/catalogue')
export class CatalogueController {
  constructor(private readonly catalogue: CatalogueService) {}

  @Get('events')
  @RequiresScope('event:read')
  @ApiOperation({
    operationId: 'listCatalogueEvents',
    summary: 'Names of events with their numbers and what uses them, most frequent of late first',
  })
  @ApiOkResponse({ type: PageDto(CatalogueEventDto) })
  async events(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: CatalogueQuery,
    @CurrentAuthor() { scopes }: Requester,
    @Now() now: Date,
  ): Promise<Page<CatalogueEventDto>> {
    return pageOf(request, query, await this.catalogue.events(project, query, scopes, now));
  }

  @Patch('events')
  @RequiresScope('project:write', 'event:read')
  @ApiOperation({
    operationId: 'describeEvent',
    summary: 'Describe the name of an event, give it an owner, or hide it',
    description: 'Fields that are left out stay as they are.',
  })
  @ApiOkResponse({ type: CatalogueEventDto })
  defineEvent(
    @CurrentProject() project: ProjectContext,
    @Body() body: DefineEventBody,
    @CurrentAuthor() author: Requester,
  ): Promise<CatalogueEventDto> {
    return this.catalogue.defineEvent(project, body, author);
  }

  @Get('properties')
  @RequiresScope('event:read')
  @ApiOperation({
    operationId: 'listCatalogueProperties',
    summary: 'Properties of events of the last 30 days, or of persons, most frequent first',
    description:
      '`kind=person` needs `person:read` too. The 1,000 most frequent properties of each day; the 5,000 most frequent ones of persons.',
  })
  @ApiOkResponse({ type: CataloguePropertiesPageDto })
  async properties(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: CataloguePropertiesQuery,
    @CurrentAuthor() { scopes }: Requester,
    @Now() now: Date,
  ): Promise<CataloguePropertiesPage> {
    if (query.kind === 'person') assertScopes(scopes, ['person:read']);
    const { since, ...slice } = await this.catalogue.listProperties(project, query, scopes, now);
    return { ...pageOf(request, query, slice), counted_since: since };
  }

  @Patch('properties')
  @RequiresScope('project:write', 'event:read')
  @ApiOperation({
    operationId: 'describeProperty',
    summary: 'Describe a property, give it an owner, or hide it',
    description: 'Fields that are left out stay as they are. `kind: "person"` needs `person:read` too.',
  })
  @ApiOkResponse({ type: CataloguePropertyDto })
  defineProperty(
    @CurrentProject() project: ProjectContext,
    @Body() body: DefinePropertyBody,
    @CurrentAuthor() author: Requester,
  ): Promise<CataloguePropertyDto> {
    if (body.kind === 'person') assertScopes(author.scopes, ['person:read']);
    return this.catalogue.defineProperty(project, body, author);
  }
}
